import { authRoutes, LIMITS, type User } from '@autoposter/contracts';
import { useEffect, useSyncExternalStore } from 'react';
import { call, CallError } from '../http/client';
import { dropToken, keepToken, onTokenChange, readToken } from './session-token';

export interface Session {
  user: User | null;
  loading: boolean;
  /** It ended under somebody who was at work: what they see stays, nothing more is asked of the server. */
  ended: boolean;
}

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 1_000;
const NOBODY: Session = { user: null, loading: false, ended: false };

let session: Session = NOBODY;
let asking: string | null = null;
let askedAt = 0;
const listeners = new Set<() => void>();

const put = (next: Session): void => {
  session = next;
  for (const listener of listeners) listener();
};

const toRoot = (): void => {
  if (window.location.pathname !== '/') window.location.assign('/');
};

/** No answer, or a failure of the server, is worth another try; a refusal is not. */
async function fetchUser(attempt = 1): Promise<{ user: User; token?: string | undefined }> {
  try {
    return await call(authRoutes.me);
  } catch (error) {
    if (attempt === MAX_TRIES || (error instanceof CallError && error.status >= 400 && error.status < 500)) throw error;
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    return fetchUser(attempt + 1);
  }
}

/** Asks who the holder of the token is; keeps the longer-lived token that may come back. When the user cannot be fetched, the session is over. */
async function ask(token: string): Promise<void> {
  if (asking === token) return;
  asking = token;
  askedAt = Date.now();
  try {
    const answer = await fetchUser();
    if (asking !== token) return;
    asking = null;
    put({ user: answer.user, loading: false, ended: false });
    if (answer.token !== undefined) keepToken(answer.token);
  } catch {
    if (asking !== token) return;
    asking = null;
    const known = session.user !== null;
    if (readToken() === token) dropToken();
    if (!known) toRoot();
  }
}

/** Brings the session to what the token says. */
function follow(): void {
  const token = readToken();
  if (token === null) {
    asking = null;
    put({ user: session.user, loading: false, ended: session.user !== null });
  } else if (session.user === null || session.ended) {
    put({ ...session, loading: session.user === null });
    void ask(token);
  }
}

function look(): void {
  const token = readToken();
  if (!document.hidden && token !== null && asking === null && Date.now() - askedAt > LIMITS.cache.staleMs) void ask(token);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const snapshot = (): Session => {
  // The first look happens while the first screen is drawn: it must not be told that nobody is there before anybody was asked.
  if (session === NOBODY && readToken() !== null) session = { ...NOBODY, loading: true };
  return session;
};

/** Who is signed in. Without a token nothing is asked. */
export function useSession(): Session {
  useEffect(() => {
    follow();
    const stop = onTokenChange(follow);
    document.addEventListener('visibilitychange', look);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return useSyncExternalStore(subscribe, snapshot);
}

/** Forgets who was here, without a word to the server. */
export const forgetSession = (): void => {
  asking = null;
  put(NOBODY);
};

export function logout(): void {
  void call(authRoutes.logout)
    .catch(() => undefined)
    .finally(() => {
      forgetSession();
      dropToken();
      toRoot();
    });
}

/** Leaves for the sign-in page and comes back to where the visitor was. */
export const signIn = (returnTo?: string): void => {
  const query = returnTo?.startsWith('/admin') === true ? `?${new URLSearchParams({ returnTo }).toString()}` : '';
  window.location.assign(`${authRoutes.signIn.path}${query}`);
};
