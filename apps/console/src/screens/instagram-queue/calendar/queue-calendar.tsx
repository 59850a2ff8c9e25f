import { mdiChevronLeft, mdiChevronRight } from '@mdi/js';
import type { QueueItem, QueueStatusView } from '@autoposter/contracts';
import { useId, useMemo, useRef, useState } from 'react';
import { errorText } from '../../../data/http/client';
import { useQueueCalendar } from '../../../data/instagram-queue/use-queue';
import { serverNow } from '../../../store/clock';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { VISUALLY_HIDDEN } from '../../../theme/tokens';
import { ActionButton } from '../../../ui/actions';
import { LoadErrorBar, LoadingRows } from '../../../ui/feedback';
import { Icon } from '../../../ui/icons';
import { Panel } from '../../../ui/layout';
import { Box, IconButton, Span, Stack, Typography, useMediaQuery } from '../../../ui/mui';
import { useNow } from '../../../ui/timers';
import { QueueItemDialog } from '../queue-item';
import { useQueueActions } from '../use-queue-actions';
import { addDays, addMonths, type Day, dayOf, longDay, monthOf, monthTitle, weekOf, weekTitle } from './calendar-days';
import { type CalendarContext, CalendarItem, DropPreview } from './calendar-item';
import { groupByDay, type ViewProps } from './calendar-layout';
import { MonthView, WeekView } from './calendar-views';
import { blockedBands, type QueueRules, rulesOf } from './move-rules';
import { useMoveItem } from './use-move-item';

const TEXT = QUEUE_TEXT.calendar;
const WEEK = 7;

interface CalendarToolbarProps {
  view: 'week' | 'month';
  day: Day;
  rules: QueueRules;
  onGo: (to: { day: Day }) => void;
}

function CalendarToolbar({ view, day, rules, onGo }: CalendarToolbarProps) {
  const step = (by: 1 | -1) => onGo({ day: view === 'week' ? addDays(day, by * WEEK) : addMonths(day, by) });
  const { blocking, timeZone } = rules;
  return (
    <Stack direction="row" sx={{ px: 5, pt: 4, pb: 2, gap: 2, rowGap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      <IconButton aria-label={TEXT.earlier[view]} onClick={() => step(-1)}>
        <Icon path={mdiChevronLeft} />
      </IconButton>
      <ActionButton small label={TEXT.today} onClick={() => onGo({ day: dayOf(new Date(serverNow()), timeZone) })} />
      <IconButton aria-label={TEXT.later[view]} onClick={() => step(1)}>
        <Icon path={mdiChevronRight} />
      </IconButton>
      <Typography variant="h2" aria-live="polite" sx={{ mr: 'auto' }}>
        {view === 'week' ? weekTitle(day) : monthTitle(day)}
      </Typography>
      <Box sx={{ fontSize: 12, color: 'text.secondary', display: 'flex', gap: 3, alignItems: 'center', flexWrap: 'wrap' }}>
        {blockedBands(rules).length === 0 ? null : (
          <Span sx={{ display: 'inline-flex', gap: 1.5, alignItems: 'center' }}>
            <Span
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
          </Span>
        )}
        <span>{TEXT.zone(timeZone)}</span>
      </Box>
    </Stack>
  );
}

/** Pending posts without a time; hidden if there are none. */
function UnscheduledPosts({ items, context }: { items: readonly QueueItem[]; context: CalendarContext }) {
  const unscheduled = items.filter((item) => item.status === 'pending' && item.scheduling.scheduledFor === null);
  if (unscheduled.length === 0) return null;
  return (
    <Box role="group" aria-label={TEXT.unscheduled} sx={{ px: 5, pb: 4 }}>
      <Typography component="p" variant="h3">
        {TEXT.unscheduled}
      </Typography>
      <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 2 }}>{TEXT.unscheduledHint}</Box>
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
        {unscheduled.map((item) => (
          <CalendarItem key={item._id} item={item} context={context} />
        ))}
      </Box>
    </Box>
  );
}

/** The days with posts as a list; replaces the grid in narrow windows. */
function AgendaView({ days, byDay, context }: Pick<ViewProps, 'byDay' | 'context'> & { days: readonly Day[] }) {
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
              <CalendarItem key={item._id} item={item} context={context} style={{ height: 44, fontSize: 13 }} />
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

interface QueueCalendarProps {
  view: 'week' | 'month';
  /** A day of the visible week or month; `null` means today. */
  day: Day | null;
  status: QueueStatusView | undefined;
  onGo: (to: { view?: 'week' | 'month'; day?: Day }) => void;
}

/** The queue as a calendar. Posts are moved by drag, keyboard, or their dialog. */
export function QueueCalendar({ view, day, status, onGo }: QueueCalendarProps) {
  const queue = useQueueCalendar();
  const now = useNow();
  const narrow = useMediaQuery('(max-width: 720px)');
  const rules = rulesOf(status);
  const actions = useQueueActions(rules.timeZone);
  const [openId, setOpenId] = useState<string | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const at = day ?? dayOf(new Date(now), rules.timeZone);
  const days = view === 'week' ? weekOf(at) : monthOf(at).flat();
  const show = (time: Date) => {
    const target = dayOf(time, rules.timeZone);
    const inRange = view === 'week' ? days.includes(target) : target.slice(0, 7) === at.slice(0, 7);
    if (!inRange) onGo({ day: target });
  };
  const movement = useMoveItem({ view, rules, actions, show, frame });
  const posts = queue.data?.posts;
  const items = useMemo(() => posts ?? [], [posts]);
  const byDay = useMemo(() => groupByDay(items, rules.timeZone), [items, rules.timeZone]);
  if (queue.isPending) return <LoadingRows rows={6} height={84} label={TEXT.loading} />;
  const context: CalendarContext = { timeZone: rules.timeZone, movement, onOpen: (item: QueueItem) => setOpenId(item._id), hintId };
  const shared = { byDay, rules, now, context };
  const opened = items.find((item) => item._id === openId);
  return (
    <Panel flush>
      <Box
        ref={frame}
        tabIndex={-1}
        role="group"
        aria-label={TEXT.label}
        onKeyDown={movement.onKeyDown}
        sx={{ outline: 'none', '&:focus-visible': { outline: 'none' } }}
      >
        <CalendarToolbar view={view} day={at} rules={rules} onGo={onGo} />
        <Box id={hintId} sx={narrow ? VISUALLY_HIDDEN : { px: 5, pb: 3, fontSize: 12, color: 'text.secondary' }}>
          {TEXT.hint[view]}
        </Box>
        <Box role="status" aria-live="assertive" sx={VISUALLY_HIDDEN}>
          {movement.announcement}
        </Box>
        {queue.isError ? (
          <Box sx={{ px: 5, pb: 4 }}>
            <LoadErrorBar onRetry={() => void queue.refetch()}>{QUEUE_TEXT.error(errorText(queue.error))}</LoadErrorBar>
          </Box>
        ) : null}
        <UnscheduledPosts items={items} context={context} />
        {narrow ? <AgendaView byDay={byDay} context={context} days={days} /> : null}
        {narrow && movement.draft !== null ? (
          <Box sx={{ position: 'sticky', bottom: 8, mx: 5 }}>
            <DropPreview whole draft={movement.draft} timeZone={rules.timeZone} />
          </Box>
        ) : null}
        {!narrow && view === 'week' ? <WeekView {...shared} day={at} /> : null}
        {!narrow && view === 'month' ? <MonthView {...shared} day={at} onWeek={(one) => onGo({ view: 'week', day: one })} /> : null}
        {queue.data?.truncated === true ? <Box sx={{ px: 5, py: 3, fontSize: 12, color: 'text.secondary' }}>{TEXT.cut}</Box> : null}
      </Box>
      {opened === undefined ? null : (
        <QueueItemDialog item={opened} rules={rules} actions={actions} status={status} onClose={() => setOpenId(null)} />
      )}
    </Panel>
  );
}
