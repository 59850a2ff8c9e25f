import { LIMITS, type QueueStatusView, type UncheckedPolicy } from '@autoposter/contracts';
import { type ReactNode, useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import {
  useSetBacklogLimit,
  useSetEqualFailures,
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

const { intervalMinutes: INTERVAL, maxDelayMinutes: DELAY, backlogLimit: BACKLOG, equalFailures: EQUAL } = LIMITS.queue;
const INTERVAL_TEXT = { label: 'Posting interval (minutes)', help: TEXT.intervalHelp, save: TEXT.save };

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

interface NumberGroupProps {
  stored: number;
  range: { min: number; max: number };
  text: { label: string; help: string; save: string };
  useSave: () => { isPending: boolean; mutateAsync: (change: { from: number; to: number }) => Promise<unknown> };
}

/** A setting that is one whole number. */
function NumberGroup({ stored, range, text, useSave }: NumberGroupProps) {
  const [value, setValue] = useState(String(stored));
  const save = useSave();
  const number = parseWholeNumber(value, range);
  return (
    <Group
      save={text.save}
      saving={save.isPending}
      onSave={number !== null ? () => save.mutateAsync({ from: stored, to: number }) : undefined}
    >
      <TextField
        type="number"
        label={text.label}
        value={value}
        helperText={text.help}
        onChange={(event) => setValue(event.target.value)}
        slotProps={{ htmlInput: { min: range.min, max: range.max } }}
      />
    </Group>
  );
}

function BlockingGroup({ blocking }: { blocking: QueueStatusView['timeBlocking'] }) {
  const { timeZone: zone = 'UTC', ...stored } = blocking;
  const [form, setForm] = useState(stored);
  const save = useSetTimeBlocking();
  const acceptable = form.startTime !== '' && form.endTime !== '';
  return (
    <Group
      save={TEXT.saveTime}
      saving={save.isPending}
      onSave={acceptable ? () => save.mutateAsync({ ...form, replaces: stored }) : undefined}
    >
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
      onSave={maxDelayMinutes !== null ? () => save.mutateAsync({ enabled, maxDelayMinutes, replaces: randomization }) : undefined}
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

function UncheckedGroup({ policy }: { policy: UncheckedPolicy }) {
  const [value, setValue] = useState(policy);
  const save = useSetUncheckedPosts();
  return (
    <Group save={TEXT.rights.save} saving={save.isPending} onSave={() => save.mutateAsync({ from: policy, to: value })}>
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

/** Saved separately. The keys remount a form when another administrator changes its values. */
export function QueueSettings({ status }: { status: QueueStatusView }) {
  const { enabled, startTime, endTime } = status.timeBlocking;
  const random = status.randomization;
  const limits = [
    ['backlog', status.backlogLimit, BACKLOG, useSetBacklogLimit],
    ['equalFailures', status.equalFailures, EQUAL, useSetEqualFailures],
  ] as const;
  return (
    <Panel title={TEXT.settings}>
      <Box sx={{ display: 'grid', gap: 7, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(4, minmax(0, 1fr))' } }}>
        <NumberGroup
          key={status.intervalMinutes}
          stored={status.intervalMinutes}
          range={INTERVAL}
          text={INTERVAL_TEXT}
          useSave={useSetInterval}
        />
        <BlockingGroup key={`${enabled} ${startTime} ${endTime}`} blocking={status.timeBlocking} />
        <RandomizationGroup key={`${random.enabled} ${random.maxDelayMinutes}`} randomization={random} />
        {limits.map(([name, stored, range, useSave]) =>
          stored === undefined ? null : (
            <NumberGroup key={`${name} ${stored}`} stored={stored} range={range} text={TEXT[name]} useSave={useSave} />
          ),
        )}
        {status.uncheckedPosts === undefined ? null : <UncheckedGroup key={status.uncheckedPosts} policy={status.uncheckedPosts} />}
      </Box>
    </Panel>
  );
}
