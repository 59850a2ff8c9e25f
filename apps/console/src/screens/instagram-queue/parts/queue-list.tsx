import { mdiCalendarBlankOutline } from '@mdi/js';
import type { QueueStatusView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Selection } from '../../../app/bulk/selection';
import { errorText } from '../../../data/http/client';
import { useQueue } from '../../../data/instagram-queue/use-queue';
import { QUEUE_TEXT as TEXT } from '../../../text/instagram-queue.text';
import { SELECTION_TEXT } from '../../../text/selection.text';
import { EmptyState } from '../../../ui/empty-state';
import { useShortcuts } from '../../../ui/keyboard/use-shortcuts';
import { LoadErrorBar } from '../../../ui/message-bar';
import { LoadingRows } from '../../../ui/loading-rows';
import { PaginationBar } from '../../../ui/pagination-bar';
import { Panel } from '../../../ui/panel';
import type { useQueueAddress } from '../instagram-queue.url';
import { canPrioritise, canRemove } from '../use-queue-actions';
import { QueueBulk } from './queue-bulk';
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
  const asked = JSON.stringify(address.query);
  // Another page or filter shows other posts: what was selected before is not acted upon unseen.
  const [{ of, selection }, setSelected] = useState(() => ({ of: asked, selection: new Selection() }));
  if (of !== asked) setSelected({ of: asked, selection: new Selection() });
  const selectable = (posts ?? []).filter((item) => canRemove(item) || canPrioritise(item)).map((item) => item._id);
  const selectAll = () => selection.all(selectable);
  useShortcuts(TEXT.title, [
    { keys: 'mod+a', label: SELECTION_TEXT.all, run: selectAll },
    { keys: 'Escape', label: SELECTION_TEXT.none, run: () => selection.clear() },
  ]);
  return (
    <Box>
      <Panel flush>
        <QueueFiltersBar
          filters={address.filters}
          onChange={address.setFilters}
          onSelectAll={selectable.length === 0 ? undefined : selectAll}
        />
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
        {posts !== undefined && posts.length > 0 ? <QueueTable items={posts} status={status} selection={selection} /> : null}
        {queue.data === undefined ? null : <PaginationBar pagination={queue.data.pagination} onPage={address.setPage} />}
      </Panel>
      <QueueBulk items={posts ?? []} selection={selection} />
    </Box>
  );
}
