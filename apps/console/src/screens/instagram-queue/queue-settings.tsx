import { LIMITS, type QueueStatusView } from '@autoposter/contracts';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../data/http/client';
import { useSetInterval, useSetRandomization, useSetTimeBlocking } from '../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT as TEXT } from '../../text/instagram-queue.text';
import { parseWholeNumber } from '../../ui/format';
import { Box, Button, Checkbox, FormControlLabel, Stack, TextField } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { Panel } from '../../ui/layout';

const { intervalMinutes: INTERVAL, maxDelayMinutes: DELAY } = LIMITS.queue;
/** Notifies from the promise, not from mutation callbacks: saving remounts the form, and callbacks of an unmounted component do not run. */
const notifyResult = (saving: Promise<unknown>): void =>
  void saving.then(
    () => notify.success('Settings saved'),
    (error: unknown) => notify.failure(TEXT.error(errorText(error))),
  );

const Group = ({ children }: { children: ReactNode }) => (
  <Stack sx={{ gap: 3.5, alignItems: 'flex-start', minWidth: 0, '& > :last-child': { mt: 'auto' } }}>{children}</Stack>
);
const CheckboxField = ({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) => (
  <FormControlLabel label={label} control={<Checkbox checked={on} onChange={(event) => onChange(event.target.checked)} />} />
);

function IntervalGroup({ minutes }: { minutes: number }) {
  const [value, setValue] = useState(String(minutes));
  const save = useSetInterval();
  const number = parseWholeNumber(value, INTERVAL);
  return (
    <Group>
      <TextField
        type="number"
        label="Posting interval (minutes)"
        value={value}
        helperText={TEXT.intervalHelp}
        onChange={(event) => setValue(event.target.value)}
        slotProps={{ htmlInput: { min: INTERVAL.min, max: INTERVAL.max } }}
      />
      <Button
        variant="contained"
        disabled={number === null}
        loading={save.isPending}
        onClick={() => number !== null && notifyResult(save.mutateAsync(number))}
      >
        {TEXT.save}
      </Button>
    </Group>
  );
}

function BlockingGroup({ blocking }: { blocking: QueueStatusView['timeBlocking'] }) {
  const [form, setForm] = useState({ enabled: blocking.enabled, startTime: blocking.startTime, endTime: blocking.endTime });
  const save = useSetTimeBlocking();
  const zone = blocking.timeZone ?? 'UTC';
  const acceptable = form.startTime !== '' && form.endTime !== '';
  return (
    <Group>
      <CheckboxField label="Block posting during certain hours" on={form.enabled} onChange={(enabled) => setForm({ ...form, enabled })} />
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
      <Button variant="contained" disabled={!acceptable} loading={save.isPending} onClick={() => notifyResult(save.mutateAsync(form))}>
        {TEXT.saveTime}
      </Button>
    </Group>
  );
}

function RandomizationGroup({ randomization }: { randomization: QueueStatusView['randomization'] }) {
  const [enabled, setEnabled] = useState(randomization.enabled);
  const [value, setValue] = useState(String(randomization.maxDelayMinutes));
  const save = useSetRandomization();
  const maxDelayMinutes = parseWholeNumber(value, DELAY);
  return (
    <Group>
      <CheckboxField label="Add a random delay" on={enabled} onChange={setEnabled} />
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
      <Button
        variant="contained"
        disabled={maxDelayMinutes === null}
        loading={save.isPending}
        onClick={() => maxDelayMinutes !== null && notifyResult(save.mutateAsync({ enabled, maxDelayMinutes }))}
      >
        {TEXT.saveRandomization}
      </Button>
    </Group>
  );
}

/** Interval, blocked hours and random delay, saved separately. The keys remount a form when another administrator changes its values. */
export function QueueSettings({ status }: { status: QueueStatusView }) {
  const { enabled, startTime, endTime } = status.timeBlocking;
  const random = status.randomization;
  return (
    <Panel title={TEXT.settings}>
      <Box sx={{ display: 'grid', gap: 7, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(3, minmax(0, 1fr))' } }}>
        <IntervalGroup key={status.intervalMinutes} minutes={status.intervalMinutes} />
        <BlockingGroup key={`${enabled} ${startTime} ${endTime}`} blocking={status.timeBlocking} />
        <RandomizationGroup key={`${random.enabled} ${random.maxDelayMinutes}`} randomization={random} />
      </Box>
    </Panel>
  );
}
