import type { AiProviderStatus, FailureEntry, Overview } from '../api/overview.api';
import { LATER_SAMPLE_TIME, OTHER_SAMPLE_ID, SAMPLE_TIME } from './item.sample';

export const aiProviderSample: AiProviderStatus = {
  provider: 'gemini',
  name: 'Gemini',
  model: 'gemini-3.8-flash',
  used: 37,
  limit: 50,
  resetsAt: LATER_SAMPLE_TIME,
  problem: null,
};

export const overviewSample: Overview = {
  stages: {
    download: { waiting: 2, running: 1, failed: 1 },
    dmca: { waiting: 3, running: 1, failed: 0 },
    ai: { waiting: 4, running: 0, failed: 0 },
    ready: 12,
    queued: 5,
    posted: 48,
  },
  aiQuota: { used: 37, limit: 50 },
  aiProviders: [aiProviderSample],
  unseenFailures: 1,
  publishingPaused: false,
};

export const failureEntrySample: FailureEntry = {
  id: OTHER_SAMPLE_ID,
  kind: 'item',
  title: 'Morning fog rolling over the valley',
  platform: 'reddit',
  stage: 'download',
  code: 'not_found',
  message: 'Reddit no longer has the video.',
  nextAction: 'Open the post and check that it is still there.',
  occurredAt: SAMPLE_TIME,
};

export const failuresSample = { unseen: 1, failures: [failureEntrySample] };
export const failuresSeenBodySample = { ids: [OTHER_SAMPLE_ID] };
