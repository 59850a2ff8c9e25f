import { LIMITS } from '@autoposter/contracts';
import { useSyncExternalStore } from 'react';

const KEY = 'autoposter.preferences';
/** Seconds that a notice stays; 0 = until it is closed. */
export const NOTICE_SECONDS = [LIMITS.polling.noticeMs / 1000, 10, 0] as const;

/** What a person chose for this browser. */
export interface Preferences {
  noticeSeconds: number;
  /** Keys of one letter; those with Ctrl or Cmd always work. */
  shortcuts: boolean;
  /** Videos in Reels mode play by themselves. */
  autoplay: boolean;
  /** An IANA name, or `null` for the zone of this machine. */
  timeZone: string | null;
}

const START: Preferences = { noticeSeconds: NOTICE_SECONDS[0], shortcuts: true, autoplay: true, timeZone: null };
const listeners = new Set<() => void>();
let current: Preferences | null = null;

/** Whether it is a time zone that this browser knows. */
export const isZone = (zone: unknown): zone is string => {
  try {
    return typeof zone === 'string' && new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** What is stored may be of an older version, or anything. */
function load(): Preferences {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>;
    return {
      noticeSeconds: NOTICE_SECONDS.includes(Number(stored.noticeSeconds)) ? Number(stored.noticeSeconds) : START.noticeSeconds,
      shortcuts: stored.shortcuts !== false,
      autoplay: stored.autoplay !== false,
      timeZone: isZone(stored.timeZone) ? stored.timeZone : null,
    };
  } catch {
    return START;
  }
}

export const readPreferences = (): Preferences => (current ??= load());

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...readPreferences(), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A browser without storage keeps them for as long as the page is open.
  }
  for (const listener of listeners) listener();
}

/** Reads again what is stored, for tests and other tabs. */
export function forgetPreferences(): void {
  current = null;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, readPreferences);
