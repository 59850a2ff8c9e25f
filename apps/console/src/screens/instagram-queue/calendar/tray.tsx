import type { QueueItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { QueueChip, type ChipContext } from './queue-chip';

const TEXT = QUEUE_TEXT.calendar;

/** Posts that wait without a time; absent while there are none. */
export function Tray({ items, context }: { items: readonly QueueItem[]; context: ChipContext }) {
  const loose = items.filter((item) => item.status === 'pending' && item.scheduling.scheduledFor === null);
  if (loose.length === 0) return null;
  return (
    <Box role="group" aria-label={TEXT.tray} sx={{ px: 5, pb: 4 }}>
      <Typography component="p" variant="h3">
        {TEXT.tray}
      </Typography>
      <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 2 }}>{TEXT.trayHint}</Box>
      <Box
        sx={{
          display: 'grid',
          gap: 1.5,
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 220px), 1fr))',
          maxHeight: 180,
          overflowY: 'auto',
          p: '2px',
        }}
      >
        {loose.map((item) => (
          <QueueChip key={item._id} item={item} context={context} />
        ))}
      </Box>
    </Box>
  );
}
