import type { QueueItem, QueueStatusView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { useId, useState } from 'react';
import { useQueuePreview } from '../../../data/instagram-queue/use-queue';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';

const TEXT = QUEUE_TEXT.why;

/** The rules behind a time, for a post further back than the server explains. */
function rulesInWords(item: QueueItem, status: QueueStatusView | undefined): string {
  if (item.scheduling.pinned === true) return TEXT.pinned;
  if (status === undefined) return '';
  const { intervalMinutes, randomization, timeBlocking: blocked } = status;
  const parts = [TEXT.interval(intervalMinutes)];
  if (randomization.enabled) parts.push(TEXT.delay(randomization.maxDelayMinutes));
  if (blocked.enabled) parts.push(TEXT.blocked(`${blocked.startTime}–${blocked.endTime}`, blocked.timeZone ?? 'UTC'));
  return `${parts.join(', ')}.`;
}

/** Tells on a press why a post goes out when it does. */
export function WhyTime({ item, status }: { item: QueueItem; status: QueueStatusView | undefined }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const preview = useQueuePreview(open);
  const told = preview.data?.slots.find((slot) => slot.queueItemId === item._id)?.why.text;
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
        {TEXT.open}
      </ButtonBase>
      <Box id={id} role="status" sx={{ color: 'text.secondary', maxWidth: 260, whiteSpace: 'normal' }}>
        {open && !preview.isPending ? (told ?? rulesInWords(item, status)) : null}
      </Box>
    </Box>
  );
}
