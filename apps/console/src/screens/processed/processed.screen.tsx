import { mdiImageMultipleOutline, mdiImageSearchOutline } from '@mdi/js';
import type { ContentItem } from '@autoposter/contracts';
import { useCallback, useMemo, useState } from 'react';
import { AccountSelect } from '../../app/account-select';
import { Selection } from '../../app/bulk/selection';
import { useCompleted, useContentDetails } from '../../data/content/use-content';
import { PROCESSED_TEXT as TEXT } from '../../text/processed.text';
import { SELECTION_TEXT } from '../../text/shell.text';
import { RefreshButton } from '../../ui/actions';
import { EmptyState, LoadState } from '../../ui/feedback';
import { ToggleChoice } from '../../ui/fields';
import { useShortcuts } from '../../ui/keyboard/use-shortcuts';
import { Page } from '../../ui/layout';
import { ContentGrid } from './content-grid';
import { BulkActions, ItemActionsProvider } from './item-actions';
import { AnalysisDialog, DetailsDialog } from './item-dialogs';
import {
  filterItems,
  ItemFilters,
  type OpenDialog,
  type ProcessedFields,
  type ProcessedUrlState,
  type ProcessedView,
  useProcessedUrlState,
} from './item-filters';
import { Reels } from './reels';
import { Box } from '../../ui/mui';

function PipelineSteps() {
  return (
    <Box component="ol" sx={{ m: 0, mt: 1, pl: 5, textAlign: 'left', display: 'inline-block' }}>
      {TEXT.steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </Box>
  );
}

interface ItemDialogsProps {
  items: readonly ContentItem[];
  urlState: ProcessedUrlState;
  onChange: (change: Partial<ProcessedFields>) => void;
}

/** The dialog named in the URL. It shows the list's data at once and adds the details when they arrive. */
function ItemDialogs({ items, urlState: { item: id, dialog, view }, onChange }: ItemDialogsProps) {
  const details = useContentDetails(dialog === null ? null : id);
  if (dialog === null || id === null) return null;
  const item = details.data ?? items.find((each) => each.id === id) ?? null;
  const close = () => onChange({ dialog: '', ...(view === 'grid' ? { item: '' } : {}) });
  const Dialog = dialog === 'details' ? DetailsDialog : AnalysisDialog;
  return <Dialog item={item} reading={details.isPending} error={details.error} onClose={close} />;
}

export function ProcessedScreen() {
  return (
    <ItemActionsProvider>
      <Processed />
    </ItemActionsProvider>
  );
}

function Processed() {
  const completed = useCompleted();
  const [urlState, change] = useProcessedUrlState();
  const [selection] = useState(() => new Selection());
  const { search, subreddit, type, posted, view } = urlState;
  const list = completed.data;
  const all = useMemo(() => list?.data ?? [], [list]);
  const items = useMemo(() => filterItems(all, { search, subreddit, type, posted }), [all, search, subreddit, type, posted]);
  const selectAll = () => selection.all(items.map((item) => item.id));
  const open = useCallback((dialog: OpenDialog, item: string) => change({ dialog, item }), [change]);
  const refetch = () => void completed.refetch();
  useShortcuts(TEXT.title, [
    { keys: 'mod+a', label: SELECTION_TEXT.all, run: selectAll },
    { keys: 'Escape', label: SELECTION_TEXT.none, run: () => selection.clear() },
    { keys: 'r', label: TEXT.refresh, run: refetch },
    { keys: 'v', label: `${TEXT.grid} / ${TEXT.reels}`, run: () => change({ view: view === 'grid' ? 'reels' : 'grid', item: '' }) },
  ]);
  return (
    <Page
      title={TEXT.title}
      lead={list === undefined ? undefined : list.complete ? TEXT.ready(all.length) : TEXT.reading(all.length, list.total)}
      actions={
        <>
          <AccountSelect />
          <ToggleChoice<ProcessedView>
            label="View"
            value={view}
            options={[
              ['grid', TEXT.grid],
              ['reels', TEXT.reels],
            ]}
            onChange={(next) => next !== null && change({ view: next, item: '' })}
          />
          <RefreshButton label={TEXT.refresh} onRefresh={completed.refetch} />
        </>
      }
    >
      <LoadState
        query={completed}
        compact={all.length > 0}
        loading={{ rows: 8, height: 650, label: TEXT.loading, columns: 'repeat(auto-fill, minmax(220px, 1fr))' }}
        error={TEXT.loadError}
        empty={all.length === 0 && { icon: mdiImageMultipleOutline, title: TEXT.empty, hint: <PipelineSteps /> }}
      />
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
          <ContentGrid items={items} selection={selection} onOpen={open} />
          <BulkActions items={items} selection={selection} />
        </>
      ) : null}
      {items.length > 0 && view === 'reels' ? <Reels items={items} urlState={urlState} onChange={change} /> : null}
      <ItemDialogs items={all} urlState={urlState} onChange={change} />
    </Page>
  );
}
