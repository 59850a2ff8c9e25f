import { mdiCalendarBlankOutline } from '@mdi/js';
import { LIMITS, QUEUE_STATUSES, type QueueItem, type QueueStatusView } from '@autoposter/contracts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { BulkBar, Selection, useSelected } from '../../app/bulk/selection';
import { useQueue } from '../../data/instagram-queue/use-queue';
import { QUEUE_TEXT } from '../../text/instagram-queue.text';
import { SELECTION_TEXT } from '../../text/shell.text';
import { SKIPPED_TEXT } from '../../text/skipped-posts.text';
import { ActionButton } from '../../ui/actions';
import { PaginationBar } from '../../ui/data-table';
import { type Question, useConfirm } from '../../ui/dialogs';
import { LoadState } from '../../ui/feedback';
import { SelectField } from '../../ui/fields';
import { capitalised, parseWholeNumber } from '../../ui/format';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { Panel } from '../../ui/layout';
import { QueueTable } from './queue-table';
import type { QueueFilters, useQueueUrlState } from './queue-url';
import { canPrioritise, canRemove, useChangeManyInQueue } from './use-queue-actions';
import { Box, Button, TextField } from '../../ui/mui';

interface QueueFiltersBarProps {
  filters: QueueFilters;
  onChange: (change: Partial<QueueFilters>) => void;
  /** Undefined while nothing is selectable. */
  onSelectAll: (() => void) | undefined;
}

function QueueFiltersBar({ filters, onChange, onSelectAll }: QueueFiltersBarProps) {
  return (
    <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 200px))', p: 5, alignItems: 'center' }}>
      <SelectField
        label="Status"
        value={filters.status}
        options={[['', 'All'], ...QUEUE_STATUSES.map((status): [string, string] => [status, capitalised(status)])]}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label="Sort by"
        value={filters.sortBy}
        options={Object.entries(QUEUE_TEXT.sorts)}
        onChange={(sortBy) => onChange({ sortBy })}
      />
      <SelectField
        label="Order"
        value={filters.sortOrder}
        options={Object.entries(SKIPPED_TEXT.orders)}
        onChange={(sortOrder) => onChange({ sortOrder })}
      />
      <ActionButton
        small
        label={SELECTION_TEXT.all}
        disabled={onSelectAll === undefined}
        onClick={onSelectAll}
        sx={{ justifySelf: 'start' }}
      />
    </Box>
  );
}

const LIMIT = LIMITS.queue.priority;

/** Bulk actions, each confirmed once. Rendered only while posts are selected. */
function QueueBulkActions({ items, selection }: { items: readonly QueueItem[]; selection: Selection }) {
  const ids = useSelected(selection);
  const [typed, setTyped] = useState(String(LIMIT.default));
  const change = useChangeManyInQueue();
  const { confirm, dialog } = useConfirm();
  const chosen = items.filter((item) => ids.has(item._id));
  const removable = chosen.filter(canRemove);
  const open = chosen.filter(canPrioritise);
  const priority = parseWholeNumber(typed, LIMIT);
  const ask = (question: Question, work: () => void) =>
    confirm(question, () => {
      selection.clear();
      work();
    });
  const remove = () =>
    ask(
      {
        question: QUEUE_TEXT.bulk.removeQuestion(removable.length),
        detail: QUEUE_TEXT.bulk.removeDetail,
        confirm: QUEUE_TEXT.actions.remove,
        danger: true,
      },
      () => change.remove(removable),
    );
  const prioritise = (to: number) =>
    ask({ question: QUEUE_TEXT.bulk.priorityQuestion(open.length, to), confirm: QUEUE_TEXT.bulk.setPriority }, () =>
      change.prioritise(open, to),
    );
  return (
    <>
      {chosen.length === 0 ? null : (
        <BulkBar selected={chosen.length} onClear={() => selection.clear()}>
          <TextField
            type="number"
            label={QUEUE_TEXT.priority}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            slotProps={{ htmlInput: { min: LIMIT.min, max: LIMIT.max } }}
            sx={{ width: 84 }}
          />
          <ActionButton
            small
            label={QUEUE_TEXT.bulk.setPriority}
            variant="contained"
            disabled={priority === null || open.length === 0}
            onClick={() => priority !== null && prioritise(priority)}
          />
          <ActionButton small label={QUEUE_TEXT.actions.remove} disabled={removable.length === 0} onClick={remove} />
        </BulkBar>
      )}
      {dialog}
    </>
  );
}

const EMPTY = {
  icon: mdiCalendarBlankOutline,
  title: QUEUE_TEXT.empty,
  hint: QUEUE_TEXT.emptyHint,
  action: (
    <Button component={Link} to="/admin/processed" variant="outlined">
      {QUEUE_TEXT.toProcessed}
    </Button>
  ),
};

/** The queue as a paginated table. The filters stay visible when loading fails. */
export function QueueList({ urlState, status }: { urlState: ReturnType<typeof useQueueUrlState>; status: QueueStatusView | undefined }) {
  const queue = useQueue(urlState.query);
  const posts = queue.data?.posts;
  const asked = JSON.stringify(urlState.query);
  // A new page or filter shows other posts, so the selection starts empty: no action may hit a hidden post.
  const [{ of, selection }, setSelected] = useState(() => ({ of: asked, selection: new Selection() }));
  if (of !== asked) setSelected({ of: asked, selection: new Selection() });
  const selectable = (posts ?? []).filter((item) => canRemove(item) || canPrioritise(item)).map((item) => item._id);
  const selectAll = () => selection.all(selectable);
  useShortcuts(QUEUE_TEXT.title, [
    { keys: 'mod+a', label: SELECTION_TEXT.all, run: selectAll },
    { keys: 'Escape', label: SELECTION_TEXT.none, run: () => selection.clear() },
  ]);
  return (
    <Box>
      <Panel flush>
        <QueueFiltersBar
          filters={urlState.filters}
          onChange={urlState.setFilters}
          onSelectAll={selectable.length === 0 ? undefined : selectAll}
        />
        <LoadState
          inset
          query={queue}
          loading={{ rows: 5, height: 64, label: QUEUE_TEXT.loading }}
          error={QUEUE_TEXT.error}
          empty={posts?.length === 0 && EMPTY}
        />
        {posts !== undefined && posts.length > 0 ? <QueueTable items={posts} status={status} selection={selection} /> : null}
        {queue.data === undefined ? null : <PaginationBar pagination={queue.data.pagination} onPage={urlState.setPage} />}
      </Panel>
      <QueueBulkActions items={posts ?? []} selection={selection} />
    </Box>
  );
}
