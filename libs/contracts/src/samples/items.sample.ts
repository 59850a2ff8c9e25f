import type { ReadyForAi } from '../api/ai.api';
import type { ContentDetails, ContentItem } from '../api/content.api';
import type { ReadyForDmca } from '../api/dmca.api';
import type { ClearedData, Download, ProcessedUrl } from '../api/downloads.api';
import type { AcceptedItem, Acknowledged, ErrorResponse, Pagination, ProcessAllResponse } from '../api/envelope.api';
import { LIMITS } from '../limits';

/** Ids and times that the samples share. */
export const SAMPLE_ID = '01939e2a-6f3b-7c11-8a55-2f0d3c9b7e10';
export const OTHER_SAMPLE_ID = '01939e2a-6f3b-7c11-8a55-2f0d3c9b7e11';
export const THIRD_SAMPLE_ID = '01939e2a-6f3b-7c11-8a55-2f0d3c9b7e12';
export const SAMPLE_TIME = '2026-11-21T09:00:00.000Z';
export const LATER_SAMPLE_TIME = '2026-11-21T11:05:00.000Z';

export const ackSample: Acknowledged = { success: true, message: 'Done' };

export const errorSample: ErrorResponse = {
  success: false,
  error: 'The interval must be at least 5 minutes',
  message: 'The interval must be at least 5 minutes',
  requestId: 'req-4f2a',
  code: 'invalid_input',
  issues: [{ field: 'interval', rule: 'must be at least 5', value: '4' }],
};

export const idParamsSample = { id: SAMPLE_ID };

export const paginationSample: Pagination = { currentPage: 1, totalPages: 3, totalCount: 120, hasPrevPage: false, hasNextPage: true };

export const processAllSample: ProcessAllResponse = {
  success: true,
  processed: 10,
  total: 12,
  skipped: 2,
  message: '10 files accepted, 2 left out',
  runId: OTHER_SAMPLE_ID,
};

export const acceptedItemSample: AcceptedItem = { id: SAMPLE_ID, state: 'protecting', jobId: OTHER_SAMPLE_ID };

const caption = 'The valley wakes up slowly. Which morning would you choose?';

export const contentItemSample: ContentItem = {
  id: SAMPLE_ID,
  title: 'Morning fog rolling over the valley',
  platform: 'reddit',
  subreddit: 'EarthPorn',
  author: 'fogwatcher',
  mediaType: 'video',
  fileSize: 7_340_032,
  filename: 'morning-fog.mp4',
  url: `/api/media/video/${SAMPLE_ID}?expires=1795255200&signature=abc`,
  cdnUrl: `/api/media/video/${SAMPLE_ID}?expires=1795255200&signature=abc`,
  processedCdnUrl: `/api/media/video/${SAMPLE_ID}?expires=1795255200&signature=abc`,
  status: 'ai_completed',
  aiContent: {
    caption,
    hashtags: ['#fog', '#valley', '#morninglight', '#landscape', '#nature', '#mountains', '#sunrise', '#calm'],
    captionVariations: [
      { variation: 'short', tone: 'calm', length: 'short', caption: 'Fog, light, silence.' },
      { variation: 'question', tone: 'engaging', length: 'medium', caption: 'Would you get up at five for this?' },
      { variation: 'story', tone: 'warm', length: 'long', caption: 'Every morning the fog climbs out of the river and takes its time.' },
    ],
    analysis: 'A slow landscape clip with strong morning light.',
    processedAt: SAMPLE_TIME,
    detailedAnalysis: {
      gemini: {
        visualContent: 'Fog drifts over a wooded valley at sunrise.',
        emotionalTone: 'Calm',
        contentTheme: 'Nature',
        instagramOptimization: 'Strong first frame, good for a slow Reel.',
        captionDirection: 'Invite viewers to name their favourite morning.',
        confidence: 0.92,
        rawAnalysis: 'Landscape, fog, sunrise, no people, no text.',
      },
      groq: {
        wordCount: 9,
        characterCount: caption.length,
        sentiment: 'positive',
        hasCallToAction: true,
        mainCaption: caption,
        hashtagCategories: { place: ['#valley', '#mountains'], mood: ['#calm'] },
      },
    },
    violations: [],
  },
  commentsData: {
    topComments: [
      {
        id: 'c1',
        author: 'earlybird',
        score: 812,
        body: 'I can hear how quiet this is.',
        replies: [{ id: 'c1a', author: 'hillwalker', score: 31, body: 'So can I.' }],
        replyCount: 2,
      },
      { id: 'c2', author: 'hillwalker', score: 240, body: 'Where is that?', replies: [], replyCount: 0 },
    ],
  },
  instagramPost: null,
  state: 'ready',
  autoProcessStage: 'processedContent',
  posterUrl: `/api/media/cover/${SAMPLE_ID}?expires=1795255200&signature=abc`,
  videoUrl: `/api/media/video/${SAMPLE_ID}?expires=1795255200&signature=abc`,
  originalUrl: 'https://www.reddit.com/r/EarthPorn/comments/1abcde/morning_fog/',
  durationSeconds: 14.2,
  mediaCount: 1,
  trimmedFromSeconds: null,
  filesLeftOut: 0,
  enlargedFrom: [],
  contentCredentials: [],
  updatedAt: LATER_SAMPLE_TIME,
};

export const postedItemSample: ContentItem = {
  ...contentItemSample,
  status: 'instagram_posted',
  state: 'posted',
  instagramPost: {
    postedAt: LATER_SAMPLE_TIME,
    instagramMediaId: '17900000000000001',
    mediaType: 'REELS',
    caption,
    permalink: 'https://www.instagram.com/reel/Cabc123/',
  },
};

export const contentDetailsSample: ContentDetails = {
  ...contentItemSample,
  downloadStatus: 'completed',
  processingErrors: [],
  timeline: [
    {
      seq: 1,
      type: 'download.completed',
      stage: 'download',
      state: 'downloaded',
      reason: null,
      actor: 'system',
      occurredAt: SAMPLE_TIME,
    },
  ],
  stages: [
    {
      stage: 'download',
      state: 'done',
      attempts: 2,
      maxAttempts: 3,
      requestedAt: SAMPLE_TIME,
      startedAt: SAMPLE_TIME,
      finishedAt: LATER_SAMPLE_TIME,
      dueAt: null,
      waitReason: null,
      failure: null,
      endings: [{ at: SAMPLE_TIME, attempt: 1, outcome: 'retrying', message: 'The connection was cut.' }],
    },
  ],
  rights: { verdict: 'clear', reasons: [], decidedAt: SAMPLE_TIME },
};

export const downloadSample: Download = {
  _id: SAMPLE_ID,
  title: 'Morning fog rolling over the valley',
  platform: 'reddit',
  subreddit: 'EarthPorn',
  author: 'fogwatcher',
  originalUrl: 'https://www.reddit.com/r/EarthPorn/comments/1abcde/morning_fog/',
  postType: 'video',
  status: 'downloaded',
  retryCount: 0,
  maxRetries: 3,
  createdAt: SAMPLE_TIME,
  redditData: { score: 1520, upvoteRatio: 0.97 },
  instagramData: null,
  fileInfo: {
    fileName: 'morning-fog.mp4',
    fileSize: 8_912_896,
    cdnUrl: `/api/media/video/${SAMPLE_ID}?expires=1795255200&signature=abc`,
    dimensions: { width: 1080, height: 1920 },
    storageType: 'local',
  },
  processingErrors: [],
  state: 'downloaded',
  failedStage: null,
  autoProcessStage: 'dmcaProtection',
  needsReview: false,
  reviewReasons: [],
  waiting: null,
  updatedAt: SAMPLE_TIME,
};

export const failedDownloadSample: Download = {
  ...downloadSample,
  status: 'failed',
  retryCount: 1,
  fileInfo: null,
  processingErrors: [{ stage: 'download', message: 'Reddit no longer has the video.', timestamp: SAMPLE_TIME }],
  state: 'failed',
  failedStage: 'download',
  nextAction: 'Open the post and check that it is still there.',
};

export const processUrlBodySample = { url: downloadSample.originalUrl };
export const processedUrlSample: ProcessedUrl = {
  id: SAMPLE_ID,
  _id: SAMPLE_ID,
  status: 'pending',
  originalUrl: downloadSample.originalUrl,
  known: false,
};
export const downloadsQuerySample = { limit: '50', status: 'failed' };

const clearedDataSample: ClearedData = {
  posts: 120,
  files: 360,
  captions: 80,
  queueItems: 40,
  skippedPosts: 900,
  browserLogs: 12,
  stillPublishing: 1,
};
export const clearAllSample = { success: true, message: '120 posts were deleted.', data: clearedDataSample };

export const mediaQuerySample = { expires: '1795255200', signature: 'abc', file: '0' };

export const readyForDmcaSample: ReadyForDmca = {
  id: SAMPLE_ID,
  fileName: 'morning-fog.mp4',
  fileType: 'video/mp4',
  platform: 'reddit',
  subreddit: 'EarthPorn',
  author: 'fogwatcher',
  fileSize: 8_912_896,
  title: 'Morning fog rolling over the valley',
  state: 'downloaded',
  updatedAt: SAMPLE_TIME,
};

export const dmcaProcessAllBodySample = { batchSize: 1, delayBetweenFiles: 3000, maxFiles: 100 };

export const readyForAiSample: ReadyForAi = {
  id: SAMPLE_ID,
  filename: 'morning-fog.mp4',
  mediaType: 'video',
  platform: 'reddit',
  subreddit: 'EarthPorn',
  author: 'fogwatcher',
  fileSize: 7_340_032,
  title: 'Morning fog rolling over the valley',
  state: 'protected',
  updatedAt: SAMPLE_TIME,
};

export const captionOptionsSample = { ...LIMITS.ai.options };
export const aiProcessAllBodySample = { batchSize: 1, delayBetweenFiles: 5000, maxFiles: 10, ...LIMITS.ai.options };
export const updateCaptionBodySample = { caption: 'Fog, light and a quiet valley.', hashtags: ['#fog', 'valley'] };
