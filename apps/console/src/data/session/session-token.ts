const KEY = 'autoposter.token';
const listeners = new Set<() => void>();
let token: string | null | undefined;
/** From the address bar, until the server has said whose it is. Each tab has its own: it is good for one exchange. */
let arrived: string | null = null;

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
    // A browser without storage keeps the session for as long as the page is open.
  }
  for (const listener of listeners) listener();
};

/** The token of the session. */
export const readToken = (): string | null => {
  token ??= load();
  return token;
};

export const readArrivedToken = (): string | null => arrived;

export const keepToken = (next: string): void => {
  arrived = null;
  store(next);
};

export const dropToken = (): void => {
  arrived = null;
  store(null);
};

/** The session that was here before stays. */
export const dropArrivedToken = (): void => {
  arrived = null;
};

/** A 401 for `used` ends the session, unless a newer token took its place meanwhile. */
export const sessionEnded = (used: string | null): void => {
  if (used === readToken()) store(null);
};

/** Somebody signed in or out in another tab. */
const fromOtherTab = (event: StorageEvent): void => {
  if (event.key !== KEY && event.key !== null) return;
  token = load();
  for (const listener of listeners) listener();
};

export const onTokenChange = (listener: () => void): (() => void) => {
  if (listeners.size === 0) window.addEventListener('storage', fromOtherTab);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', fromOtherTab);
  };
};

/**
 * Takes the token out of the address bar as soon as the page opens, so that it stays in no history. What else is in the query (filters)
 * stays. Anybody can make such an address: the token replaces a session only after the server has accepted it from this browser.
 */
export const takeTokenFromAddress = (): void => {
  const url = new URL(window.location.href);
  const found = url.searchParams.get('token');
  if (found === null) return;
  url.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', url);
  if (found !== '') arrived = found;
};
