import type { QueueItem, QueuePreview, QueueStatistics, QueueStatusView } from '../api/instagram-queue.api';
import type { ConnectAccountBody, InstagramAccounts } from '../api/instagram-accounts.api';
import type { Compatibility, InstagramConfig } from '../api/instagram.api';
import type { Capabilities, PublishOptions } from '../api/publish-options.api';
import type { Publishing } from '../api/publishing.api';
import type { Claim, CreateClaimBody } from '../api/rights.api';
import { ENVIRONMENT_ACCOUNT_ID } from '../vocabulary';
import { LATER_SAMPLE_TIME, OTHER_SAMPLE_ID, SAMPLE_ID, SAMPLE_TIME } from './items.sample';

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
  kind: 'reel',
  options: {},
  outcome: null,
  failure: null,
  removable: true,
  waiting: null,
};

export const publishOptionsSample: PublishOptions = {
  shareToFeed: true,
  collaborators: ['valley.walks'],
  userTags: ['fog_catcher', { username: 'hillwalker', x: 0.2, y: 0.8 }],
  thumbOffsetMs: 1500,
};

export const capabilitiesSample: Capabilities = {
  login: 'instagram',
  version: 'v26.0',
  versionNote: null,
  capabilities: [
    {
      name: 'shareToFeed',
      label: 'Share to feed',
      kinds: ['reel'],
      instagram: { available: true, reason: null },
      facebook: { available: true, reason: null },
    },
    {
      name: 'audioId',
      label: 'Licensed audio',
      kinds: ['reel'],
      instagram: { available: false, reason: 'Instagram offers it with Facebook Login only.' },
      facebook: { available: true, reason: null },
    },
  ],
};

export const queueStatusSample: QueueStatusView = {
  isRunning: true,
  intervalMinutes: 120,
  backlogLimit: 10,
  equalFailures: 2,
  uncheckedPosts: 'hold',
  nextPost: { title: 'Morning fog rolling over the valley', scheduledFor: LATER_SAMPLE_TIME },
  totalInQueue: 5,
  timeBlocking: { enabled: false, startTime: '00:00', endTime: '06:00', timeZone: 'UTC' },
  randomization: { enabled: true, maxDelayMinutes: 15 },
  paused: false,
  hold: {
    cause: 'quota',
    reason: "Instagram's quota is used up (50 of 50 posts in its window).",
    nextAction: null,
    until: LATER_SAMPLE_TIME,
  },
};

export const queuePreviewSample: QueuePreview = {
  isRunning: true,
  timeZone: 'Europe/Berlin',
  hold: null,
  slots: [
    {
      scheduledFor: LATER_SAMPLE_TIME,
      queueItemId: OTHER_SAMPLE_ID,
      itemId: SAMPLE_ID,
      title: 'Morning fog rolling over the valley',
      priority: 5,
      pinned: false,
      why: {
        basis: 'interval',
        earliestAt: SAMPLE_TIME,
        intervalMinutes: 120,
        randomDelaySeconds: 420,
        blockedSeconds: 0,
        text: '120 minutes after the post before it, plus 7 minutes at random.',
      },
    },
  ],
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
export const backlogLimitBodySample = { backlogLimit: 10 };
export const equalFailuresBodySample = { equalFailures: 2 };
export const priorityBodySample = { priority: 10 };
export const scheduleBodySample = { scheduledFor: LATER_SAMPLE_TIME };
export const inAppTaskSample = {
  caption: 'Fog over the valley at sunrise. 📷 u/hillwalker',
  files: [{ url: '/api/media/video/0197aaaa-0000-7000-8000-000000000001?expires=1790000000&session=s&signature=x', fileName: 'fog.mp4' }],
  collaborators: ['hillwalker', 'valley.pictures'],
};
export const publishedInAppBodySample = { permalink: 'https://www.instagram.com/reel/Cfog0123456/' };
export const settleBodySample = { outcome: 'live', permalink: 'https://www.instagram.com/reel/Cfog0123456/' };

export const instagramConfigSample: InstagramConfig = {
  isConfigured: true,
  missing: [],
  canPublishImages: false,
  canPublishVideos: true,
  mediaHint: 'Pictures and galleries need CDN_BASE_URL, an address that the internet reaches.',
  hashtagLimit: { max: 5, since: '2025-12-18', source: 'Instagram, announcement of 18 December 2025' },
  account: { username: 'autoposter', ok: true, detail: 'Token is valid', checkedAt: SAMPLE_TIME },
};

export const compatibilitySample: Compatibility = {
  success: true,
  ffmpeg: { available: true, message: 'FFmpeg 7.1 is available' },
  ffprobe: { available: true, message: 'FFprobe 7.1 is available' },
  error: null,
  checkedAt: SAMPLE_TIME,
};

export const instagramAccountsSample: InstagramAccounts = {
  accounts: [
    {
      id: ENVIRONMENT_ACCOUNT_ID,
      source: 'environment',
      userId: '17841400000000042',
      username: 'autoposter.demo',
      login: 'facebook',
      status: 'ready',
      detail: 'Connected through Facebook Login.',
      tokenExpiresAt: null,
      checkedAt: SAMPLE_TIME,
      connectedBy: null,
      publishing: { paused: false, by: null, since: null },
      needsPermission: false,
      waiting: 5,
    },
    {
      id: OTHER_SAMPLE_ID,
      source: 'connected',
      userId: '17841400000000043',
      username: 'autoposter.second',
      login: 'instagram',
      status: 'ready',
      detail: 'Connected through Instagram Login. 2 of 50 posts used in the last 24 hours.',
      tokenExpiresAt: LATER_SAMPLE_TIME,
      checkedAt: SAMPLE_TIME,
      connectedBy: 'admin@example.com',
      publishing: { paused: false, by: null, since: null },
      needsPermission: true,
      waiting: 0,
    },
  ],
  logins: [
    { login: 'instagram', missing: null },
    { login: 'facebook', missing: 'FACEBOOK_APP_ID' },
  ],
  connection: { status: 'connected', message: 'Connected @autoposter.second.', login: 'instagram' },
};
export const connectAccountBodySample: ConnectAccountBody = { login: 'instagram' };

export const publishingStoppedSample: Publishing = {
  paused: true,
  by: 'autoposter',
  since: SAMPLE_TIME,
  cause: 'token',
  reason: 'The Instagram access token has expired.',
  nextAction: 'Create a new access token and set INSTAGRAM_ACCESS_TOKEN.',
};
export const publishingRunningSample: Publishing = { paused: false, by: null, since: null };

export const createClaimBodySample: CreateClaimBody = { title: 'Valley at dawn', claimant: 'North Light Pictures', itemId: SAMPLE_ID };
export const claimSample: Claim = {
  id: SAMPLE_ID,
  title: 'Valley at dawn',
  claimant: 'North Light Pictures',
  contact: null,
  sourceUrl: null,
  note: null,
  status: 'active',
  statusNote: null,
  scope: 'audiovisual',
  noticeReference: 'NL-2026-17',
  noticeDate: '2026-05-04',
  expiresAt: null,
  targets: [{ kind: 'url', key: 'reddit:1abcde' }],
  allowed: [
    {
      id: SAMPLE_ID,
      kind: 'author',
      key: 'reddit:north_light',
      reason: 'The claimant posts it here.',
      expiresAt: null,
      createdBy: 'ada@example.com',
      createdAt: SAMPLE_TIME,
    },
  ],
  work: null,
  fingerprints: 12,
  createdBy: 'ada@example.com',
  createdAt: SAMPLE_TIME,
  held: { blocked: 2, flagged: 1, out: [{ id: SAMPLE_ID, title: 'Morning fog rolling over the valley' }] },
};
export const claimedWorkSample: Claim['work'] = {
  state: 'stored',
  bytes: 1_200_000,
  sha256: 'ab'.repeat(32),
  mediaType: 'video',
  message: null,
  files: 1,
  urls: [],
  missed: [],
};
export const requestedWorkSample: Claim['work'] = {
  state: 'requested',
  bytes: null,
  sha256: null,
  mediaType: null,
  message: null,
  files: 0,
  urls: ['https://northlight.example/valley.jpg'],
  missed: [],
};
export const claimsQuerySample = { status: 'active', page: '1' };
