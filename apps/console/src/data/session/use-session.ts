import { api, type User } from '@autoposter/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { call } from '../http/client';
import { dropToken, keepToken, onTokenChange, readToken } from './session-token';

export interface Session {
  user: User | null;
  loading: boolean;
  logout: () => void;
}

const ME = ['auth', 'me'] as const;

const toRoot = (): void => {
  if (window.location.pathname !== '/') window.location.assign('/');
};

/** Who is signed in. Without a token nothing is asked; when the user cannot be fetched, the session is over. */
export function useSession(): Session {
  const client = useQueryClient();
  const signedIn = useSyncExternalStore(onTokenChange, readToken) !== null;
  const me = useQuery({
    queryKey: ME,
    enabled: signedIn,
    queryFn: async ({ signal }) => {
      const answer = await call(api.auth.me, { signal });
      if (answer.token !== undefined) keepToken(answer.token);
      return answer.user;
    },
  });
  useEffect(() => {
    if (!me.isError || !signedIn) return;
    dropToken();
    toRoot();
  }, [me.isError, signedIn]);
  const logout = useCallback(() => {
    void call(api.auth.logout)
      .catch(() => undefined)
      .finally(() => {
        dropToken();
        client.clear();
        toRoot();
      });
  }, [client]);
  return { user: signedIn ? (me.data ?? null) : null, loading: signedIn && me.isPending, logout };
}

/** Leaves for the sign-in page and comes back to where the visitor was. */
export const signIn = (returnTo?: string): void => {
  const query = returnTo?.startsWith('/admin') === true ? `?${new URLSearchParams({ returnTo }).toString()}` : '';
  window.location.assign(`${api.auth.signIn.path}${query}`);
};
