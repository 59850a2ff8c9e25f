import { api, SKIP_REASON_LABELS, SKIP_REASONS, type SkippedPost } from '@autoposter/contracts';
import { keepPreviousData, useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../http/client';
import { keys } from '../http/cache';

type Query = Record<string, string | number | undefined>;

export const useSkippedPosts = (query: Query) =>
  useQuery({
    queryKey: [keys.skippedPosts, 'list', query],
    queryFn: async ({ signal }) => (await call(api.skippedPosts.list, { query, signal })).data,
    placeholderData: keepPreviousData,
  });

export const useSkipStatistics = (query: Query) =>
  useQuery({
    queryKey: [keys.skippedPosts, 'statistics', query],
    queryFn: async ({ signal }) => (await call(api.skippedPosts.statistics, { query, signal })).data,
    placeholderData: keepPreviousData,
  });

export const useSkippedSubreddits = () =>
  useQuery({
    queryKey: [keys.skippedPosts, 'subreddits'],
    queryFn: async ({ signal }) => (await call(api.skippedPosts.subreddits, { signal })).data,
  });

export const useSkipReasons = () =>
  useQuery({
    queryKey: [keys.skippedPosts, 'reasons'],
    queryFn: async ({ signal }) => (await call(api.skippedPosts.reasons, { signal })).data,
    placeholderData: SKIP_REASONS.map((value) => ({ value, label: SKIP_REASON_LABELS[value] })),
    staleTime: Infinity,
  });

/** The server's largest page. */
const PAGE = 200;
/** More rows than this make a file that no table program opens with pleasure; the filters narrow it down. */
export const MAX_ROWS = 10_000;

/** All posts that the filters let through, page by page, at most `MAX_ROWS`. `total` counts those beyond too. */
export async function readAllSkipped(
  query: Record<string, string | number>,
  onProgress: (read: number, total: number) => boolean,
): Promise<{ posts: SkippedPost[]; total: number }> {
  const posts: SkippedPost[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = await call(api.skippedPosts.list, { query: { ...query, page, limit: PAGE } });
    posts.push(...data.posts);
    const total = data.pagination.totalCount;
    const goOn = onProgress(posts.length, total);
    if (!goOn || !data.pagination.hasNextPage || posts.length >= MAX_ROWS) return { posts, total };
  }
}

/** Takes in a post by its address though a filter left it out. */
export function useProcessAnyway() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (url: string) => call(api.reddit.process, { body: { url } }),
    onSettled: () => {
      for (const key of [keys.downloads, keys.overview]) void client.invalidateQueries({ queryKey: [key] });
    },
  });
}
