import { useSearchParams } from 'react-router-dom';

export type ProcessedView = 'grid' | 'reels';
export type OpenDialog = 'details' | 'analysis';

export interface ProcessedAddress {
  view: ProcessedView;
  /** The item whose dialog is open, or that is on show in Reels mode. */
  item: string | null;
  dialog: OpenDialog | null;
}

/** View, item and open dialog live in the address, so that a link shows the same. */
export function useProcessedAddress(): [ProcessedAddress, (change: Partial<ProcessedAddress>) => void] {
  const [query, setQuery] = useSearchParams();
  const dialog = query.get('dialog');
  const address: ProcessedAddress = {
    view: query.get('view') === 'reels' ? 'reels' : 'grid',
    item: query.get('item'),
    dialog: dialog === 'details' || dialog === 'analysis' ? dialog : null,
  };
  const change = (next: Partial<ProcessedAddress>) => {
    const { view, item, dialog: open } = { ...address, ...next };
    const fields: Record<string, string> = {};
    if (view === 'reels') fields['view'] = view;
    if (item !== null) fields['item'] = item;
    if (open !== null) fields['dialog'] = open;
    setQuery(fields, { replace: true });
  };
  return [address, change];
}
