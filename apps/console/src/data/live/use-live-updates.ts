import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Store, useStore } from '../../store/store';
import { CacheRefresher } from './cache-refresher';
import { type ConnectionState, LiveStream } from './live-stream';

/** A disconnected stream counts as reconnecting for this long, then as off: the page says that it polls. */
const RECONNECTING_MS = 10_000;
/** A hidden page closes its connection after this long. */
const HIDDEN_MS = 60_000;
/** Polling interval while the stream is disconnected. */
const POLLING_MS = 30_000;

const state = new Store<ConnectionState>('off');
let offTimer: ReturnType<typeof setTimeout> | null = null;

export const setConnectionState = (next: ConnectionState): void => {
  if (next === 'reconnecting') {
    // Each failed attempt reports "reconnecting" again; the time counts from the first one.
    if (state.get() === 'off' && offTimer !== null) return;
    offTimer ??= setTimeout(() => {
      if (navigator.onLine) state.set('off');
    }, RECONNECTING_MS);
  } else {
    if (offTimer !== null) clearTimeout(offTimer);
    offTimer = null;
  }
  state.set(next);
};

export const readConnectionState = state.get;

export const useConnectionState = (): ConnectionState => useStore(state);

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
      if (!document.hidden && state.get() !== 'live') refresher.refreshAll();
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
