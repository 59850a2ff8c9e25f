import Box from '@mui/material/Box';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { DAY_MINUTES, dayOf, longDay, minuteOf } from './calendar-days';
import { blockedBands } from './move-rules';
import { CHIP_HEIGHT, Ghost, QueueChip } from './queue-chip';
import { draftOn, type DayProps } from './view-props';
import { stackOut } from './stack-out';

const TEXT = QUEUE_TEXT.calendar;
/** Pixels. */
export const HOUR_HEIGHT = 52;
const DAY_HEIGHT = HOUR_HEIGHT * 24;
const CHIP_MINUTES = ((CHIP_HEIGHT + 2) / DAY_HEIGHT) * DAY_MINUTES;

/** Pixels from midnight. */
export const topOf = (minute: number): number => (minute / DAY_MINUTES) * DAY_HEIGHT;

const hatch = (colour: string) => `repeating-linear-gradient(135deg, ${colour} 0 1px, transparent 1px 7px)`;

/** One day of the week view: what has passed, what is blocked, and the posts at their times. */
export function WeekColumn({ day, items, rules, now, context }: DayProps) {
  const { timeZone } = rules;
  const today = dayOf(new Date(now), timeZone);
  const pastUntil = day < today ? DAY_MINUTES : day === today ? minuteOf(new Date(now), timeZone) : 0;
  const laid = stackOut(items, timeZone, CHIP_MINUTES);
  const ghost = draftOn(context, day);
  return (
    <Box
      data-day={day}
      role="group"
      aria-label={TEXT.dayLabel(longDay(day), laid.length)}
      sx={{
        position: 'relative',
        height: DAY_HEIGHT,
        borderLeft: 1,
        borderColor: 'line.main',
        backgroundImage: (theme) =>
          `repeating-linear-gradient(to bottom, ${theme.vars?.palette.line.main ?? ''} 0 1px, transparent 1px ${HOUR_HEIGHT}px)`,
      }}
    >
      {pastUntil > 0 ? (
        <Box
          sx={{ position: 'absolute', insetInline: 0, top: 0, bgcolor: 'sunken.main', opacity: 0.75 }}
          style={{ height: topOf(pastUntil) }}
        />
      ) : null}
      {blockedBands(rules).map(([from, until]) => (
        <Box
          key={from}
          data-blocked
          sx={{
            position: 'absolute',
            insetInline: 0,
            backgroundImage: (theme) => hatch(theme.vars?.palette.line.strong ?? ''),
            opacity: 0.5,
          }}
          style={{ top: topOf(from), height: topOf(until - from) }}
        />
      ))}
      {day === today ? (
        <Box
          sx={{ position: 'absolute', insetInline: 0, height: 2, bgcolor: 'primary.main', zIndex: 1 }}
          style={{ top: topOf(pastUntil) }}
        />
      ) : null}
      {laid.map(({ item, minute }) => (
        <Box key={item._id} sx={{ position: 'absolute', insetInline: 0, zIndex: 2, px: '2px' }} style={{ top: topOf(minute) }}>
          <QueueChip item={item} context={context} />
        </Box>
      ))}
      {ghost === null ? null : (
        <Box
          sx={{ position: 'absolute', insetInline: 2, zIndex: 4, pointerEvents: 'none' }}
          style={{ top: topOf(minuteOf(ghost.at, timeZone)) }}
        >
          <Ghost draft={ghost} timeZone={timeZone} />
        </Box>
      )}
    </Box>
  );
}
