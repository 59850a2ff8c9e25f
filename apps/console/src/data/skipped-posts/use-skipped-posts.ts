import { api, SKIP_REASON_LABELS, SKIP_REASONS, type SkippedPost } from '@autoposter/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { keys, useInvalidate, usePage } from '../http/cache';
import { call, fetchData, type Query } from '../http/client';

export const useSkippedPosts = (query: Query) => usePage([keys.skippedPosts, 'list'], api.skippedPosts.list, query);

export const useSkipStatistics = (query: Query) => usePage([keys.skippedPosts, 'statistics'], api.skippedPosts.statistics, query);

export const useSkippedSubreddits = () =>
  useQuery({ queryKey: [keys.skippedPosts, 'subreddits'], queryFn: fetchData(api.skippedPosts.subreddits) });

export const useSkipReasons = () =>
  useQuery({
    queryKey: [keys.skippedPosts, 'reasons'],
    queryFn: fetchData(api.skippedPosts.reasons),
    placeholderData: SKIP_REASONS.map((value) => ({ value, label: SKIP_REASON_LABELS[value] })),
    staleTime: Infinity,
  });

/** Collects a post despite the filter that skipped it. */
export function useProcessAnyway() {
  const refresh = useInvalidate(keys.downloads, keys.overview);
  return useMutation({
    mutationFn: (url: string) => call(api.reddit.process, { body: { url } }),
    onSettled: () => void refresh(),
  });
}

/** Largest page of the API. */
const PAGE = 200;
/** Limit of the CSV export: larger files are impractical in spreadsheet programs. */
export const MAX_ROWS = 10_000;

/** Fetches all matching posts, at most `MAX_ROWS`; `onProgress` returns false to stop. `total` counts all matches. */
export async function readAllSkipped(
  query: Record<string, string | number>,
  onProgress: (read: number, total: number) => boolean,
): Promise<{ posts: SkippedPost[]; total: number }> {
  const posts: SkippedPost[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = await call(api.skippedPosts.list, { query: { ...query, page, limit: PAGE } });
    posts.push(...data.posts);
    const total = data.pagination.totalCount;
    const proceed = onProgress(posts.length, total);
    if (!proceed || !data.pagination.hasNextPage || posts.length >= MAX_ROWS) return { posts, total };
  }
}
