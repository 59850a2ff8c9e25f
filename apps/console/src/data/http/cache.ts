import { LIMITS } from '@autoposter/contracts';
import { QueryClient } from '@tanstack/react-query';
import { CallError } from './client';

/** Roots of the cache, one per thing that is asked for; a key is its root and what was asked. */
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

const MAX_TRIES = 2;

/** What the server refused stays refused; only what got no answer or a failure of the server is asked again. */
const worthAnotherTry = (failures: number, error: unknown): boolean =>
  failures < MAX_TRIES && !(error instanceof CallError && error.status >= 400 && error.status < 500);

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: LIMITS.cache.staleMs, gcTime: LIMITS.cache.keepMs, retry: worthAnotherTry },
      mutations: { retry: false },
    },
  });

const AFTER_SUCCESS_MS = 1_000;
const AFTER_FAILURE_MS = 500;

/** Reads the ready lists again after a run was asked for: after about a second, sooner when it failed. */
export const refreshReadyListsSoon = (client: QueryClient, failed: boolean): void => {
  setTimeout(
    () => {
      for (const key of [keys.dmca, keys.ai, keys.overview]) void client.invalidateQueries({ queryKey: [key] });
    },
    failed ? AFTER_FAILURE_MS : AFTER_SUCCESS_MS,
  );
};
