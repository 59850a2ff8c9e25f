const KEY = 'autoposter.token';
const listeners = new Set<() => void>();
let token: string | null | undefined;

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

export const readToken = (): string | null => {
  token ??= load();
  return token;
};

export const keepToken = (next: string): void => store(next);

export const dropToken = (): void => store(null);

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

/** Takes the token out of the address bar as soon as the page opens, so that it stays in no history. What else stands there (filters) stays. */
export const takeTokenFromAddress = (): void => {
  const url = new URL(window.location.href);
  const found = url.searchParams.get('token');
  if (found === null) return;
  url.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', url);
  if (found !== '') store(found);
};
