import { LIMITS } from '@autoposter/contracts';
import { QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { isRejected } from './client';

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
  rights: 'rights',
} as const;
export type KeyRoot = (typeof keys)[keyof typeof keys];

const MAX_RETRIES = 2;

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: LIMITS.cache.staleMs,
        gcTime: LIMITS.cache.keepMs,
        retry: (failures, error) => failures < MAX_RETRIES && !isRejected(error),
      },
      mutations: { retry: false },
    },
  });

/** Marks all queries under these roots as stale. Resolves after those on the screen were fetched again. */
export const invalidate = async (client: QueryClient, roots: readonly KeyRoot[]): Promise<void> =>
  void (await Promise.all(roots.map((root) => client.invalidateQueries({ queryKey: [root] }))));

/** A mutation that makes these roots stale, after a failure as well: the change may have happened. */
export const useChange = <I, O>(send: (input: I) => Promise<O>, roots: readonly KeyRoot[]) =>
  useMutation({ mutationFn: send, onSettled: useInvalidate(...roots) });

export function useInvalidate(...roots: readonly KeyRoot[]): () => Promise<void> {
  const client = useQueryClient();
  return () => invalidate(client, roots);
}
