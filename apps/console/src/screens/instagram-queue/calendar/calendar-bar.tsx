import { mdiChevronLeft, mdiChevronRight } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { Icon } from '../../../ui/icon';
import { addDays, addMonths, dayOf, monthTitle, weekTitle, type Day } from './calendar-days';
import { blockedBands, type QueueRules } from './move-rules';

const TEXT = QUEUE_TEXT.calendar;
const WEEK = 7;

interface CalendarBarProps {
  view: 'week' | 'month';
  day: Day;
  rules: QueueRules;
  onGo: (to: { day: Day }) => void;
}

/** Which days are on show, and in which zone their hours are. */
export function CalendarBar({ view, day, rules, onGo }: CalendarBarProps) {
  const step = (by: 1 | -1) => onGo({ day: view === 'week' ? addDays(day, by * WEEK) : addMonths(day, by) });
  const { blocking, timeZone } = rules;
  return (
    <Stack direction="row" sx={{ px: 5, pt: 4, pb: 2, gap: 2, rowGap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      <IconButton aria-label={TEXT.earlier[view]} onClick={() => step(-1)}>
        <Icon path={mdiChevronLeft} />
      </IconButton>
      <Button size="small" variant="outlined" onClick={() => onGo({ day: dayOf(new Date(), timeZone) })}>
        {TEXT.today}
      </Button>
      <IconButton aria-label={TEXT.later[view]} onClick={() => step(1)}>
        <Icon path={mdiChevronRight} />
      </IconButton>
      <Typography variant="h2" aria-live="polite" className="tabular" sx={{ mr: 'auto' }}>
        {view === 'week' ? weekTitle(day) : monthTitle(day)}
      </Typography>
      <Box sx={{ fontSize: 12, color: 'text.secondary', display: 'flex', gap: 3, alignItems: 'center', flexWrap: 'wrap' }}>
        {blockedBands(rules).length === 0 ? null : (
          <Box component="span" sx={{ display: 'inline-flex', gap: 1.5, alignItems: 'center' }}>
            <Box
              component="span"
              aria-hidden
              sx={{
                width: 18,
                height: 14,
                borderRadius: 1,
                border: 1,
                borderColor: 'line.main',
                backgroundImage: (theme) =>
                  `repeating-linear-gradient(135deg, ${theme.vars?.palette.line.strong ?? ''} 0 1px, transparent 1px 5px)`,
              }}
            />
            {TEXT.blocked(`${blocking.startTime}–${blocking.endTime}`, timeZone)}
          </Box>
        )}
        <span>{TEXT.zone(timeZone)}</span>
      </Box>
    </Stack>
  );
}
