import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { CacheRefresher } from './cache-refresher';
import { type ConnectionState, LiveStream } from './live-stream';

/** A disconnected stream counts as reconnecting for this long, then as off: the page says that it polls. */
const RECONNECTING_MS = 10_000;
/** A hidden page closes its connection after this long. */
const HIDDEN_MS = 60_000;
/** Polling interval while the stream is disconnected. */
const POLLING_MS = 30_000;

let state: ConnectionState = 'off';
let offTimer: ReturnType<typeof setTimeout> | null = null;
const listeners = new Set<() => void>();

const publish = (next: ConnectionState): void => {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
};

export const setConnectionState = (next: ConnectionState): void => {
  if (next === 'reconnecting') {
    // Each failed attempt reports "reconnecting" again; the time counts from the first one.
    if (state === 'off' && offTimer !== null) return;
    offTimer ??= setTimeout(() => navigator.onLine && publish('off'), RECONNECTING_MS);
  } else {
    if (offTimer !== null) clearTimeout(offTimer);
    offTimer = null;
  }
  publish(next);
};

export const readConnectionState = (): ConnectionState => state;

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useConnectionState = (): ConnectionState => useSyncExternalStore(subscribe, readConnectionState);

/** Connects the cache to the live stream while the caller is mounted and `active`. */
export function useLiveUpdates(active: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!active) return;
    const refresher = new CacheRefresher(client);
    const stream = new LiveStream({
      onFact: (fact) => refresher.apply(fact),
      onGap: () => refresher.refreshAll(),
      onState: setConnectionState,
    });
    let hidden: ReturnType<typeof setTimeout> | null = null;
    const update = () => {
      if (!navigator.onLine) {
        // An offline browser keeps the dead connection open.
        stream.stop();
        setConnectionState('reconnecting');
        return;
      }
      if (document.hidden) {
        hidden ??= setTimeout(() => stream.stop(), HIDDEN_MS);
        return;
      }
      if (hidden !== null) clearTimeout(hidden);
      hidden = null;
      stream.start();
    };
    document.addEventListener('visibilitychange', update);
    window.addEventListener('online', update);
    window.addEventListener('offline', update);
    update();
    const polling = setInterval(() => {
      if (!document.hidden && state !== 'live') refresher.refreshAll();
    }, POLLING_MS);
    return () => {
      document.removeEventListener('visibilitychange', update);
      window.removeEventListener('online', update);
      window.removeEventListener('offline', update);
      clearInterval(polling);
      if (hidden !== null) clearTimeout(hidden);
      stream.stop();
      refresher.stop();
    };
  }, [active, client]);
}
