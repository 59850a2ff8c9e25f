import { api, type CreateClaimBody } from '@autoposter/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/cache';

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

const OURS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/u;
const NAMES = [
  /reddit\.com\/(?:.*\/)?comments\/([a-z0-9]+)/iu,
  /redd\.it\/([a-z0-9]+)/iu,
  /instagram\.com\/(?:.*\/)?(?:p|reel)\/([\w-]+)/iu,
];
const PAGE = 200;

/** The part of a link that names the post at its source, such as "1abcde"; null where there is none. */
export const sourcePostIdOf = (link: string): string | null =>
  NAMES.map((pattern) => pattern.exec(link)?.[1] ?? null).find((name) => name !== null) ?? null;

/** The item that a link leads to: a page of ours, or the post at its source among all that was collected. Null where it is not there. */
export async function findItemByLink(link: string): Promise<string | null> {
  const ours = OURS.exec(link.toLowerCase())?.[0];
  if (ours !== undefined) return ours;
  const wanted = sourcePostIdOf(link);
  if (wanted === null) return null;
  for (let cursor: string | undefined; ;) {
    const page = await call(api.downloads.list, { query: { limit: PAGE, cursor } });
    const found = page.data.find((item) => sourcePostIdOf(item.originalUrl) === wanted);
    if (found !== undefined) return found._id;
    if (page.nextCursor === null || page.nextCursor === undefined) return null;
    cursor = page.nextCursor;
  }
}
