import { useEffect, useRef } from 'react';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { clockText, type Day, DAY_MINUTES, dayName, dayNumber, dayOf, longDay, minuteOf, monthOf, weekOf } from './calendar-days';
import { CalendarItem, DropPreview, ITEM_HEIGHT } from './calendar-item';
import { type DayProps, draftOnDay, layOutDay, type ViewProps } from './calendar-layout';
import { blockedBands } from './move-rules';
import { Box, ButtonBase, Span } from '../../../ui/mui';

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

/** Pixels. */
const HOUR_HEIGHT = 52;
const DAY_HEIGHT = HOUR_HEIGHT * 24;
const ITEM_MINUTES = ((ITEM_HEIGHT + 2) / DAY_HEIGHT) * DAY_MINUTES;

const topOf = (minute: number): number => (minute / DAY_MINUTES) * DAY_HEIGHT;

const hatch = (colour: string) => `repeating-linear-gradient(135deg, ${colour} 0 1px, transparent 1px 7px)`;

function WeekColumn({ day, items, rules, now, context }: DayProps) {
  const { timeZone } = rules;
  const today = dayOf(new Date(now), timeZone);
  const pastUntil = day < today ? DAY_MINUTES : day === today ? minuteOf(new Date(now), timeZone) : 0;
  const positioned = layOutDay(items, timeZone, ITEM_MINUTES);
  const preview = draftOnDay(context, day);
  return (
    <Box
      data-day={day}
      role="group"
      aria-label={TEXT.dayLabel(longDay(day), positioned.length)}
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
      {positioned.map(({ item, minute }) => (
        <Box key={item._id} sx={{ position: 'absolute', insetInline: 0, zIndex: 2, px: '2px' }} style={{ top: topOf(minute) }}>
          <CalendarItem item={item} context={context} />
        </Box>
      ))}
      {preview === null ? null : (
        <Box
          sx={{ position: 'absolute', insetInline: 2, zIndex: 4, pointerEvents: 'none' }}
          style={{ top: topOf(minuteOf(preview.at, timeZone)) }}
        >
          <DropPreview draft={preview} timeZone={timeZone} />
        </Box>
      )}
    </Box>
  );
}

const GUTTER = 52;
const FIRST_HOUR_SHOWN = 7;

export function WeekView({ day, byDay, rules, now, context }: ViewProps) {
  const week = weekOf(day);
  const scroller = useRef<HTMLDivElement>(null);
  const today = dayOf(new Date(now), rules.timeZone);
  const draft = context.movement.draft;
  const focusMinute = draft?.by === 'keys' ? minuteOf(draft.at, rules.timeZone) : null;
  const firstHour = useRef(week.includes(today) ? Math.max(0, minuteOf(new Date(now), rules.timeZone) / 60 - 2) : FIRST_HOUR_SHOWN);
  useEffect(() => {
    scroller.current?.scrollTo?.({ top: firstHour.current * HOUR_HEIGHT });
  }, []);
  useEffect(() => {
    const box = scroller.current;
    if (box === null || focusMinute === null) return;
    const [top, low] = [topOf(focusMinute) - HOUR_HEIGHT, topOf(focusMinute) + HOUR_HEIGHT];
    if (top < box.scrollTop || low > box.scrollTop + box.clientHeight) box.scrollTo?.({ top });
  }, [focusMinute]);
  const columns = { display: 'grid', gridTemplateColumns: `${GUTTER}px repeat(7, minmax(0, 1fr))` } as const;
  return (
    <Box
      ref={scroller}
      data-scrolls=""
      tabIndex={0}
      role="region"
      aria-label={TEXT.label}
      sx={{ maxHeight: '68vh', overflow: 'auto', scrollbarGutter: 'stable' }}
    >
      <Box
        sx={{ ...columns, position: 'sticky', top: 0, zIndex: 5, bgcolor: 'background.paper', borderBottom: 1, borderColor: 'line.main' }}
      >
        <span />
        {week.map((one) => (
          <Box key={one} sx={{ px: 2, py: 2, fontSize: 12, color: one === today ? 'accent.text' : 'text.secondary', fontWeight: 600 }}>
            {dayName(one)} <Span sx={{ fontSize: 16, color: one === today ? 'accent.text' : 'text.primary' }}>{dayNumber(one)}</Span>
          </Box>
        ))}
      </Box>
      <Box sx={columns}>
        <Box aria-hidden sx={{ fontSize: 11, color: 'text.secondary', textAlign: 'right', pr: 2 }}>
          {Array.from({ length: 24 }, (_none, hour) => (
            <Box key={hour} sx={{ height: HOUR_HEIGHT, lineHeight: 1, pt: 0.5 }}>
              {clockText(hour * 60)}
            </Box>
          ))}
        </Box>
        {week.map((one) => (
          <WeekColumn key={one} day={one} items={byDay.get(one) ?? []} rules={rules} now={now} context={context} />
        ))}
      </Box>
    </Box>
  );
}
