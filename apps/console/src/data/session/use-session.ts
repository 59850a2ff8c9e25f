import { authRoutes, LIMITS, type User } from '@autoposter/contracts';
import { useEffect, useSyncExternalStore } from 'react';
import { call, isRejected } from '../http/client';
import { dropToken, dropUrlToken, keepToken, onTokenChange, readToken, readUrlToken } from './session-token';

interface Session {
  user: User | null;
  loading: boolean;
  /** The session expired during use: the screen stays as it is, and no more requests are sent. */
  ended: boolean;
}

const MAX_ATTEMPTS = 3;
const MIN_BACKOFF_MS = 1_000;
const SIGNED_OUT: Session = { user: null, loading: false, ended: false };

let session: Session = SIGNED_OUT;
let pendingToken: string | null = null;
let checkedAt = 0;
const listeners = new Set<() => void>();

const publish = (next: Session): void => {
  session = next;
  for (const listener of listeners) listener();
};

/** A full page load leaves nothing of the ended session in memory. */
export const page = {
  toRoot: (): void => {
    if (window.location.pathname !== '/') window.location.assign('/');
  },
};

async function fetchUser(token: string, attempt = 1): Promise<{ user: User; token?: string | undefined }> {
  try {
    return await call(authRoutes.me, { token });
  } catch (error) {
    if (attempt === MAX_ATTEMPTS || isRejected(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, MIN_BACKOFF_MS * 2 ** (attempt - 1)));
    return fetchUser(token, attempt + 1);
  }
}

/**
 * Fetches the token's user and stores a longer-lived token if the response has one. A failure ends the session, unless the token came from
 * the URL: anyone can send such a link, so that it must neither end nor replace an existing session.
 */
async function checkToken(token: string): Promise<void> {
  if (pendingToken === token) return;
  pendingToken = token;
  checkedAt = Date.now();
  const isFromUrl = token === readUrlToken();
  try {
    const response = await fetchUser(token);
    if (pendingToken !== token) return;
    pendingToken = null;
    // Only an exchange proves that this browser asked for the token.
    if (isFromUrl && response.token === undefined && readToken() !== null) return keepExistingSession();
    // The token is stored before the screens render and send their requests with it.
    session = { user: response.user, loading: false, ended: false };
    if (isFromUrl || response.token !== undefined) keepToken(response.token ?? token);
    publish(session);
  } catch (error) {
    if (pendingToken !== token) return;
    pendingToken = null;
    if (isFromUrl && readToken() !== null) return keepExistingSession();
    const wasSignedIn = session.user !== null;
    if (isRejected(error)) session = SIGNED_OUT;
    if (isFromUrl || readToken() === token) dropToken();
    if (!wasSignedIn || isRejected(error)) {
      publish(SIGNED_OUT);
      page.toRoot();
    }
  }
}

/** Drops the token of the URL and uses the stored one. */
function keepExistingSession(): void {
  dropUrlToken();
  applyToken();
}

function applyToken(): void {
  const token = readUrlToken() ?? readToken();
  if (token === null) {
    pendingToken = null;
    publish({ user: session.user, loading: false, ended: session.user !== null });
  } else if (session.user === null || session.ended) {
    publish({ ...session, loading: session.user === null });
    void checkToken(token);
  }
}

function onVisibilityChange(): void {
  const token = readToken();
  if (!document.hidden && token !== null && pendingToken === null && Date.now() - checkedAt > LIMITS.cache.staleMs) void checkToken(token);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const snapshot = (): Session => {
  // The first render happens before the effect that checks the token; it must not show the sign-in page.
  if (session === SIGNED_OUT && (readUrlToken() ?? readToken()) !== null) session = { ...SIGNED_OUT, loading: true };
  return session;
};

/** The signed-in user. Sends no request without a token. */
export function useSession(): Session {
  useEffect(() => {
    applyToken();
    const unsubscribe = onTokenChange(applyToken);
    document.addEventListener('visibilitychange', onVisibilityChange);
    return () => {
      unsubscribe();
      document.removeEventListener('visibilitychange', onVisibilityChange);
    };
  }, []);
  return useSyncExternalStore(subscribe, snapshot);
}

/** Clears the session without a request to the server. */
export const forgetSession = (): void => {
  pendingToken = null;
  publish(SIGNED_OUT);
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

/** Redirects to the sign-in page, which returns to `returnTo`. */
export const signIn = (returnTo?: string): void => {
  const query = returnTo?.startsWith('/admin') === true ? `?${new URLSearchParams({ returnTo }).toString()}` : '';
  window.location.assign(`${authRoutes.signIn.path}${query}`);
};
