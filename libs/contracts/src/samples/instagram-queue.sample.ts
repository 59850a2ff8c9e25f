import type { QueueItem, QueueStatistics, QueueStatusView } from '../api/instagram-queue.api';
import { LATER_SAMPLE_TIME, OTHER_SAMPLE_ID, SAMPLE_ID, SAMPLE_TIME } from './item.sample';

export const queueItemSample: QueueItem = {
  _id: OTHER_SAMPLE_ID,
  status: 'scheduled',
  priority: 5,
  sourceData: {
    postTitle: 'Morning fog rolling over the valley',
    subreddit: 'EarthPorn',
    originalRedditUrl: 'https://www.reddit.com/r/EarthPorn/comments/1abcde/morning_fog/',
  },
  postData: { mediaType: 'video', caption: 'The valley wakes up slowly.' },
  scheduling: { queuedAt: SAMPLE_TIME, scheduledFor: LATER_SAMPLE_TIME, pinned: false },
  itemId: SAMPLE_ID,
  posterUrl: null,
  outcome: null,
  failure: null,
};

export const queueStatusSample: QueueStatusView = {
  isRunning: true,
  intervalMinutes: 120,
  nextPost: { title: 'Morning fog rolling over the valley', scheduledFor: LATER_SAMPLE_TIME },
  totalInQueue: 5,
  timeBlocking: { enabled: false, startTime: '00:00', endTime: '06:00', timeZone: 'UTC' },
  randomization: { enabled: true, maxDelayMinutes: 15 },
  paused: false,
};

export const queueStatisticsSample: QueueStatistics = {
  totalPosts: 60,
  pendingPosts: 5,
  completedPosts: 48,
  failedPosts: 2,
  averageQueueTimeHours: 6.4,
};

export const queueQuerySample = { status: 'scheduled', page: '1' };
export const enqueueBodySample = { customCaption: 'Fog, light, silence.', postImmediately: false };
export const queueIntervalBodySample = { intervalMinutes: 120 };
export const timeBlockingBodySample = { enabled: true, startTime: '00:00', endTime: '06:00', timeZone: 'Europe/Berlin' };
export const randomizationBodySample = { enabled: true, maxDelayMinutes: 15 };
export const priorityBodySample = { priority: 10 };
export const scheduleBodySample = { scheduledFor: LATER_SAMPLE_TIME };
export const settleBodySample = { outcome: 'live', permalink: 'https://www.instagram.com/reel/Cfog0123456/' };
