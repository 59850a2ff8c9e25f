import type { QueueItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import { QUEUE_TEXT as TEXT } from '../../../text/instagram-queue.text';
import { formatDateTime } from '../../../ui/format';

/** What is in the way of a post: its failure and what to do, an outcome that nobody knows, or what it waits for. */
export function ItemTrouble({ item, timeZone }: { item: QueueItem; timeZone: string }) {
  const { failure, waiting, outcome } = item;
  return (
    <>
      {outcome === 'unknown' ? <Box sx={{ fontSize: 12, color: 'status.orange.text' }}>{TEXT.unknown}</Box> : null}
      {waiting === null || waiting === undefined ? null : (
        <Box sx={{ fontSize: 12, color: 'status.orange.text' }}>
          {TEXT.waits(waiting.reason, waiting.until === null ? null : formatDateTime(waiting.until, { timeZone, zone: true }))}
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
