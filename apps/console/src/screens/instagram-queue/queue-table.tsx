import type { QueueItem, QueueStatusView } from '@autoposter/contracts';
import type { MouseEvent } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { type Selection, useIsSelected } from '../../app/bulk/selection';
import { itemPath } from '../../app/paths';
import { QUEUE_TEXT as TEXT } from '../../text/instagram-queue.text';
import { ITEM_TEXT } from '../../text/item.text';
import { SELECTION_TEXT } from '../../text/shell.text';
import { type Column, DataTable } from '../../ui/data-table';
import { formatDateTime, timeUntil } from '../../ui/format';
import { Poster } from '../../ui/media';
import { Box, Checkbox, Link, Stack } from '../../ui/mui';
import { StatusPill } from '../../ui/status';
import { useNow } from '../../ui/timers';
import { rulesOf } from './calendar/move-rules';
import { ItemActions, PriorityField, QueueItemProblems, ScheduleReason } from './queue-item';
import { canPrioritise, canRemove, sourceOf, titleOf, useQueueActions, waits } from './use-queue-actions';

interface PostCellProps {
  item: QueueItem;
  timeZone: string;
  selection: Selection;
  /** A click on the check box; Shift selects the range up to this one. */
  onSelect: (id: string, through: boolean) => void;
}

function PostCell({ item, timeZone, selection, onSelect }: PostCellProps) {
  const selected = useIsSelected(selection, item._id);
  return (
    <Stack direction="row" sx={{ gap: 3, minWidth: 0 }}>
      <Checkbox
        checked={selected}
        disabled={!canRemove(item) && !canPrioritise(item)}
        slotProps={{ input: { 'aria-label': SELECTION_TEXT.one(titleOf(item)) } }}
        onClick={(event: MouseEvent) => onSelect(item._id, event.shiftKey)}
        sx={{ p: 0.5, ml: -1, alignSelf: 'flex-start' }}
      />
      <Poster src={item.posterUrl} width={32} />
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box dir="auto" sx={{ fontWeight: 570 }}>
          {titleOf(item)}
        </Box>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
          {item.postData.mediaType} · queued {formatDateTime(item.scheduling.queuedAt, { timeZone })}
          {item.itemId === undefined ? null : (
            <>
              {' · '}
              <Link component={RouterLink} to={itemPath(item.itemId)}>
                {ITEM_TEXT.timeline}
              </Link>
            </>
          )}
        </Box>
        <QueueItemProblems item={item} timeZone={timeZone} />
      </Box>
    </Stack>
  );
}

function Slot({ item, timeZone, status }: { item: QueueItem; timeZone: string; status: QueueStatusView | undefined }) {
  const { scheduledFor } = item.scheduling;
  return (
    <>
      <Box sx={{ minWidth: { md: 96 } }}>
        {/* A hyphen that does not break keeps the date in one piece. */}
        {scheduledFor === null ? TEXT.notScheduled : formatDateTime(scheduledFor, { timeZone, zone: true }).replaceAll('-', '\u2011')}
      </Box>
      {waits(item) && scheduledFor !== null ? <ScheduleReason item={item} status={status} /> : null}
    </>
  );
}

interface QueueTableProps {
  items: readonly QueueItem[];
  status: QueueStatusView | undefined;
  selection: Selection;
}

export function QueueTable({ items, status, selection }: QueueTableProps) {
  const now = useNow();
  const rules = rulesOf(status);
  const { timeZone } = rules;
  const actions = useQueueActions(timeZone);
  const order = items.map((item) => item._id);
  const select = (id: string, through: boolean) => (through ? selection.extendTo(id, order) : selection.toggle(id));
  const columns: Column<QueueItem>[] = [
    {
      name: 'Post',
      sx: { minWidth: { md: 240 } },
      cell: (item) => <PostCell item={item} timeZone={timeZone} selection={selection} onSelect={select} />,
    },
    { name: 'Status', cell: ({ status: state }) => <StatusPill status={state} /> },
    { name: 'Scheduled For', cell: (item) => <Slot item={item} timeZone={timeZone} status={status} /> },
    { name: 'Time Until', cell: (item) => timeUntil(waits(item) ? item.scheduling.scheduledFor : null, now) },
    { name: 'Priority', cell: (item) => <PriorityField key={item.priority} item={item} actions={actions} /> },
    { name: 'Source', sx: { overflowWrap: 'anywhere', minWidth: { md: 124 } }, cell: sourceOf },
    { name: 'Actions', sx: { minWidth: { md: 176 } }, cell: (item) => <ItemActions item={item} rules={rules} actions={actions} /> },
  ];
  return (
    <Box sx={{ '& td, & th': { px: { md: 2 } } }}>
      <DataTable label={TEXT.title} columns={columns} rows={items} keyOf={(item) => item._id} />
    </Box>
  );
}
