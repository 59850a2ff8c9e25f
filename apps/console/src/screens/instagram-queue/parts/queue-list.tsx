import { mdiCalendarBlankOutline } from '@mdi/js';
import type { QueueStatusView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import { errorText } from '../../../data/http/client';
import { useQueue } from '../../../data/instagram-queue/use-queue';
import { QUEUE_TEXT as TEXT } from '../../../text/instagram-queue.text';
import { EmptyState } from '../../../ui/empty-state';
import { LoadErrorBar } from '../../../ui/load-error-bar';
import { LoadingRows } from '../../../ui/loading-rows';
import { PaginationBar } from '../../../ui/pagination-bar';
import { Panel } from '../../../ui/panel';
import type { useQueueAddress } from '../instagram-queue.url';
import { QueueFiltersBar } from './queue-filters';
import { QueueTable } from './queue-table';

interface QueueListProps {
  address: ReturnType<typeof useQueueAddress>;
  status: QueueStatusView | undefined;
}

/** The queue as a table in pages; filters stay in place whatever comes of the question. */
export function QueueList({ address, status }: QueueListProps) {
  const queue = useQueue(address.query);
  const posts = queue.data?.posts;
  return (
    <Panel flush>
      <QueueFiltersBar filters={address.filters} onChange={address.setFilters} />
      {queue.isError ? (
        <Box sx={{ px: 5, pb: 5 }}>
          <LoadErrorBar onRetry={() => void queue.refetch()}>{TEXT.error(errorText(queue.error))}</LoadErrorBar>
        </Box>
      ) : null}
      {queue.isPending ? (
        <Box sx={{ px: 5, pb: 5 }}>
          <LoadingRows rows={5} height={64} label={TEXT.loading} />
        </Box>
      ) : null}
      {posts?.length === 0 ? (
        <EmptyState
          icon={mdiCalendarBlankOutline}
          title={TEXT.empty}
          hint={TEXT.emptyHint}
          action={
            <Button component={Link} to="/admin/processed" variant="outlined">
              {TEXT.toProcessed}
            </Button>
          }
        />
      ) : null}
      {posts !== undefined && posts.length > 0 ? <QueueTable items={posts} status={status} /> : null}
      {queue.data === undefined ? null : <PaginationBar pagination={queue.data.pagination} onPage={address.setPage} />}
    </Panel>
  );
}
