import type { ClearedData, Download, ProcessedUrl } from '../api/downloads.api';
import { SAMPLE_ID, SAMPLE_TIME } from './item.sample';

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
