import type { ContentDetails, ContentItem } from '../api/content.api';
import { LATER_SAMPLE_TIME, SAMPLE_ID, SAMPLE_TIME } from './item.sample';

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
