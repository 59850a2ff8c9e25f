import type { QueueItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import TableCell from '@mui/material/TableCell';
import { errorText } from '../../../data/http/client';
import { useRemoveFromQueue } from '../../../data/instagram-queue/use-change-queue';
import { QUEUE_TEXT as TEXT } from '../../../text/instagram-queue.text';
import { DataTable, type Column } from '../../../ui/data-table';
import { moment, timeUntil } from '../../../ui/format';
import { notify } from '../../../ui/notices/notice-store';
import { Poster } from '../../../ui/poster';
import { StatusPill } from '../../../ui/status-pill';
import { useNow } from '../../../ui/use-now';
import { PriorityField } from './priority-field';
import { SettleOutcome } from './settle-outcome';

const COLUMNS: readonly Column[] = [
  { name: 'Post', width: '34%' },
  { name: 'Status' },
  { name: 'Scheduled For' },
  { name: 'Time Until' },
  { name: 'Priority' },
  { name: 'Source' },
  { name: 'Actions' },
];

function PostCell({ item }: { item: QueueItem }) {
  const title = item.sourceData.postTitle;
  return (
    <Stack direction="row" sx={{ gap: 3, minWidth: 0 }}>
      <Poster src={item.posterUrl} width={32} />
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ fontWeight: 570 }}>{title === null || title === '' ? TEXT.untitled : title}</Box>
        <Box className="tabular" sx={{ fontSize: 12, color: 'text.secondary' }}>
          {item.postData.mediaType} · queued {moment(item.scheduling.queuedAt)}
        </Box>
        {item.outcome === 'unknown' ? <Box sx={{ fontSize: 12, color: 'status.orange.text' }}>{TEXT.unknown}</Box> : null}
        {item.failure === null || item.failure === undefined ? null : (
          <Box sx={{ fontSize: 12, color: 'status.red.text' }}>
            {item.failure.message} {item.failure.nextAction}
          </Box>
        )}
      </Box>
    </Stack>
  );
}

/** Whether its time is still to come; only then it may be taken out. */
const waits = (item: QueueItem): boolean => item.status === 'pending' || item.status === 'scheduled';

function Actions({ item }: { item: QueueItem }) {
  const remove = useRemoveFromQueue();
  const original = item.sourceData.originalRedditUrl;
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      {waits(item) ? (
        <Button
          size="small"
          variant="outlined"
          loading={remove.isPending}
          onClick={() => remove.mutate(item._id, { onError: (error) => notify.failure(TEXT.error(errorText(error))) })}
        >
          Remove
        </Button>
      ) : null}
      {item.outcome === 'unknown' ? <SettleOutcome item={item} /> : null}
      {original === null ? null : (
        <Link href={original} target="_blank" rel="noreferrer" variant="body2">
          Original
        </Link>
      )}
    </Stack>
  );
}

export function QueueTable({ items, timeZone }: { items: readonly QueueItem[]; timeZone?: string | undefined }) {
  const now = useNow();
  const zone = timeZone === undefined ? {} : { timeZone };
  return (
    <DataTable
      label={TEXT.title}
      columns={COLUMNS}
      rows={items}
      keyOf={(item) => item._id}
      render={(item) => (
        <>
          <TableCell>
            <PostCell item={item} />
          </TableCell>
          <TableCell>
            <StatusPill status={item.status} />
          </TableCell>
          <TableCell className="tabular">
            {item.scheduling.scheduledFor === null ? TEXT.notScheduled : moment(item.scheduling.scheduledFor, { ...zone, zone: true })}
          </TableCell>
          <TableCell className="tabular">{timeUntil(waits(item) ? item.scheduling.scheduledFor : null, now)}</TableCell>
          <TableCell>
            <PriorityField key={item.priority} item={item} />
          </TableCell>
          <TableCell>{item.sourceData.subreddit === null ? TEXT.unknownSource : `r/${item.sourceData.subreddit}`}</TableCell>
          <TableCell>
            <Actions item={item} />
          </TableCell>
        </>
      )}
    />
  );
}
