import { useSyncExternalStore } from 'react';
import type { LinkState } from './live-stream';

let state: LinkState = 'off';
const listeners = new Set<() => void>();

export const setLinkState = (next: LinkState): void => {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
};

export const readLinkState = (): LinkState => state;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the page hears of changes at once. */
export const useLinkState = (): LinkState => useSyncExternalStore(subscribe, readLinkState);
