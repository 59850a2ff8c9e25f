import { useSyncExternalStore } from 'react';
import type { LinkState } from './live-stream';

/** Milliseconds after which a stream that is away counts as away: from then on the page says that it polls. */
const AWAY_MS = 10_000;

let state: LinkState = 'off';
let away: ReturnType<typeof setTimeout> | null = null;
const listeners = new Set<() => void>();

const put = (next: LinkState): void => {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
};

export const setLinkState = (next: LinkState): void => {
  if (next === 'reconnecting') {
    // Each further try is told too; the first one counts.
    if (state === 'off' && away !== null) return;
    away ??= setTimeout(() => navigator.onLine && put('off'), AWAY_MS);
  } else {
    if (away !== null) clearTimeout(away);
    away = null;
  }
  put(next);
};

export const readLinkState = (): LinkState => state;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether the page hears of changes at once. */
export const useLinkState = (): LinkState => useSyncExternalStore(subscribe, readLinkState);
