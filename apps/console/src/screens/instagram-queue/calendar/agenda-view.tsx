import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { longDay, type Day } from './calendar-days';
import { QueueChip } from './queue-chip';
import type { ViewProps } from './view-props';

const TEXT = QUEUE_TEXT.calendar;

/** The days that have posts, one below the other: the calendar of a narrow window. */
export function AgendaView({ days, byDay, context }: Pick<ViewProps, 'byDay' | 'context'> & { days: readonly Day[] }) {
  const full = days.map((day) => ({ day, items: byDay.get(day) ?? [] })).filter((one) => one.items.length > 0);
  return (
    <Box role="region" aria-label={TEXT.label} sx={{ display: 'grid', gap: 4, px: 5, pb: 5 }}>
      {full.length === 0 ? <Box sx={{ color: 'text.secondary', fontSize: 13 }}>{TEXT.noPosts}</Box> : null}
      {full.map((one) => (
        <Box key={one.day} role="group" aria-label={TEXT.dayLabel(longDay(one.day), one.items.length)}>
          <Typography component="p" variant="h3" aria-hidden sx={{ mb: 1.5 }}>
            {longDay(one.day)}
          </Typography>
          <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
            {one.items.map((item) => (
              <QueueChip key={item._id} item={item} context={context} style={{ height: 44, fontSize: 13 }} />
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
