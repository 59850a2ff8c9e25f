import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { errorText } from '../../data/http/client';
import { keys } from '../../data/http/keys';
import { useLastSlot, useQueueStatistics, useQueueStatus } from '../../data/instagram-queue/use-queue';
import { QUEUE_TEXT as TEXT } from '../../text/instagram-queue.text';
import { moment } from '../../ui/format';
import { LoadingRows } from '../../ui/loading-rows';
import { MessageBar } from '../../ui/message-bar';
import { Page } from '../../ui/page';
import { QueueAlarm } from './parts/queue-alarm';
import { QueueList } from './parts/queue-list';
import { QueueNumbers } from './parts/queue-numbers';
import { QueueSettings } from './parts/queue-settings';
import { QueueStatusPanel } from './parts/queue-status-panel';
import { ViewChoice } from './parts/view-choice';
import { useQueueAddress } from './instagram-queue.url';

const QueueCalendar = lazy(async () => ({ default: (await import('./calendar/calendar')).QueueCalendar }));

function Lead({ timeZone }: { timeZone: string }) {
  const last = useLastSlot().data;
  return (
    <>
      {TEXT.zone(timeZone)}
      {last === null || last === undefined ? null : ` ${TEXT.emptyAt(moment(last, { timeZone }))}`}
    </>
  );
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
  return (
    <Page
      title={TEXT.title}
      lead={status.data === undefined ? undefined : <Lead timeZone={status.data.timeBlocking.timeZone ?? 'UTC'} />}
      actions={
        <>
          <ViewChoice view={view} onChange={(next) => go({ view: next })} />
          <Button variant="outlined" aria-expanded={settings} onClick={() => setSettings(!settings)}>
            {TEXT.settings}
          </Button>
          <Button variant="outlined" disabled={fetching} onClick={() => void client.invalidateQueries({ queryKey: [keys.queue] })}>
            {TEXT.refresh}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {status.isError ? <MessageBar tone="red">{TEXT.error(errorText(status.error))}</MessageBar> : null}
        {status.data === undefined ? null : <QueueAlarm status={status.data} />}
        {status.data === undefined ? null : <QueueStatusPanel status={status.data} />}
        {settings && status.data !== undefined ? <QueueSettings status={status.data} /> : null}
        {statistics.data === undefined ? null : <QueueNumbers statistics={statistics.data} />}
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
