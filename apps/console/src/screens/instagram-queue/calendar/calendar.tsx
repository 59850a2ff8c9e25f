import type { QueueItem, QueueStatusView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useId, useMemo, useRef, useState } from 'react';
import { errorText } from '../../../data/http/client';
import { useQueueCalendar } from '../../../data/instagram-queue/use-queue';
import { QUEUE_TEXT } from '../../../text/instagram-queue.text';
import { VISUALLY_HIDDEN } from '../../../theme/tokens';
import { LoadErrorBar } from '../../../ui/message-bar';
import { LoadingRows } from '../../../ui/loading-rows';
import { Panel } from '../../../ui/panel';
import { useNow } from '../../../ui/use-now';
import { useQueueActions } from '../use-queue-actions';
import { AgendaView } from './agenda-view';
import { dayOf, monthOf, weekOf, type Day } from './calendar-days';
import { CalendarBar } from './calendar-bar';
import { ItemDialog } from './item-dialog';
import { MonthView } from './month-view';
import { rulesOf } from './move-rules';
import { Ghost, type ChipContext } from './queue-chip';
import { Tray } from './tray';
import { useMover } from './use-mover';
import { groupByDay } from './view-props';
import { WeekView } from './week-view';

const TEXT = QUEUE_TEXT.calendar;

interface QueueCalendarProps {
  view: 'week' | 'month';
  /** A day of the week or month on show; `null` = today. */
  day: Day | null;
  status: QueueStatusView | undefined;
  onGo: (to: { view?: 'week' | 'month'; day?: Day }) => void;
}

/** The queue by time. A post is moved by dragging it, with the keyboard, or from its dialog. */
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
  const mover = useMover({ view, rules, actions, show, frame });
  const posts = queue.data?.posts;
  const items = useMemo(() => posts ?? [], [posts]);
  const byDay = useMemo(() => groupByDay(items, rules.timeZone), [items, rules.timeZone]);
  if (queue.isPending) return <LoadingRows rows={6} height={84} label={TEXT.loading} />;
  const context: ChipContext = { timeZone: rules.timeZone, mover, onOpen: (item: QueueItem) => setOpenId(item._id), hintId };
  const shared = { byDay, rules, now, context };
  const opened = items.find((item) => item._id === openId);
  return (
    <Panel flush>
      <Box
        ref={frame}
        tabIndex={-1}
        role="group"
        aria-label={TEXT.label}
        onKeyDown={mover.onKeyDown}
        sx={{ outline: 'none', '&:focus-visible': { outline: 'none' } }}
      >
        <CalendarBar view={view} day={at} rules={rules} onGo={onGo} />
        <Box id={hintId} sx={narrow ? VISUALLY_HIDDEN : { px: 5, pb: 3, fontSize: 12, color: 'text.secondary' }}>
          {TEXT.hint[view]}
        </Box>
        <Box role="status" aria-live="assertive" sx={VISUALLY_HIDDEN}>
          {mover.said}
        </Box>
        {queue.isError ? (
          <Box sx={{ px: 5, pb: 4 }}>
            <LoadErrorBar onRetry={() => void queue.refetch()}>{QUEUE_TEXT.error(errorText(queue.error))}</LoadErrorBar>
          </Box>
        ) : null}
        <Tray items={items} context={context} />
        {narrow ? <AgendaView byDay={byDay} context={context} days={days} /> : null}
        {narrow && mover.draft !== null ? (
          <Box sx={{ position: 'sticky', bottom: 8, mx: 5 }}>
            <Ghost whole draft={mover.draft} timeZone={rules.timeZone} />
          </Box>
        ) : null}
        {!narrow && view === 'week' ? <WeekView {...shared} day={at} /> : null}
        {!narrow && view === 'month' ? <MonthView {...shared} day={at} onWeek={(one) => onGo({ view: 'week', day: one })} /> : null}
        {queue.data?.cut === true ? <Box sx={{ px: 5, py: 3, fontSize: 12, color: 'text.secondary' }}>{TEXT.cut}</Box> : null}
      </Box>
      {opened === undefined ? null : (
        <ItemDialog item={opened} rules={rules} actions={actions} status={status} onClose={() => setOpenId(null)} />
      )}
    </Panel>
  );
}
