import { mdiImageMultipleOutline, mdiImageSearchOutline } from '@mdi/js';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useCallback, useMemo, useState } from 'react';
import { Selection } from '../../app/bulk/selection';
import { useCompleted } from '../../data/content/use-content';
import { errorText } from '../../data/http/client';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { SELECTION_TEXT } from '../../text/selection.text';
import { EmptyState, LoadErrorState } from '../../ui/empty-state';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { LoadingRows } from '../../ui/loading-rows';
import { Page } from '../../ui/page';
import { filterItems } from './filter-items';
import { BulkActions } from './parts/bulk-actions';
import { ItemActionsProvider } from './parts/item-actions-provider';
import { ItemDialogs } from './parts/item-dialogs';
import { ItemFilters } from './parts/item-filters';
import { PosterWall } from './parts/poster-wall';
import { Reels } from './parts/reels';
import { Steps } from './parts/steps';
import { useProcessedAddress, type OpenDialog, type ProcessedView } from './processed.url';

/** Captioned posts: look at them, edit, queue, post or discard. */
export function ProcessedScreen() {
  return (
    <ItemActionsProvider>
      <Processed />
    </ItemActionsProvider>
  );
}

function Processed() {
  const completed = useCompleted();
  const [address, change] = useProcessedAddress();
  const [selection] = useState(() => new Selection());
  const { search, subreddit, type, posted, view } = address;
  const list = completed.data;
  const all = useMemo(() => list?.data ?? [], [list]);
  const items = useMemo(() => filterItems(all, { search, subreddit, type, posted }), [all, search, subreddit, type, posted]);
  const selectAll = () => selection.all(items.map((item) => item.id));
  const open = useCallback((dialog: OpenDialog, item: string) => change({ dialog, item }), [change]);
  const again = () => void completed.refetch();
  useShortcuts(TEXT.title, [
    { keys: 'mod+a', label: SELECTION_TEXT.all, run: selectAll },
    { keys: 'Escape', label: SELECTION_TEXT.none, run: () => selection.clear() },
    { keys: 'r', label: TEXT.refresh, run: again },
    { keys: 'v', label: `${TEXT.grid} / ${TEXT.reels}`, run: () => change({ view: view === 'grid' ? 'reels' : 'grid', item: '' }) },
  ]);
  return (
    <Page
      title={TEXT.title}
      lead={list === undefined ? undefined : list.complete ? TEXT.ready(all.length) : TEXT.reading(all.length, list.total)}
      actions={
        <>
          <ToggleButtonGroup
            exclusive
            size="small"
            value={view}
            aria-label="View"
            onChange={(_event, next: ProcessedView | null) => next !== null && change({ view: next, item: '' })}
          >
            <ToggleButton value="grid">{TEXT.grid}</ToggleButton>
            <ToggleButton value="reels">{TEXT.reels}</ToggleButton>
          </ToggleButtonGroup>
          <Button variant="outlined" disabled={completed.isFetching} onClick={again}>
            {TEXT.refresh}
          </Button>
        </>
      }
    >
      {completed.isPending ? (
        <LoadingRows rows={8} height={650} label={TEXT.loading} columns="repeat(auto-fill, minmax(220px, 1fr))" />
      ) : null}
      {completed.isError ? (
        <LoadErrorState compact={all.length > 0} title={TEXT.loadError} hint={errorText(completed.error)} onRetry={again} />
      ) : null}
      {completed.isSuccess && all.length === 0 ? <EmptyState icon={mdiImageMultipleOutline} title={TEXT.empty} hint={<Steps />} /> : null}
      {all.length > 0 ? (
        <ItemFilters
          items={all}
          shown={items.length}
          filter={{ search, subreddit, type, posted }}
          onChange={change}
          onSelectAll={selectAll}
        />
      ) : null}
      {all.length > 0 && items.length === 0 ? <EmptyState icon={mdiImageSearchOutline} title={TEXT.nothingFound} /> : null}
      {items.length > 0 && view === 'grid' ? (
        <>
          <PosterWall items={items} selection={selection} onOpen={open} />
          <BulkActions items={items} selection={selection} />
        </>
      ) : null}
      {items.length > 0 && view === 'reels' ? <Reels items={items} address={address} onChange={change} /> : null}
      <ItemDialogs items={all} address={address} onChange={change} />
    </Page>
  );
}
