import { useCallback, useEffect, useRef } from 'react';
import { useUrlState } from '../../ui/use-url-state';

export type ProcessedView = 'grid' | 'reels';
export type OpenDialog = 'details' | 'analysis';

const DEFAULTS = { view: 'grid', item: '', dialog: '', search: '', subreddit: '', type: '', posted: '' };
export type ProcessedFields = typeof DEFAULTS;

export interface ProcessedAddress {
  view: ProcessedView;
  /** The item whose dialog is open, or that is on show in Reels mode. */
  item: string | null;
  dialog: OpenDialog | null;
  search: string;
  subreddit: string;
  type: string;
  posted: string;
}

/** View, filters, item and open dialog live in the address, so that a link shows the same. `change` stays the same function. */
export function useProcessedAddress(): [ProcessedAddress, (change: Partial<ProcessedFields>) => void] {
  const { fields, change } = useUrlState(DEFAULTS);
  const latest = useRef(change);
  useEffect(() => {
    latest.current = change;
  });
  const stable = useCallback((next: Partial<ProcessedFields>) => latest.current(next), []);
  const { view, item, dialog } = fields;
  return [
    {
      ...fields,
      view: view === 'reels' ? 'reels' : 'grid',
      item: item === '' ? null : item,
      dialog: dialog === 'details' || dialog === 'analysis' ? dialog : null,
    },
    stable,
  ];
}
