import type { QueueStatusView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { errorText } from '../../../data/http/client';
import { useSetQueue } from '../../../data/instagram-queue/use-change-queue';
import { usePublishing, useSetPublishing } from '../../../data/publishing/use-publishing';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { moment } from '../../../ui/format';
import { MessageBar } from '../../../ui/message-bar';
import { notify } from '../../../ui/notices/notice-store';
import { useNow } from '../../../ui/use-now';

const TEXT = QUEUE_TEXT.alarm;
const onError = (error: unknown) => notify.failure(QUEUE_TEXT.error(errorText(error)));

const Words = ({ first, rest }: { first: string; rest: (string | null | undefined)[] }) => (
  <>
    <strong>{first}</strong>
    {rest.map((text) => (text === null || text === undefined || text === '' ? null : <Box key={text}>{text}</Box>))}
  </>
);

/** Why nothing goes out though it should, and the button that helps. Absent while all is well. */
export function QueueAlarm({ status }: { status: QueueStatusView }) {
  const now = useNow();
  const start = useSetQueue();
  const resume = useSetPublishing();
  const publishing = usePublishing().data;
  const { hold, isRunning, nextPost, timeBlocking } = status;
  const due = nextPost !== null && nextPost.scheduledFor !== null && Date.parse(nextPost.scheduledFor) <= now;
  const byItself = hold?.cause === 'token' || hold?.cause === 'account';
  if (hold !== null && hold !== undefined && hold.cause !== 'person') {
    const until = hold.until === null ? null : TEXT.until(moment(hold.until, { timeZone: timeBlocking.timeZone ?? 'UTC', zone: true }));
    return (
      <MessageBar
        tone={byItself ? 'red' : 'orange'}
        action={
          byItself && publishing?.paused === true ? (
            <Button size="small" color="inherit" loading={resume.isPending} onClick={() => resume.mutate(false, { onError })}>
              {TEXT.resume}
            </Button>
          ) : undefined
        }
      >
        <Words first={byItself ? TEXT.held : TEXT.waits} rest={[hold.reason, hold.nextAction, until]} />
      </MessageBar>
    );
  }
  if (status.paused === true) return due ? <MessageBar tone="red">{TEXT.paused}</MessageBar> : null;
  if (isRunning || !due) return null;
  return (
    <MessageBar
      tone="red"
      action={
        <Button size="small" color="inherit" loading={start.isPending} onClick={() => start.mutate(true, { onError })}>
          {QUEUE_TEXT.start}
        </Button>
      }
    >
      <Words first={TEXT.stopped} rest={[TEXT.stoppedHint]} />
    </MessageBar>
  );
}
