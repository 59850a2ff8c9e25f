import type { QueueStatusView } from '@autoposter/contracts';
import { Link as RouterLink } from 'react-router-dom';
import { type DayCount, useQueueStatus, useWeek } from '../../data/instagram-queue/use-queue';
import { DASHBOARD_TEXT } from '../../text/dashboard.text';
import { timeUntil } from '../../ui/format';
import { Panel } from '../../ui/layout';
import { Box, Link, Skeleton, Span } from '../../ui/mui';
import { useNow } from '../../ui/timers';

const TEXT = DASHBOARD_TEXT.publishing;
const WIDTH = 168;
const HEIGHT = 36;
/** Height of two text lines; prevents a layout shift when the data arrives. */
const LEAST_HEIGHT = 40;
const STEP = WIDTH / 7;
const BAR = 16;
const LEAST = 2;

const dayName = (from: number): string => new Intl.DateTimeFormat('en-GB', { weekday: 'short' }).format(from);

function WeekBars({ week }: { week: readonly DayCount[] }) {
  const most = Math.max(1, ...week.map(({ posted, failed }) => posted + failed));
  const high = (value: number) => (value === 0 ? 0 : Math.max(LEAST, (value / most) * HEIGHT));
  const spoken = week.map(({ from, posted, failed }) => TEXT.day(dayName(from), posted, failed)).join(', ');
  return (
    <Box
      component="svg"
      role="img"
      aria-label={spoken}
      viewBox={`0 0 ${WIDTH} ${HEIGHT + LEAST}`}
      sx={{ width: WIDTH, height: HEIGHT, flexShrink: 0 }}
    >
      {week.map(({ from, posted, failed }, index) => {
        const x = index * STEP + (STEP - BAR) / 2;
        const [green, red] = [high(posted), high(failed)];
        return (
          <g key={from}>
            <Box component="rect" x={x} y={HEIGHT} width={BAR} height={LEAST} sx={{ fill: (theme) => theme.vars?.palette.line.main }} />
            <Box
              component="rect"
              x={x}
              y={HEIGHT - green}
              width={BAR}
              height={green}
              sx={{ fill: (theme) => theme.vars?.palette.status.green.dot }}
            />
            <Box
              component="rect"
              x={x}
              y={Math.max(0, HEIGHT - green - red)}
              width={BAR}
              height={red}
              sx={{ fill: (theme) => theme.vars?.palette.status.red.dot }}
            />
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
        {next.title}
      </Link>{' '}
      <Span>{timeUntil(next.scheduledFor, now)}</Span>
    </>
  );
}

export function PublishingCard() {
  const { data: status, isPending: isAsking } = useQueueStatus();
  const { data: week, isPending: isCounting } = useWeek();
  if (status === undefined && week === undefined && !isAsking && !isCounting) return null;
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
          minHeight: LEAST_HEIGHT,
        }}
      >
        <Box sx={{ minWidth: 0, flex: '1 1 260px' }}>
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{TEXT.next}</Box>
          <Box sx={{ fontWeight: 580, overflowWrap: 'anywhere' }}>
            {isAsking ? <Skeleton width={240} /> : status === undefined ? TEXT.unknown : <NextPost next={status.nextPost} />}
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
