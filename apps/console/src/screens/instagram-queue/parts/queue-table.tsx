import type { QueueItem, QueueStatusView } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import TableCell from '@mui/material/TableCell';
import { Link as RouterLink } from 'react-router-dom';
import { itemPath } from '../../../app/item-path';
import { QUEUE_TEXT as TEXT } from '../../../text/instagram-queue.text';
import { ITEM_TEXT } from '../../../text/item.text';
import { DataTable, type Column } from '../../../ui/data-table';
import { moment, timeUntil } from '../../../ui/format';
import { Poster } from '../../../ui/poster';
import { StatusPill } from '../../../ui/status-pill';
import { useNow } from '../../../ui/use-now';
import { rulesOf } from '../calendar/move-rules';
import { titleOf, useQueueActions, waits } from '../use-queue-actions';
import { ItemActions } from './item-actions';
import { ItemTrouble } from './item-trouble';
import { PriorityField } from './priority-field';
import { WhyTime } from './why-time';

const COLUMNS: readonly Column[] = [
  { name: 'Post' },
  { name: 'Status' },
  { name: 'Scheduled For' },
  { name: 'Time Until' },
  { name: 'Priority' },
  { name: 'Source' },
  { name: 'Actions' },
];

function PostCell({ item, timeZone }: { item: QueueItem; timeZone: string }) {
  return (
    <Stack direction="row" sx={{ gap: 3, minWidth: 0 }}>
      <Poster src={item.posterUrl} width={32} />
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box sx={{ fontWeight: 570 }}>{titleOf(item)}</Box>
        <Box className="tabular" sx={{ fontSize: 12, color: 'text.secondary' }}>
          {item.postData.mediaType} · queued {moment(item.scheduling.queuedAt)}
          {item.itemId === undefined ? null : (
            <>
              {' · '}
              <Link component={RouterLink} to={itemPath(item.itemId)}>
                {ITEM_TEXT.way}
              </Link>
            </>
          )}
        </Box>
        <ItemTrouble item={item} timeZone={timeZone} />
      </Box>
    </Stack>
  );
}

export function QueueTable({ items, status }: { items: readonly QueueItem[]; status: QueueStatusView | undefined }) {
  const now = useNow();
  const rules = rulesOf(status);
  const { timeZone } = rules;
  const actions = useQueueActions(timeZone);
  return (
    <Box sx={{ '& td, & th': { px: { md: 2.5 } } }}>
      <DataTable
        label={TEXT.title}
        columns={COLUMNS}
        rows={items}
        keyOf={(item) => item._id}
        render={(item) => {
          const { scheduledFor } = item.scheduling;
          return (
            <>
              <TableCell sx={{ minWidth: { md: 240 } }}>
                <PostCell item={item} timeZone={timeZone} />
              </TableCell>
              <TableCell>
                <StatusPill status={item.status} />
              </TableCell>
              <TableCell className="tabular">
                <Box sx={{ minWidth: { md: 96 } }}>
                  {scheduledFor === null ? TEXT.notScheduled : moment(scheduledFor, { timeZone, zone: true }).replaceAll('-', '\u2011')}
                </Box>
                {waits(item) && scheduledFor !== null ? <WhyTime item={item} status={status} /> : null}
              </TableCell>
              <TableCell className="tabular">{timeUntil(waits(item) ? scheduledFor : null, now)}</TableCell>
              <TableCell>
                <PriorityField key={item.priority} item={item} actions={actions} />
              </TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>
                {item.sourceData.subreddit === null ? TEXT.unknownSource : `r/${item.sourceData.subreddit}`}
              </TableCell>
              <TableCell sx={{ minWidth: { md: 190 } }}>
                <ItemActions item={item} rules={rules} actions={actions} />
              </TableCell>
            </>
          );
        }}
      />
    </Box>
  );
}
