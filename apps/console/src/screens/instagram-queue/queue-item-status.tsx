import type { QueueItem, QueueStatusView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { useId, useState } from 'react';
import { useQueuePreview } from '../../data/instagram-queue/use-queue';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';
import { formatDateTime } from '../../ui/format';

/** The scheduling rules, for a post beyond the slots that the server explains. */
function rulesText(item: QueueItem, status: QueueStatusView | undefined): string {
  if (item.scheduling.pinned === true) return QUEUE_TEXT.why.pinned;
  if (status === undefined) return '';
  const { intervalMinutes, randomization, timeBlocking: blocked } = status;
  const parts = [QUEUE_TEXT.why.interval(intervalMinutes)];
  if (randomization.enabled) parts.push(QUEUE_TEXT.why.delay(randomization.maxDelayMinutes));
  if (blocked.enabled) parts.push(QUEUE_TEXT.why.blocked(`${blocked.startTime}–${blocked.endTime}`, blocked.timeZone ?? 'UTC'));
  return `${parts.join(', ')}.`;
}

/** Explains on demand why a post has its scheduled time. */
export function ScheduleReason({ item, status }: { item: QueueItem; status: QueueStatusView | undefined }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const preview = useQueuePreview(open);
  const explanation = preview.data?.slots.find((slot) => slot.queueItemId === item._id)?.why.text;
  return (
    <Box sx={{ fontSize: 12 }}>
      <ButtonBase
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        sx={{
          minHeight: 24,
          justifyContent: 'flex-start',
          textAlign: 'left',
          whiteSpace: 'nowrap',
          borderRadius: 1,
          fontSize: 12,
          fontWeight: 540,
          color: 'accent.text',
          textDecoration: 'underline',
        }}
      >
        {QUEUE_TEXT.why.open}
      </ButtonBase>
      <Box id={id} role="status" sx={{ color: 'text.secondary', maxWidth: 260, whiteSpace: 'normal' }}>
        {open && !preview.isPending ? (explanation ?? rulesText(item, status)) : null}
      </Box>
    </Box>
  );
}

/** Why a post is not published: an unconfirmed result, a wait, or a failure with its next action. */
export function QueueItemProblems({ item, timeZone }: { item: QueueItem; timeZone: string }) {
  const { failure, waiting, outcome } = item;
  return (
    <>
      {outcome === 'unknown' ? <Box sx={{ fontSize: 12, color: 'status.orange.text' }}>{QUEUE_TEXT.unknown}</Box> : null}
      {waiting === null || waiting === undefined ? null : (
        <Box sx={{ fontSize: 12, color: 'status.orange.text' }}>
          {QUEUE_TEXT.waits(waiting.reason, waiting.until === null ? null : formatDateTime(waiting.until, { timeZone, zone: true }))}
        </Box>
      )}
      {failure === null || failure === undefined ? null : (
        <Box sx={{ fontSize: 12, color: 'status.red.text' }}>
          {failure.message} {failure.nextAction}
        </Box>
      )}
    </>
  );
}
