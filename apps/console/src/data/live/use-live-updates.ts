import { useSyncExternalStore, useEffect } from 'react';
import { type LinkState, LiveStream } from './live-stream';
import { useQueryClient } from '@tanstack/react-query';
import { CacheRefresher } from './cache-refresher';

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

/** A page that nobody sees gives its connection back. */
const HIDDEN_MS = 60_000;
/** How often everything shown is read again while the stream is away. */
const WITHOUT_STREAM_MS = 30_000;

/** Connects the cache to the live stream for as long as the caller is mounted and `active`. */
export function useLiveUpdates(active: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!active) return;
    const refresher = new CacheRefresher(client);
    const stream = new LiveStream({
      onFact: (fact) => refresher.take(fact),
      onGap: () => refresher.takeAll(),
      onState: setLinkState,
    });
    let hiding: ReturnType<typeof setTimeout> | null = null;
    const look = () => {
      if (!navigator.onLine) {
        // A browser without a network keeps a stream open that will never say anything again.
        stream.stop();
        setLinkState('reconnecting');
        return;
      }
      if (document.hidden) {
        hiding ??= setTimeout(() => stream.stop(), HIDDEN_MS);
        return;
      }
      if (hiding !== null) clearTimeout(hiding);
      hiding = null;
      stream.start();
    };
    document.addEventListener('visibilitychange', look);
    window.addEventListener('online', look);
    window.addEventListener('offline', look);
    look();
    const fallback = setInterval(() => {
      if (!document.hidden && readLinkState() !== 'live') refresher.takeAll();
    }, WITHOUT_STREAM_MS);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('online', look);
      window.removeEventListener('offline', look);
      clearInterval(fallback);
      if (hiding !== null) clearTimeout(hiding);
      stream.stop();
      refresher.stop();
    };
  }, [active, client]);
}
