import { LIMITS } from '@autoposter/contracts';
import { Store, useStore } from '../store/store';

const KEY = 'autoposter.preferences';
/** How long a notification stays; 0 = until it is closed. */
export const NOTICE_SECONDS = [LIMITS.polling.noticeMs / 1000, 10, 0] as const;

interface Preferences {
  noticeSeconds: number;
  /** Single-letter shortcuts; those with Ctrl or Cmd always work. */
  shortcuts: boolean;
  autoplay: boolean;
  /** An IANA name, or `null` for the browser's zone. */
  timeZone: string | null;
  /** The account whose queue the screens show; `null` for the first one. */
  accountId: string | null;
}

const DEFAULTS: Preferences = { noticeSeconds: NOTICE_SECONDS[0], shortcuts: true, autoplay: true, timeZone: null, accountId: null };

/** The browser's own time zone. */
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

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
      accountId: typeof stored.accountId === 'string' && /^[\da-f-]{36}$/u.test(stored.accountId) ? stored.accountId : null,
    };
  } catch {
    return DEFAULTS;
  }
}

const store = new Store(load());

export const readPreferences = store.get;

export function setPreferences(change: Partial<Preferences>): void {
  store.set({ ...store.get(), ...change });
  try {
    localStorage.setItem(KEY, JSON.stringify(store.get()));
  } catch {
    // Storage is unavailable: the preferences last until the page is closed.
  }
}

/** Loads the stored preferences again, for tests. */
export const resetPreferences = (): void => store.set(load());

export const usePreferences = (): Preferences => useStore(store);
