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
