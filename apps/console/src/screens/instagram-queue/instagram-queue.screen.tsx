import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { errorText } from '../../data/http/client';
import { keys } from '../../data/http/cache';
import { useLastSlot, useQueueStatistics, useQueueStatus } from '../../data/instagram-queue/use-queue';
import { QUEUE_TEXT as TEXT } from '../../text/instagram-queue.text';
import { formatDateTime } from '../../ui/format';
import { LoadErrorBar } from '../../ui/message-bar';
import { LoadingRows } from '../../ui/loading-rows';
import { Page } from '../../ui/page';
import { QueueAlarm } from './parts/queue-alarm';
import { QueueList } from './parts/queue-list';
import { QueueNumbers } from './parts/queue-numbers';
import { QueueSettings } from './parts/queue-settings';
import { QueueStatusPanel } from './parts/queue-status-panel';
import { ViewChoice } from './parts/view-choice';
import { useQueueAddress } from './instagram-queue.url';

const QueueCalendar = lazy(async () => ({ default: (await import('./calendar/calendar')).QueueCalendar }));

/** How high status and numbers are, so that the list below does not move when they come. */
const PANEL_PX = { xs: 224, md: 106 };
const NUMBERS_PX = { xs: 262, md: 77 };
const Place = ({ height }: { height: typeof PANEL_PX }) => <Skeleton variant="rounded" sx={{ height, bgcolor: 'sunken.main' }} />;

/** When the last post goes out, so that somebody refills in time. */
function EmptyAt({ timeZone }: { timeZone: string }) {
  const last = useLastSlot().data;
  if (last === null || last === undefined) return null;
  return <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{TEXT.emptyAt(formatDateTime(last, { timeZone, zone: true }))}</Box>;
}

/** What is posted when, and the rules for it. */
export function InstagramQueueScreen() {
  const address = useQueueAddress();
  const { view, day, go } = address;
  const [settings, setSettings] = useState(false);
  const client = useQueryClient();
  const fetching = useIsFetching({ queryKey: [keys.queue] }) > 0;
  const status = useQueueStatus();
  const statistics = useQueueStatistics();
  const error = status.error ?? statistics.error;
  const refresh = () => void client.invalidateQueries({ queryKey: [keys.queue] });
  const timeZone = status.data?.timeBlocking.timeZone ?? 'UTC';
  return (
    <Page
      title={TEXT.title}
      lead={status.data === undefined ? <>&nbsp;</> : TEXT.zone(timeZone)}
      actions={
        <>
          <Button variant="outlined" aria-expanded={settings} onClick={() => setSettings(!settings)}>
            {TEXT.settings}
          </Button>
          <Button variant="outlined" disabled={fetching} onClick={refresh}>
            {TEXT.refresh}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {error === null ? null : <LoadErrorBar onRetry={refresh}>{TEXT.error(errorText(error))}</LoadErrorBar>}
        {status.data === undefined ? null : <QueueAlarm status={status.data} />}
        {status.isPending ? <Place height={PANEL_PX} /> : null}
        {status.data === undefined ? null : <QueueStatusPanel status={status.data} />}
        {settings && status.data !== undefined ? <QueueSettings status={status.data} /> : null}
        {statistics.isPending ? <Place height={NUMBERS_PX} /> : null}
        {statistics.data === undefined ? null : <QueueNumbers statistics={statistics.data} />}
        <Stack direction="row" sx={{ gap: 4, alignItems: 'center', flexWrap: 'wrap' }}>
          <ViewChoice view={view} onChange={(next) => go({ view: next })} />
          {(status.data?.totalInQueue ?? 0) > 0 ? <EmptyAt timeZone={timeZone} /> : null}
        </Stack>
        {view === 'list' ? (
          <QueueList address={address} status={status.data} />
        ) : (
          <Suspense fallback={<LoadingRows rows={6} height={84} label={TEXT.calendar.loading} />}>
            <QueueCalendar view={view} day={day} status={status.data} onGo={go} />
          </Suspense>
        )}
      </Box>
    </Page>
  );
}
