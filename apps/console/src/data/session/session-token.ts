const KEY = 'autoposter.token';
const listeners = new Set<() => void>();
let token: string | null | undefined;
/** A token from the URL that the server has not accepted yet. Kept per tab, because it can be exchanged once only. */
let urlToken: string | null = null;

const load = (): string | null => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};

const store = (next: string | null): void => {
  token = next;
  try {
    if (next === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage is unavailable: the session ends with the page.
  }
  for (const listener of listeners) listener();
};

export const readToken = (): string | null => {
  token ??= load();
  return token;
};

export const readUrlToken = (): string | null => urlToken;

export const keepToken = (next: string): void => {
  urlToken = null;
  store(next);
};

export const dropToken = (): void => {
  urlToken = null;
  store(null);
};

/** Keeps the existing session. */
export const dropUrlToken = (): void => {
  urlToken = null;
};

/** A 401 for `used` ends the session, unless a newer token has replaced it. */
export const sessionEnded = (used: string | null): void => {
  if (used === readToken()) store(null);
};

const onStorage = (event: StorageEvent): void => {
  if (event.key !== KEY && event.key !== null) return;
  token = load();
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
 * Moves the token from the URL into memory when the page opens, so that it does not stay in the browser history. Anyone can create such a
 * URL: the token replaces an existing session only after the server has accepted it.
 */
export const takeTokenFromUrl = (): void => {
  const url = new URL(window.location.href);
  const found = url.searchParams.get('token');
  if (found === null) return;
  url.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', url);
  if (found !== '') urlToken = found;
};
