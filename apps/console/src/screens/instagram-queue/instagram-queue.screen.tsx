import { mdiCalendarBlankOutline } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { errorText } from '../../data/http/client';
import { useQueue, useQueueStatistics, useQueueStatus } from '../../data/instagram-queue/use-queue';
import { QUEUE_TEXT as TEXT } from '../../text/instagram-queue.text';
import { EmptyState } from '../../ui/empty-state';
import { LoadingRows } from '../../ui/loading-rows';
import { MessageBar } from '../../ui/message-bar';
import { Page } from '../../ui/page';
import { PaginationBar } from '../../ui/pagination-bar';
import { Panel } from '../../ui/panel';
import { QueueFiltersBar } from './parts/queue-filters';
import { QueueSettings } from './parts/queue-settings';
import { QueueNumbers } from './parts/queue-numbers';
import { QueueStatusPanel } from './parts/queue-status-panel';
import { QueueTable } from './parts/queue-table';
import { useQueueAddress } from './instagram-queue.url';

/** What is posted when, and the rules for it. */
export function InstagramQueueScreen() {
  const address = useQueueAddress();
  const [settings, setSettings] = useState(false);
  const status = useQueueStatus();
  const statistics = useQueueStatistics();
  const queue = useQueue(address.query);
  const list = queue.data?.posts ?? [];
  const failure = queue.error ?? status.error;
  const refresh = () => {
    for (const query of [status, statistics, queue]) void query.refetch();
  };
  return (
    <Page
      title={TEXT.title}
      lead={status.data === undefined ? undefined : `Times of blocked hours are in ${status.data.timeBlocking.timeZone ?? 'UTC'}.`}
      actions={
        <>
          <Button variant="outlined" aria-expanded={settings} onClick={() => setSettings(!settings)}>
            {TEXT.settings}
          </Button>
          <Button variant="outlined" disabled={queue.isFetching} onClick={refresh}>
            {TEXT.refresh}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {failure === null ? null : <MessageBar tone="red">{TEXT.error(errorText(failure))}</MessageBar>}
        {status.data === undefined ? null : <QueueStatusPanel status={status.data} />}
        {settings && status.data !== undefined ? <QueueSettings status={status.data} /> : null}
        {statistics.data === undefined ? null : <QueueNumbers statistics={statistics.data} />}
        {queue.isPending ? <LoadingRows rows={5} height={64} label={TEXT.loading} /> : null}
        {queue.isSuccess ? (
          <Panel flush>
            <QueueFiltersBar filters={address.filters} onChange={address.setFilters} />
            {list.length === 0 ? (
              <EmptyState icon={mdiCalendarBlankOutline} title={TEXT.empty} hint={TEXT.emptyHint} />
            ) : (
              <QueueTable items={list} timeZone={status.data?.timeBlocking.timeZone} />
            )}
            <PaginationBar pagination={queue.data.pagination} onPage={address.setPage} />
          </Panel>
        ) : null}
      </Box>
    </Page>
  );
}
