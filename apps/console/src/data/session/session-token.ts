const KEY = 'autoposter.token';
const listeners = new Set<() => void>();
let token: string | null | undefined;
/**
 * A token from the URL that the server has not accepted yet. It is stored for the tab, because a page that is reloaded before the exchange has no
 * other token.
 */
let urlToken: string | null | undefined;

const load = (storage: 'localStorage' | 'sessionStorage'): string | null => {
  try {
    return window[storage].getItem(KEY);
  } catch {
    return null;
  }
};

const save = (storage: 'localStorage' | 'sessionStorage', value: string | null): void => {
  try {
    if (value === null) window[storage].removeItem(KEY);
    else window[storage].setItem(KEY, value);
  } catch {
    // Storage is unavailable: the session ends with the page.
  }
};

const setUrlToken = (next: string | null): void => {
  urlToken = next;
  save('sessionStorage', next);
};

const store = (next: string | null): void => {
  token = next;
  save('localStorage', next);
  for (const listener of listeners) listener();
};

export const readToken = (): string | null => {
  token ??= load('localStorage');
  return token;
};

export const readUrlToken = (): string | null => (urlToken === undefined ? (urlToken = load('sessionStorage')) : urlToken);

export const keepToken = (next: string): void => {
  setUrlToken(null);
  store(next);
};

export const dropToken = (): void => {
  setUrlToken(null);
  store(null);
};

/** Keeps the existing session. */
export const dropUrlToken = (): void => setUrlToken(null);

/** A 401 for `used` ends the session, unless a newer token has replaced it. */
export const sessionEnded = (used: string | null): void => {
  if (used === readToken()) store(null);
};

const onStorage = (event: StorageEvent): void => {
  if (event.key !== KEY && event.key !== null) return;
  token = load('localStorage');
  for (const listener of listeners) listener();
};

export const onTokenChange = (listener: () => void): (() => void) => {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
};

/**
 * Moves the token from the URL into the storage of the tab when the page opens, so that it does not stay in the browser history. Anyone can
 * create such a URL: the token replaces an existing session only after the server has accepted it.
 */
export const takeTokenFromUrl = (): void => {
  const url = new URL(window.location.href);
  const found = url.searchParams.get('token');
  if (found === null) return;
  url.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', url);
  if (found !== '') setUrlToken(found);
};
