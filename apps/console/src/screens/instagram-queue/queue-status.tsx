import type { QueueStatusView } from '@autoposter/contracts';
import type { ReactNode } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { useSetQueue } from '../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';
import { ActionButton } from '../../ui/actions';
import { count, formatDateTime, timeUntil, titleText } from '../../ui/format';
import { MessageBar } from '../../ui/feedback';
import { Box, Span, Stack } from '../../ui/mui';
import { Panel } from '../../ui/layout';
import { StatusPill } from '../../ui/status';
import { useNow } from '../../ui/timers';

const setQueue = (change: Promise<unknown>) => void notifyResult(change, null, QUEUE_TEXT.error);

const AlertText = ({ first, rest }: { first: string; rest: (string | null | undefined)[] }) => (
  <>
    <strong>{first}</strong>
    {rest.map((text) => (text === null || text === undefined || text === '' ? null : <Box key={text}>{text}</Box>))}
  </>
);

/** Why due posts are not published, and what to do. Hidden while publishing is paused: the shell shows a banner for that. */
export function QueueAlert({ status }: { status: QueueStatusView }) {
  const now = useNow();
  const start = useSetQueue();
  const { hold, isRunning, nextPost, paused, timeBlocking } = status;
  if (paused === true) return null;
  if (hold !== null && hold !== undefined) {
    const until =
      hold.until === null
        ? null
        : QUEUE_TEXT.alert.until(formatDateTime(hold.until, { timeZone: timeBlocking.timeZone ?? 'UTC', zone: true }));
    return (
      <MessageBar tone={hold.until === null ? 'red' : 'orange'}>
        <AlertText first={QUEUE_TEXT.alert.waits} rest={[hold.reason, hold.nextAction, until]} />
      </MessageBar>
    );
  }
  const due = typeof nextPost?.scheduledFor === 'string' && Date.parse(nextPost.scheduledFor) <= now;
  if (isRunning || !due) return null;
  return (
    <MessageBar
      tone="red"
      action={<ActionButton small label={QUEUE_TEXT.start} loading={start.isPending} onClick={() => setQueue(start.mutateAsync(true))} />}
    >
      <AlertText first={QUEUE_TEXT.alert.stopped} rest={[QUEUE_TEXT.alert.stoppedHint]} />
    </MessageBar>
  );
}

const Cell = ({ name, grow = false, children }: { name: string; grow?: boolean; children: ReactNode }) => (
  <Box sx={{ minWidth: 120, ...(grow ? { flex: '1 1 200px' } : {}) }}>
    <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 1 }}>{name}</Box>
    <Box sx={{ fontWeight: 580, minHeight: 24, overflowWrap: 'anywhere' }}>{children}</Box>
  </Box>
);

export function QueueStatusPanel({ status }: { status: QueueStatusView }) {
  const set = useSetQueue();
  const now = useNow();
  const { isRunning, nextPost } = status;
  const flip = () => setQueue(set.mutateAsync(!isRunning));
  return (
    <Panel>
      <Stack direction="row" sx={{ flexWrap: 'wrap', columnGap: 9, rowGap: 4, alignItems: 'center' }}>
        <Cell name={QUEUE_TEXT.status}>
          <StatusPill
            status={isRunning ? 'running' : 'stopped'}
            tone={isRunning ? 'green' : 'grey'}
            label={isRunning ? QUEUE_TEXT.running : QUEUE_TEXT.stopped}
          />
        </Cell>
        <Cell name={QUEUE_TEXT.interval}>{status.intervalMinutes} minutes</Cell>
        <Cell name={QUEUE_TEXT.next} grow>
          {nextPost === null ? (
            <Box sx={{ color: 'text.secondary', fontWeight: 450 }}>None</Box>
          ) : (
            <>
              {titleText(nextPost.title)} <Span sx={{ color: 'accent.text' }}>{timeUntil(nextPost.scheduledFor, now)}</Span>
            </>
          )}
        </Cell>
        {status.totalInQueue > 0 ? <Cell name={QUEUE_TEXT.inQueue}>{count(status.totalInQueue)}</Cell> : null}
        <ActionButton
          label={isRunning ? QUEUE_TEXT.stop : QUEUE_TEXT.start}
          variant={isRunning ? 'outlined' : 'contained'}
          loading={set.isPending}
          onClick={flip}
        />
      </Stack>
    </Panel>
  );
}
