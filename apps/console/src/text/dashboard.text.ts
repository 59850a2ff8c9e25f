import { LIMITS } from '@autoposter/contracts';

const TOP = LIMITS.processAll.labelCountsTo;

/** "Process All (7)", "Process All (10+)". */
export const processAllLabel = (ready: number): string => `Process All (${ready > TOP ? `${TOP}+` : ready})`;

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
    dismiss: 'Dismiss',
  },
  more: (left: number) => `And ${left} more files...`,
  clear: {
    title: 'Clear All Data',
    warning: 'All data is permanently deleted and cannot be undone.',
    goes: 'Downloads, processed content, the queue, skipped posts and logs go.',
    stays: 'What stays: the audit log, the rights register, provenance records, what keeps posts from coming back, and the publish ledger.',
    typed: 'CLEAR',
    typeIt: 'Type CLEAR to go on',
    question: 'Clear All Data?',
    done: 'All data was cleared',
    failed: (message: string) => `Failed to clear data: ${message}`,
  },
};

export const AI_ERROR_TEXT = {
  quotaHeadline: 'API Quota Exceeded',
  quota: `The AI provider's daily quota (${LIMITS.ai.requestsPerDay} requests/day) is exceeded. Please try again tomorrow or upgrade the plan.`,
  solutions: ['Wait 24 hours', 'Upgrade to a paid plan', 'Use a different API key'],
  headline: 'AI Processing Error',
  authentication: 'API authentication failed. Please check your Gemini API key configuration.',
  failed: 'AI processing failed',
};
