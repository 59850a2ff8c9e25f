import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { dayName, dayNumber, dayOf, longDay, monthOf, type Day } from './calendar-days';
import { DropPreview, CalendarItem } from './calendar-item';
import { draftOnDay, type DayProps, type ViewProps } from './calendar-layout';

const TEXT = QUEUE_TEXT.calendar;
const SHOWN = 3;

interface CellProps extends DayProps {
  month: string;
  onWeek: (day: Day) => void;
}

function Cell({ day, items, rules, now, context, month, onWeek }: CellProps) {
  const today = dayOf(new Date(now), rules.timeZone);
  const shown = items.length > SHOWN + 1 ? items.slice(0, SHOWN) : items;
  const preview = draftOnDay(context, day);
  const other = !day.startsWith(month);
  return (
    <Box
      data-day={day}
      role="group"
      aria-label={TEXT.dayLabel(longDay(day), items.length)}
      sx={{
        minWidth: 0,
        minHeight: 116,
        p: 1,
        display: 'grid',
        gap: 0.75,
        alignContent: 'start',
        gridTemplateColumns: 'minmax(0, 1fr)',
        bgcolor: day < today ? 'sunken.main' : 'background.paper',
      }}
    >
      <Box
        className="tabular"
        sx={{
          width: 26,
          height: 22,
          borderRadius: 999,
          display: 'grid',
          placeItems: 'center',
          fontSize: 12,
          fontWeight: 600,
          color: day === today ? 'primary.contrastText' : other ? 'text.secondary' : 'text.primary',
          bgcolor: day === today ? 'primary.main' : 'transparent',
        }}
      >
        {dayNumber(day)}
      </Box>
      {shown.map((item) => (
        <CalendarItem key={item._id} item={item} context={context} />
      ))}
      {items.length > shown.length ? (
        <ButtonBase
          onClick={() => onWeek(day)}
          sx={{
            justifyContent: 'flex-start',
            minHeight: 24,
            px: 1.5,
            fontSize: 12,
            fontWeight: 580,
            borderRadius: 1.5,
            color: 'text.secondary',
          }}
        >
          {TEXT.more(items.length - shown.length)}
        </ButtonBase>
      ) : null}
      {preview === null ? null : <DropPreview draft={preview} timeZone={rules.timeZone} />}
    </Box>
  );
}

export function MonthView({ onWeek, byDay, ...view }: ViewProps & { onWeek: (day: Day) => void }) {
  const { day } = view;
  const weeks = monthOf(day);
  return (
    <Box
      role="region"
      aria-label={TEXT.label}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(7, minmax(0, 1fr))',
        gap: '1px',
        bgcolor: 'line.main',
        borderTop: 1,
        borderColor: 'line.main',
      }}
    >
      {(weeks[0] ?? []).map((one) => (
        <Box
          key={one}
          aria-hidden
          sx={{ bgcolor: 'background.paper', px: 2, py: 1.5, fontSize: 12, fontWeight: 600, color: 'text.secondary' }}
        >
          {dayName(one)}
        </Box>
      ))}
      {weeks.flat().map((one) => (
        <Cell key={one} {...view} day={one} items={byDay.get(one) ?? []} month={day.slice(0, 7)} onWeek={onWeek} />
      ))}
    </Box>
  );
}
