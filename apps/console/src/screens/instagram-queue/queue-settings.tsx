import { LIMITS, type QueueStatusView, type UncheckedPolicy } from '@autoposter/contracts';
import { type ReactNode, useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import {
  useSetBacklogLimit,
  useSetInterval,
  useSetRandomization,
  useSetTimeBlocking,
  useSetUncheckedPosts,
} from '../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT as TEXT } from '../../text/instagram-queue.text';
import { ActionButton } from '../../ui/actions';
import { CheckboxField, SelectField } from '../../ui/fields';
import { parseWholeNumber } from '../../ui/format';
import { Box, Stack, TextField } from '../../ui/mui';
import { Panel } from '../../ui/layout';

const { intervalMinutes: INTERVAL, maxDelayMinutes: DELAY, backlogLimit: BACKLOG } = LIMITS.queue;

interface GroupProps {
  save: string;
  saving: boolean;
  /** Undefined while the values are invalid. */
  onSave: (() => Promise<unknown>) | undefined;
  children: ReactNode;
}

const Group = ({ save, saving, onSave, children }: GroupProps) => (
  <Stack sx={{ gap: 3.5, alignItems: 'flex-start', minWidth: 0 }}>
    {children}
    <ActionButton
      label={save}
      variant="contained"
      disabled={onSave === undefined}
      loading={saving}
      onClick={() => onSave !== undefined && void notifyResult(onSave(), 'Settings saved', TEXT.error)}
      sx={{ mt: 'auto' }}
    />
  </Stack>
);

function IntervalGroup({ minutes }: { minutes: number }) {
  const [value, setValue] = useState(String(minutes));
  const save = useSetInterval();
  const number = parseWholeNumber(value, INTERVAL);
  return (
    <Group save={TEXT.save} saving={save.isPending} onSave={number !== null ? () => save.mutateAsync(number) : undefined}>
      <TextField
        type="number"
        label="Posting interval (minutes)"
        value={value}
        helperText={TEXT.intervalHelp}
        onChange={(event) => setValue(event.target.value)}
        slotProps={{ htmlInput: { min: INTERVAL.min, max: INTERVAL.max } }}
      />
    </Group>
  );
}

function BlockingGroup({ blocking }: { blocking: QueueStatusView['timeBlocking'] }) {
  const [form, setForm] = useState({ enabled: blocking.enabled, startTime: blocking.startTime, endTime: blocking.endTime });
  const save = useSetTimeBlocking();
  const zone = blocking.timeZone ?? 'UTC';
  const acceptable = form.startTime !== '' && form.endTime !== '';
  return (
    <Group save={TEXT.saveTime} saving={save.isPending} onSave={acceptable ? () => save.mutateAsync(form) : undefined}>
      <CheckboxField
        label="Block posting during certain hours"
        checked={form.enabled}
        onChange={(enabled) => setForm({ ...form, enabled })}
      />
      <Stack direction="row" sx={{ gap: 3, width: 1 }}>
        {(['startTime', 'endTime'] as const).map((name) => (
          <TextField
            key={name}
            type="time"
            label={name === 'startTime' ? 'From' : 'To'}
            value={form[name]}
            disabled={!form.enabled}
            onChange={(event) => setForm({ ...form, [name]: event.target.value })}
            slotProps={{ inputLabel: { shrink: true } }}
          />
        ))}
      </Stack>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>Example: 12:00 AM to 6:00 AM blocks midnight to 6 AM. Time zone: {zone}.</Box>
    </Group>
  );
}

function RandomizationGroup({ randomization }: { randomization: QueueStatusView['randomization'] }) {
  const [enabled, setEnabled] = useState(randomization.enabled);
  const [value, setValue] = useState(String(randomization.maxDelayMinutes));
  const save = useSetRandomization();
  const maxDelayMinutes = parseWholeNumber(value, DELAY);
  return (
    <Group
      save={TEXT.saveRandomization}
      saving={save.isPending}
      onSave={maxDelayMinutes !== null ? () => save.mutateAsync({ enabled, maxDelayMinutes }) : undefined}
    >
      <CheckboxField label="Add a random delay" checked={enabled} onChange={setEnabled} />
      <TextField
        type="number"
        label="Maximum random delay (minutes)"
        value={value}
        disabled={!enabled}
        helperText={`${DELAY.min} to ${DELAY.max} minutes`}
        onChange={(event) => setValue(event.target.value)}
        slotProps={{
          htmlInput: { min: DELAY.min, max: DELAY.max },
          // keeps the limits readable while the delay is off
          formHelperText: { sx: { '&.Mui-disabled': { color: 'text.secondary' } } },
        }}
      />
    </Group>
  );
}

function BacklogGroup({ limit }: { limit: number }) {
  const [value, setValue] = useState(String(limit));
  const save = useSetBacklogLimit();
  const number = parseWholeNumber(value, BACKLOG);
  return (
    <Group save={TEXT.backlog.save} saving={save.isPending} onSave={number !== null ? () => save.mutateAsync(number) : undefined}>
      <TextField
        type="number"
        label={TEXT.backlog.label}
        value={value}
        helperText={TEXT.backlog.help}
        onChange={(event) => setValue(event.target.value)}
        slotProps={{ htmlInput: { min: BACKLOG.min, max: BACKLOG.max } }}
      />
    </Group>
  );
}

function UncheckedGroup({ policy }: { policy: UncheckedPolicy }) {
  const [value, setValue] = useState(policy);
  const save = useSetUncheckedPosts();
  return (
    <Group save={TEXT.rights.save} saving={save.isPending} onSave={() => save.mutateAsync(value)}>
      <SelectField
        label={TEXT.rights.label}
        value={value}
        options={[
          ['hold', TEXT.rights.hold],
          ['publish', TEXT.rights.publish],
        ]}
        onChange={(chosen) => setValue(chosen === 'publish' ? 'publish' : 'hold')}
      />
    </Group>
  );
}

/** Interval, blocked hours, random delay, backlog limit and the policy for unchecked reels, saved separately. The keys remount a form when another administrator changes its values. */
export function QueueSettings({ status }: { status: QueueStatusView }) {
  const { enabled, startTime, endTime } = status.timeBlocking;
  const random = status.randomization;
  return (
    <Panel title={TEXT.settings}>
      <Box sx={{ display: 'grid', gap: 7, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(4, minmax(0, 1fr))' } }}>
        <IntervalGroup key={status.intervalMinutes} minutes={status.intervalMinutes} />
        <BlockingGroup key={`${enabled} ${startTime} ${endTime}`} blocking={status.timeBlocking} />
        <RandomizationGroup key={`${random.enabled} ${random.maxDelayMinutes}`} randomization={random} />
        {status.backlogLimit === undefined ? null : <BacklogGroup key={`backlog ${status.backlogLimit}`} limit={status.backlogLimit} />}
        {status.uncheckedPosts === undefined ? null : <UncheckedGroup key={status.uncheckedPosts} policy={status.uncheckedPosts} />}
      </Box>
    </Panel>
  );
}
