import { LIMITS } from '@autoposter/contracts';
import { useSyncExternalStore } from 'react';

const KEY = 'autoposter.preferences';
/** How long a notification stays; 0 = until it is closed. */
export const NOTICE_SECONDS = [LIMITS.polling.noticeMs / 1000, 10, 0] as const;

/** Stored per browser. */
interface Preferences {
  noticeSeconds: number;
  /** Single-letter shortcuts; those with Ctrl or Cmd always work. */
  shortcuts: boolean;
  /** Autoplay in Reels mode. */
  autoplay: boolean;
  /** An IANA name, or `null` for the browser's zone. */
  timeZone: string | null;
}

const DEFAULTS: Preferences = { noticeSeconds: NOTICE_SECONDS[0], shortcuts: true, autoplay: true, timeZone: null };
const listeners = new Set<() => void>();
let current: Preferences | null = null;

/** Whether the browser supports this time zone. */
export const isZone = (zone: unknown): zone is string => {
  try {
    return typeof zone === 'string' && new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** Stored values are validated, because an older version or the user may have written them. */
function load(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>;
    return {
      noticeSeconds: NOTICE_SECONDS.includes(Number(stored.noticeSeconds)) ? Number(stored.noticeSeconds) : DEFAULTS.noticeSeconds,
      shortcuts: stored.shortcuts !== false,
      autoplay: stored.autoplay !== false,
      timeZone: isZone(stored.timeZone) ? stored.timeZone : null,
    };
  } catch {
    return DEFAULTS;
  }
}

export const readPreferences = (): Preferences => (current ??= load());

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...readPreferences(), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Storage is unavailable: the preferences last until the page is closed.
  }
  for (const listener of listeners) listener();
}

/** Discards the cached preferences, for tests. */
export function resetPreferences(): void {
  current = null;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, readPreferences);
