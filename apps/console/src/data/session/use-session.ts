import { authRoutes, LIMITS, type User } from '@autoposter/contracts';
import { useEffect, useSyncExternalStore } from 'react';
import { call, CallError } from '../http/client';
import { dropArrivedToken, dropToken, keepToken, onTokenChange, readArrivedToken, readToken } from './session-token';

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

/** The page of visitors, loaded anew: nothing of the ended session stays in memory. */
export const page = {
  toRoot: (): void => {
    if (window.location.pathname !== '/') window.location.assign('/');
  },
};

const isRefusal = (error: unknown): boolean => error instanceof CallError && error.status >= 400 && error.status < 500;

/** No answer, or a failure of the server, is worth another try; a refusal is not. */
async function fetchUser(token: string, attempt = 1): Promise<{ user: User; token?: string | undefined }> {
  try {
    return await call(authRoutes.me, { token });
  } catch (error) {
    if (attempt === MAX_TRIES || isRefusal(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    return fetchUser(token, attempt + 1);
  }
}

/**
 * Asks who the holder of the token is; keeps the longer-lived token that may come back. When the user cannot be fetched, the session is
 * over, except for a token that arrived in the address: it may have been sent by anybody, and leaves the session that was here alone.
 */
async function ask(token: string): Promise<void> {
  if (asking === token) return;
  asking = token;
  askedAt = Date.now();
  const hasArrived = token === readArrivedToken();
  try {
    const answer = await fetchUser(token);
    if (asking !== token) return;
    asking = null;
    // Kept first: what the screens ask for goes out with the token of the session.
    session = { user: answer.user, loading: false, ended: false };
    if (hasArrived || answer.token !== undefined) keepToken(answer.token ?? token);
    put(session);
  } catch (error) {
    if (asking !== token) return;
    asking = null;
    if (hasArrived && readToken() !== null) {
      dropArrivedToken();
      follow();
      return;
    }
    const known = session.user !== null;
    if (isRefusal(error)) session = NOBODY;
    if (hasArrived || readToken() === token) dropToken();
    if (!known || isRefusal(error)) {
      put(NOBODY);
      page.toRoot();
    }
  }
}

/** Brings the session to what the token says. */
function follow(): void {
  const arrived = readArrivedToken();
  const token = arrived ?? readToken();
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
  if (session === NOBODY && (readArrivedToken() ?? readToken()) !== null) session = { ...NOBODY, loading: true };
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
      page.toRoot();
    });
}

/** Leaves for the sign-in page and comes back to where the visitor was. */
export const signIn = (returnTo?: string): void => {
  const query = returnTo?.startsWith('/admin') === true ? `?${new URLSearchParams({ returnTo }).toString()}` : '';
  window.location.assign(`${authRoutes.signIn.path}${query}`);
};
