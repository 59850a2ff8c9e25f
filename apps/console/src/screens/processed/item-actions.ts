import type { ContentItem } from '@autoposter/contracts';
import { createContext, useContext } from 'react';

/** What can be done with captioned items, one or many at a time. */
export interface ItemActions {
  /** Whether the Instagram API is configured; undefined while nobody knows. */
  configured: boolean | undefined;
  /** Why Instagram could not fetch the files of this item; `null` when it can, or nobody knows. */
  outOfReach: (item: ContentItem) => string | null;
  /** Whether something is being done with this item. */
  busy: (id: string) => boolean;
  add: (items: readonly ContentItem[]) => void;
  discard: (items: readonly ContentItem[]) => void;
  post: (item: ContentItem) => void;
}

export const ItemActionsContext = createContext<ItemActions | null>(null);

export function useItemActions(): ItemActions {
  const actions = useContext(ItemActionsContext);
  if (actions === null) throw new Error('the actions of items are given by their screen');
  return actions;
}
