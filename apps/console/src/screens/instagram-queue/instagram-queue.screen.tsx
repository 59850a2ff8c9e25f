import { mdiCalendarMonthOutline, mdiCalendarWeekOutline, mdiFormatListBulleted } from '@mdi/js';
import { LIMITS, type QueueStatistics } from '@autoposter/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { AccountSelect } from '../../app/account-select';
import { keys } from '../../data/http/cache';
import { errorText } from '../../data/http/client';
import { useLastSlot, useQueueStatistics, useQueueStatus } from '../../data/instagram-queue/use-queue';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';
import { ActionButton, RefreshButton } from '../../ui/actions';
import { LoadErrorBar, LoadingRows } from '../../ui/feedback';
import { ToggleChoice } from '../../ui/fields';
import { count, formatDateTime } from '../../ui/format';
import { Icon } from '../../ui/icons';
import { Page, Stat, StatGrid } from '../../ui/layout';
import { FailureCauses } from './failure-causes';
import { QueueList } from './queue-list';
import { QueueSettings } from './queue-settings';
import { QueueAlert, QueueStatusPanel } from './queue-status';
import { QUEUE_VIEWS, type QueueView, useQueueUrlState } from './queue-url';
import { Box, Skeleton, Stack } from '../../ui/mui';

const ICONS: Record<QueueView, string> = { list: mdiFormatListBulleted, week: mdiCalendarWeekOutline, month: mdiCalendarMonthOutline };

const VIEWS = QUEUE_VIEWS.map(
  (one) =>
    [
      one,
      <>
        <Icon path={ICONS[one]} />
        {QUEUE_TEXT.views[one]}
      </>,
    ] as const,
);

const SHOWN_FROM = 0.05;
/** One decimal; a positive value never shows as 0.0. */
const hours = (value: number): string => (value < SHOWN_FROM ? '< 0.1 h' : `${value.toFixed(1)} h`);

function QueueStatisticsGrid({ statistics }: { statistics: QueueStatistics }) {
  const { totalPosts, pendingPosts, completedPosts, failedPosts, averageQueueTimeHours } = statistics;
  return (
    <StatGrid>
      <Stat label="Total Posts" value={count(totalPosts)} />
      <Stat label="Pending" value={count(pendingPosts)} />
      <Stat label="Posted" value={count(completedPosts)} />
      <Stat label="Failed" value={count(failedPosts)} {...(failedPosts > 0 ? { tone: 'red' as const } : {})} />
      {averageQueueTimeHours > 0 ? <Stat label="Avg Queue Time" value={hours(averageQueueTimeHours)} /> : null}
    </StatGrid>
  );
}

const QueueCalendar = lazy(async () => ({ default: (await import('./calendar/queue-calendar')).QueueCalendar }));

/** Placeholder heights of status and statistics; they prevent a layout shift when the data arrives. */
const PANEL_PX = { xs: 224, md: 106 };
const STATISTICS_PX = { xs: 262, md: 77 };
const PanelSkeleton = ({ height }: { height: typeof PANEL_PX }) => <Skeleton variant="rounded" sx={{ height, bgcolor: 'sunken.main' }} />;

function QueueEndEstimate({ timeZone }: { timeZone: string }) {
  const last = useLastSlot().data;
  if (last === null || last === undefined) return null;
  return <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{QUEUE_TEXT.emptyAt(formatDateTime(last, { timeZone, zone: true }))}</Box>;
}

export function InstagramQueueScreen() {
  const urlState = useQueueUrlState();
  const { view, day, go } = urlState;
  const [settings, setSettings] = useState(false);
  const client = useQueryClient();
  const status = useQueueStatus();
  const statistics = useQueueStatistics();
  const error = status.error ?? statistics.error;
  const refresh = () => client.invalidateQueries({ queryKey: [keys.queue] });
  const timeZone = status.data?.timeBlocking.timeZone ?? 'UTC';
  const waiting = status.data?.totalInQueue ?? 0;
  // further posts have no slot yet
  const hasEnd = waiting > 0 && waiting <= LIMITS.queue.plannedAhead;
  return (
    <Page
      title={QUEUE_TEXT.title}
      lead={status.data === undefined ? <>&nbsp;</> : QUEUE_TEXT.zone(timeZone)}
      actions={
        <>
          <AccountSelect />
          <ActionButton label={QUEUE_TEXT.settings} aria-expanded={settings} onClick={() => setSettings(!settings)} />
          <RefreshButton label={QUEUE_TEXT.refresh} onRefresh={refresh} />
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {error === null ? null : <LoadErrorBar onRetry={() => void refresh()}>{QUEUE_TEXT.error(errorText(error))}</LoadErrorBar>}
        {status.data === undefined ? null : <QueueAlert status={status.data} />}
        {status.isPending ? <PanelSkeleton height={PANEL_PX} /> : null}
        {status.data === undefined ? null : <QueueStatusPanel status={status.data} />}
        {settings && status.data !== undefined ? <QueueSettings status={status.data} /> : null}
        {statistics.isPending ? <PanelSkeleton height={STATISTICS_PX} /> : null}
        {statistics.data === undefined ? null : <QueueStatisticsGrid statistics={statistics.data} />}
        {(statistics.data?.failedPosts ?? 0) > 0 ? <FailureCauses /> : null}
        <Stack direction="row" sx={{ gap: 4, alignItems: 'center', flexWrap: 'wrap' }}>
          <ToggleChoice
            label={QUEUE_TEXT.views.label}
            value={view}
            options={VIEWS}
            onChange={(next) => next !== null && go({ view: next })}
          />
          {hasEnd ? <QueueEndEstimate timeZone={timeZone} /> : null}
        </Stack>
        {view === 'list' ? (
          <QueueList urlState={urlState} status={status.data} />
        ) : (
          <Suspense fallback={<LoadingRows rows={6} height={84} label={QUEUE_TEXT.calendar.loading} />}>
            <QueueCalendar view={view} day={day} status={status.data} onGo={go} />
          </Suspense>
        )}
      </Box>
    </Page>
  );
}
