import { api, type InstagramAccount, type InstagramAccounts, type LoginFlavour } from '@autoposter/contracts';
import { accountName } from '@autoposter/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { keys, useChange } from '../http/cache';
import { call, fetchData } from '../http/client';
import { resumeBody } from '../publishing/use-publishing';
import { usePreferences } from '../../preferences/preferences';
import { ACCOUNT_TEXT as TEXT } from '../../text/shell.text';

const POLL_MS = 2_000;

/** Polled during a connection, which the publishing worker completes. */
export const useAccounts = () =>
  useQuery<InstagramAccounts>({
    queryKey: [keys.accounts],
    queryFn: fetchData(api.instagramAccounts.list),
    refetchInterval: ({ state }) => (state.data?.connection?.status === 'pending' ? POLL_MS : false),
  });

/**
 * The accounts, and the one whose queue the screens show and change; `accountId` is undefined while the environment's account is the only one,
 * or there is none. A selected account that is no longer connected is replaced by the first one.
 */
export function useSelectedAccount(): { accounts: readonly InstagramAccount[]; accountId: string | undefined; isPending: boolean } {
  const { data, isPending } = useAccounts();
  const chosen = usePreferences().accountId ?? undefined;
  if (data === undefined) return { accounts: [], accountId: chosen, isPending };
  const { accounts } = data;
  const [first] = accounts;
  if (accounts.length < 2) return { accounts, accountId: first?.source === 'connected' ? first.id : undefined, isPending };
  return { accounts, accountId: accounts.some(({ id }) => id === chosen) ? chosen : first?.id, isPending };
}

/** Names accounts by their ids, as far as there are several to tell apart. */
export function useAccountNames(): (ids: readonly (string | null)[]) => string[] {
  const { accounts } = useSelectedAccount();
  if (accounts.length < 2) return () => [];
  const names = new Map(accounts.map((account) => [account.id, accountName(account)]));
  return (ids) => ids.flatMap((id) => (id === null ? [] : [names.get(id) ?? TEXT.disconnected]));
}

/** Opens the login page of the platform, which returns to Settings. */
export const useConnectAccount = () =>
  useMutation({
    mutationFn: async (login: LoginFlavour) => {
      const { data } = await call(api.instagramAccounts.connect, { body: { login } });
      window.location.assign(data.authorizationUrl);
    },
  });

export const useDisconnectAccount = () =>
  useChange((id: string) => call(api.instagramAccounts.disconnect, { params: { id } }), [keys.accounts, keys.instagram]);

export const useChangeAccountPermission = () =>
  useChange(
    ({ id, needsPermission }: { id: string; needsPermission: boolean }) =>
      call(api.instagramAccounts.changeNeedsPermission, { params: { id }, body: { needsPermission } }),
    [keys.accounts],
  );

/** Pauses publishing on one account, or resumes the pause that is shown. */
export const useToggleAccount = () =>
  useChange(
    ({ id, publishing: { paused, since } }: Pick<InstagramAccount, 'id' | 'publishing'>) =>
      paused
        ? call(api.instagramAccounts.resume, { params: { id }, body: resumeBody(since) })
        : call(api.instagramAccounts.pause, { params: { id } }),
    [keys.accounts, keys.publishing, keys.queue],
  );
