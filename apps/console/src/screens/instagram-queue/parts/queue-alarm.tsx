import type { QueueStatusView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { errorText } from '../../../data/http/client';
import { useSetQueue } from '../../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { formatDateTime } from '../../../ui/format';
import { MessageBar } from '../../../ui/message-bar';
import { notify } from '../../../ui/notifications';
import { useNow } from '../../../ui/use-now';

const TEXT = QUEUE_TEXT.alarm;
const onError = (error: unknown) => notify.failure(QUEUE_TEXT.error(errorText(error)));

const Words = ({ first, rest }: { first: string; rest: (string | null | undefined)[] }) => (
  <>
    <strong>{first}</strong>
    {rest.map((text) => (text === null || text === undefined || text === '' ? null : <Box key={text}>{text}</Box>))}
  </>
);

/** Why nothing goes out though it should, and what helps. Absent while all is well, and while publishing is paused, which every screen says. */
export function QueueAlarm({ status }: { status: QueueStatusView }) {
  const now = useNow();
  const start = useSetQueue();
  const { hold, isRunning, nextPost, paused, timeBlocking } = status;
  if (paused === true) return null;
  if (hold !== null && hold !== undefined) {
    const until =
      hold.until === null ? null : TEXT.until(formatDateTime(hold.until, { timeZone: timeBlocking.timeZone ?? 'UTC', zone: true }));
    return (
      <MessageBar tone={hold.until === null ? 'red' : 'orange'}>
        <Words first={TEXT.waits} rest={[hold.reason, hold.nextAction, until]} />
      </MessageBar>
    );
  }
  const due = typeof nextPost?.scheduledFor === 'string' && Date.parse(nextPost.scheduledFor) <= now;
  if (isRunning || !due) return null;
  return (
    <MessageBar
      tone="red"
      action={
        <Button size="small" variant="outlined" loading={start.isPending} onClick={() => start.mutate(true, { onError })}>
          {QUEUE_TEXT.start}
        </Button>
      }
    >
      <Words first={TEXT.stopped} rest={[TEXT.stoppedHint]} />
    </MessageBar>
  );
}
