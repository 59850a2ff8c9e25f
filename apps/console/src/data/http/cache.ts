import { LIMITS, type Route } from '@autoposter/contracts';
import { keepPreviousData, notifyManager, QueryClient, type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchData, isRejected, type Query } from './client';

/** First element of each query key, one per resource. */
export const keys = {
  health: 'health',
  overview: 'overview',
  stages: 'stages',
  failures: 'failures',
  publishing: 'publishing',
  dmca: 'dmca-ready',
  ai: 'ai-ready',
  completed: 'completed',
  content: 'content',
  downloads: 'downloads',
  subreddits: 'subreddits',
  subredditScheduler: 'subreddit-scheduler',
  skippedPosts: 'skipped-posts',
  queue: 'instagram-queue',
  scheduler: 'scheduler',
  logs: 'logs',
  instagram: 'instagram',
  accounts: 'instagram-accounts',
  rights: 'rights',
} as const;
export type KeyRoot = (typeof keys)[keyof typeof keys];

/** The roots that a claim, a notice, a permission or an answer about a match changes: each may block or release posts. */
export const RIGHTS_AND_ITEMS: readonly KeyRoot[] = [keys.rights, keys.completed, keys.downloads, keys.queue, keys.content, keys.overview];

/** Renders a started request before the next event: the second click of a double click finds the button disabled. */
notifyManager.setScheduler(queueMicrotask);

const MAX_RETRIES = 2;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: LIMITS.cache.staleMs,
        gcTime: LIMITS.cache.keepMs,
        retry: (failures, error) => failures < MAX_RETRIES && !isRejected(error),
      },
      // a change that waits for the network would take effect unexpectedly late
      mutations: { retry: false, networkMode: 'always' },
    },
  });

/** Marks all queries under these roots as stale. Resolves when those in use have been refetched. */
export const invalidate = async (client: QueryClient, roots: readonly KeyRoot[]): Promise<void> =>
  void (await Promise.all(roots.map((root) => client.invalidateQueries({ queryKey: [root] }))));

/** One page of a list; the previous page stays on the screen until the next one arrives. */
export const usePage = <R extends Route>(key: QueryKey, route: R, query: Query) =>
  useQuery({ queryKey: [...key, query], queryFn: fetchData(route, { query }), placeholderData: keepPreviousData });

/** A mutation that makes these roots stale, after a failure as well: the change may have happened. */
export const useChange = <I, O>(send: (input: I) => Promise<O>, roots: readonly KeyRoot[]) =>
  useMutation({ mutationFn: send, onSettled: useInvalidate(...roots) });

export function useInvalidate(...roots: readonly KeyRoot[]): () => Promise<void> {
  const client = useQueryClient();
  return () => invalidate(client, roots);
}
