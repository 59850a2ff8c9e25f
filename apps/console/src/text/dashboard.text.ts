import { LIMITS, type ClearedData } from '@autoposter/contracts';
import { count, plural } from '../ui/format';

const TOP = LIMITS.processAll.labelCountsTo;

export const processAllLabel = (ready: number): string => `Process All (${ready > TOP ? `${TOP}+` : ready})`;

export interface ReadyCardText {
  title: string;
  refresh: string;
  process: string;
  empty: string;
  emptyHint: string;
  loading: string;
  fallback: string;
  loadFailed: (message: string) => string;
}

const posts = (value: number): string => plural(value, 'post');

export const DASHBOARD_TEXT = {
  title: 'Instagram Auto-Poster Dashboard',
  health: {
    good: 'All Systems Operational',
    bad: 'System Issues Detected',
    checking: 'Checking system status',
    title: 'System status',
    database: 'Database',
    uptime: 'Uptime',
  },
  dmca: {
    title: 'DMCA Protection',
    refresh: 'Refresh DMCA Data',
    process: 'PROCESS DMCA',
    empty: 'No files ready for DMCA protection',
    emptyHint: 'Download some Reddit content first',
    loadFailed: (message: string) => `Error loading DMCA files: ${message}`,
    fallback: 'Failed to fetch DMCA files',
    allFailed: 'Failed to process all files',
    loading: 'Loading DMCA files...',
  },
  ai: {
    title: 'AI Caption Generation',
    refresh: 'Refresh AI Data',
    process: 'PROCESS AI',
    empty: 'No files ready for AI processing',
    emptyHint: 'Complete DMCA protection first',
    allFailed: 'Failed to process all AI files',
    loading: 'Loading AI files...',
    loadFailed: (message: string) => `Error loading AI files: ${message}`,
    fallback: 'Failed to fetch AI files',
    quota: 'AI requests',
    quotaOf: (provider: string) => `AI requests (${provider})`,
    waits: (reason: string, until: string | null) => (until === null ? reason : `Waiting until ${until}: ${reason}`),
    quotaUsed: (used: number, limit: number) => `${used} of ${limit} today`,
    dismiss: 'Dismiss',
  },
  run: (done: number, total: number, left: string | null) => `Run: ${done} of ${total}${left === null ? '' : ` · ${left} left`}`,
  publishing: {
    next: 'Next post',
    none: 'Nothing is scheduled',
    unknown: 'Unknown: the queue status could not be loaded',
    stopped: 'The queue is stopped.',
    week: 'Last 7 days',
    sum: (value: number) => `${count(value)} published`,
    failed: (value: number) => `${count(value)} failed`,
    day: (name: string, posted: number, failed: number) => `${name}: ${posted} published, ${failed} failed`,
  },
  more: (left: number) => `And ${left} more files...`,
  clear: {
    title: 'Clear All Data',
    warning: 'All data is permanently deleted and cannot be undone.',
    goes: 'Downloads, processed content, the queue, skipped posts and logs are deleted.',
    goesTitle: 'Deleted:',
    downloads: (value: number) => `Downloads and their files: ${posts(value)}`,
    processed: (ready: number, posted: number) => `Processed content: ${posts(ready)} ready, ${count(posted)} posted`,
    queue: (value: number) => `The queue: ${posts(value)}`,
    skipped: (known: number | undefined) => (known === undefined ? 'Skipped posts' : `Skipped posts: ${count(known)}`),
    logs: 'Browser logs',
    running: (seconds: number, most: number) => `Clearing, ${seconds} s of at most ${most} s`,
    cancel: 'Cancel',
    stays:
      'Kept: the audit log, subreddits and settings, the rights register, provenance records, the records that prevent duplicates, and the publish ledger.',
    typed: 'CLEAR',
    typeIt: 'Type CLEAR to confirm',
    question: 'Clear All Data?',
    done: 'All data cleared',
    counts: ({ posts: items, files, captions, queueItems, skippedPosts, browserLogs }: ClearedData) =>
      `${posts(items)}, ${plural(files, 'file')}, ${plural(captions, 'caption')}, ${count(queueItems)} in the queue, ${plural(skippedPosts, 'skipped post')}, ${plural(browserLogs, 'browser log')}.`,
    stillPublishing: (value: number) =>
      `${posts(value)} may already be published and ${value === 1 ? 'is' : 'are'} kept until that is verified. Clear again afterwards.`,
    failed: (message: string) => `Failed to clear data: ${message}`,
  },
};

export const AI_ERROR_TEXT = {
  quotaHeadline: 'API Quota Exceeded',
  quota: (limit: number) =>
    `The AI provider's daily quota (${limit} requests/day) is exceeded. Please try again tomorrow or upgrade the plan.`,
  waitsUntil: (time: string) => `Waiting until ${time}; the files then continue automatically.`,
  solutions: ['Wait 24 hours', 'Upgrade to a paid plan', 'Use a different API key'],
  headline: 'AI Processing Error',
  authentication: 'API authentication failed. Please check your Gemini API key configuration.',
  failed: 'AI processing failed',
};
