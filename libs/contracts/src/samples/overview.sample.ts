import type { FailureEntry, Overview } from '../api/overview.api';
import { OTHER_SAMPLE_ID, SAMPLE_TIME } from './item.sample';

export const overviewSample: Overview = {
  rooms: {
    download: { waiting: 2, running: 1, failed: 1 },
    dmca: { waiting: 3, running: 1, failed: 0 },
    ai: { waiting: 4, running: 0, failed: 0 },
    ready: 12,
    queued: 5,
    posted: 48,
  },
  aiQuota: { used: 37, limit: 50 },
  unseenFailures: 1,
  publishingPaused: false,
};

export const failureEntrySample: FailureEntry = {
  id: OTHER_SAMPLE_ID,
  kind: 'item',
  title: 'Morning fog rolling over the valley',
  platform: 'reddit',
  stage: 'download',
  message: 'Reddit no longer has the video.',
  nextAction: 'Open the post and check that it is still there.',
  occurredAt: SAMPLE_TIME,
};

export const failuresSample = { unseen: 1, failures: [failureEntrySample] };
export const failuresSeenBodySample = { ids: [OTHER_SAMPLE_ID] };
