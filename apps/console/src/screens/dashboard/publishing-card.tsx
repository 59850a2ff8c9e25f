import type { QueueStatusView } from '@autoposter/contracts';
import { Link as RouterLink } from 'react-router-dom';
import { type DayCount, useQueueStatus, useWeek } from '../../data/instagram-queue/use-queue';
import { readPreferences } from '../../preferences/preferences';
import { DASHBOARD_TEXT } from '../../text/dashboard.text';
import { timeUntil, titleText } from '../../ui/format';
import { Panel } from '../../ui/layout';
import { Box, Link, Skeleton, Span } from '../../ui/mui';
import { useNow } from '../../ui/timers';

const TEXT = DASHBOARD_TEXT.publishing;
const WIDTH = 168;
const HEIGHT = 36;
/** Height of two text lines; prevents a layout shift when the data arrives. */
const MIN_CARD_HEIGHT = 40;
const STEP = WIDTH / 7;
const BAR_WIDTH = 16;
const MIN_BAR_HEIGHT = 2;

const dayName = (from: number): string =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: readPreferences().timeZone ?? undefined }).format(from);

interface BarProps {
  x: number;
  y: number;
  height: number;
  color: 'line.main' | 'status.green.dot' | 'status.red.dot';
}

const Bar = ({ color, ...position }: BarProps) => (
  <Box component="rect" {...position} width={BAR_WIDTH} fill="currentColor" sx={{ color }} />
);

function WeekBars({ week }: { week: readonly DayCount[] }) {
  const max = Math.max(1, ...week.map(({ posted, failed }) => posted + failed));
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(MIN_BAR_HEIGHT, (value / max) * HEIGHT));
  const label = week.map(({ from, posted, failed }) => TEXT.day(dayName(from), posted, failed)).join(', ');
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT + MIN_BAR_HEIGHT}`}
      sx={{ width: WIDTH, height: HEIGHT, flexShrink: 0 }}
    >
      {week.map(({ from, posted, failed }, index) => {
        const x = index * STEP + (STEP - BAR_WIDTH) / 2;
        const [green, red] = [heightOf(posted), heightOf(failed)];
        return (
          <g key={from}>
            <Bar x={x} y={HEIGHT} height={MIN_BAR_HEIGHT} color="line.main" />
            <Bar x={x} y={HEIGHT - green} height={green} color="status.green.dot" />
            <Bar x={x} y={Math.max(0, HEIGHT - green - red)} height={red} color="status.red.dot" />
          </g>
        );
      })}
    </Box>
  );
}

function NextPost({ next }: { next: QueueStatusView['nextPost'] }) {
  const now = useNow();
  if (next === null) return TEXT.none;
  return (
    <>
      <Link component={RouterLink} to="/admin/instagram-queue">
        {titleText(next.title)}
      </Link>{' '}
      <Span>{timeUntil(next.scheduledFor, now)}</Span>
    </>
  );
}

export function PublishingCard() {
  const { data: status, isPending: isStatusPending } = useQueueStatus();
  const { data: week, isPending: isWeekPending } = useWeek();
  if (status === undefined && week === undefined && !isStatusPending && !isWeekPending) return null;
  const sum = (name: 'posted' | 'failed') => (week ?? []).reduce((total, day) => total + day[name], 0);
  return (
    <Panel>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 5,
          rowGap: 4,
          alignItems: 'center',
          justifyContent: 'space-between',
          minHeight: MIN_CARD_HEIGHT,
        }}
      >
        <Box sx={{ minWidth: 0, flex: '1 1 260px' }}>
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{TEXT.next}</Box>
          <Box sx={{ fontWeight: 580, overflowWrap: 'anywhere' }}>
            {isStatusPending ? <Skeleton width={240} /> : status === undefined ? TEXT.unknown : <NextPost next={status.nextPost} />}
            {status?.isRunning === false ? <Box sx={{ fontSize: 12, color: 'status.red.text' }}>{TEXT.stopped}</Box> : null}
          </Box>
        </Box>
        {week === undefined ? null : (
          <Box sx={{ display: 'flex', gap: 4, alignItems: 'center', flexWrap: 'wrap' }}>
            <Box sx={{ fontSize: 13 }}>
              <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{TEXT.week}</Box>
              {TEXT.sum(sum('posted'))},{' '}
              <Span sx={sum('failed') > 0 ? { color: 'status.red.text', fontWeight: 600 } : {}}>{TEXT.failed(sum('failed'))}</Span>
            </Box>
            <WeekBars week={week} />
          </Box>
        )}
      </Box>
    </Panel>
  );
}
