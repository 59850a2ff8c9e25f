import { api, type CreateClaimBody } from '@autoposter/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/keys';

export interface ClaimFilter {
  status: string;
  page: number;
}

/** The register, newest claim first. */
export const useClaims = ({ status, page }: ClaimFilter) =>
  useQuery({
    queryKey: [keys.rights, status, page],
    queryFn: async ({ signal }) => (await call(api.rights.list, { query: { status, page }, signal })).data,
    placeholderData: keepPreviousData,
  });

/** A claim holds back posts that show the work, so that lists of posts change with it. */
export function useAddClaim() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateClaimBody) => call(api.rights.create, { body }),
    onSuccess: () => {
      for (const key of [keys.rights, keys.completed, keys.downloads, keys.queue, keys.content, keys.overview]) {
        void client.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}

export function useWithdrawClaim() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.rights.withdraw, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: [keys.rights] }),
  });
}
