import Box from '@mui/material/Box';
import { useEffect, useRef } from 'react';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { clockText, dayName, dayNumber, dayOf, minuteOf, weekOf } from './calendar-days';
import type { ViewProps } from './view-props';
import { HOUR_HEIGHT, topOf, WeekColumn } from './week-column';

const TEXT = QUEUE_TEXT.calendar;
const GUTTER = 52;
const FIRST_HOUR_SHOWN = 7;

/** Seven days with their hours; posts lie at their time. */
export function WeekView({ day, byDay, rules, now, context }: ViewProps) {
  const week = weekOf(day);
  const scroller = useRef<HTMLDivElement>(null);
  const today = dayOf(new Date(now), rules.timeZone);
  const draft = context.mover.draft;
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
            {dayName(one)}{' '}
            <Box component="span" className="tabular" sx={{ fontSize: 16, color: one === today ? 'accent.text' : 'text.primary' }}>
              {dayNumber(one)}
            </Box>
          </Box>
        ))}
      </Box>
      <Box sx={columns}>
        <Box aria-hidden className="tabular" sx={{ fontSize: 11, color: 'text.secondary', textAlign: 'right', pr: 2 }}>
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
