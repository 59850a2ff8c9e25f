import { STAGE_FACTS } from './stages/stages';

/**
 * Hashtags of a post: the default of INSTAGRAM_HASHTAG_LIMIT, which prompt, caption policy, API and console follow. Instagram accepts at
 * most 5 since 18 December 2025 (its announcement of that date); pages of the API that name 30 are older. `highest` bounds the variable.
 */
export const HASHTAG_LIMIT = { max: 5, since: '2025-12-18', source: 'Instagram, announcement of 18 December 2025', highest: 30 } as const;

/** Every limit and default of the product, once. Units are in the names. */
export const LIMITS = {
  http: { timeoutMs: 10_000, clearAllTimeoutMs: 30_000 },
  subreddit: {
    intervalMinutes: { min: 5, max: 1440, default: 60 },
    postsToFetch: { min: 1, max: 100, default: 100 },
    minScore: { min: 0, default: 1 },
    maxAgeHours: { min: 1, max: 168, default: 24 },
  },
  queue: {
    intervalMinutes: { min: 30, max: 1440, default: 120 },
    maxDelayMinutes: { min: 0, max: 60, default: 15 },
    priority: { min: 0, max: 10, default: 5 },
    /** Waiting posts that have a slot at a time; at the shortest interval these are six days. */
    plannedAhead: 300,
    /** Posts that may miss their time, as in an outage, before an administrator is asked. */
    backlogLimit: { min: 1, max: 1000, default: 10 },
    /** Posts in a row that fail for the same reason before publishing is paused. */
    equalFailures: { min: 1, max: 10, default: 2 },
    timeBlocking: { enabled: false, startTime: '00:00', endTime: '06:00' },
    pageSize: 20,
  },
  /** Limits of Instagram's API. Source: Instagram Platform reference, IG User Media, of September 2026. */
  publishOptions: {
    collaborators: 3,
    userTags: 20,
    altTextCharacters: 1000,
    carouselFiles: 10,
    firstCommentCharacters: 2200,
    thumbOffsetMs: 900_000,
    audioNameCharacters: 100,
    sponsors: 2,
    productTags: 5,
    coverBytes: 8 * 1024 * 1024,
  },
  skippedPosts: { pageSize: 50 },
  /** The defaults of each stage are in the stage catalogue. */
  processAll: { ...STAGE_FACTS.processAll, labelCountsTo: 10 },
  /** Files that one answer of `/dmca/ready` or `/ai/ready` lists. */
  readyFiles: 1_000,
  ai: {
    requestsPerDay: 50,
    options: { tone: 'engaging', length: 'medium', includeHashtags: true, targetAudience: 'general', callToAction: true },
  },
  caption: { maxCharacters: 2200, maxHashtags: HASHTAG_LIMIT.max, maxHashtagCharacters: 100, maxMentions: 20 },
  reels: { width: 1080, height: 1920, minResolution: 720, minFps: 30, maxSeconds: 90, coverWidth: 420, coverHeight: 654 },
  /**
   * Thresholds of the rights decision, chosen between what trials of the method found for copies and for other works. Videos: clips that hold
   * the work score 0.6 and more, the same fixed camera at other minutes at most 0.1. Pictures: copies correlate from 0.74 on, cards of one
   * layout with other words up to 0.59. `npm run bench -- rights` counts what the defaults find and what they block.
   */
  rightsThresholds: {
    /** Shares of one video in the other from which a post is blocked, and flagged. */
    videoBlockShare: { min: 0.3, max: 1, default: 0.6 },
    videoFlagShare: { min: 0.05, max: 0.9, default: 0.25 },
    /** A shorter excerpt of a longer work is flagged from this length on. */
    videoExcerptSeconds: { min: 1, max: 60, default: 4 },
    /** Registered correlation of a copy, for a block; of cards with few colours, and of strips of a work, also for a flag. */
    pictureCorrelation: { min: 0.5, max: 0.95, default: 0.65 },
    /**
     * Correlation of the area that agrees least, of the size of a digit or a few words, for a block. Memes of one photograph with other words
     * reach 0.8; one other digit in a price or in the number of a day leaves at most 0.8, with few exceptions; of the copies of screenshots and
     * photographs 97 % have more. Pictures without enough detail count as 0.7, so that no setting blocks them.
     */
    pictureLeastAlike: { min: 0.75, max: 0.98, default: 0.82 },
    /**
     * Share of the bits of two sounds that may differ where they are the same: copies (AAC 32k, excerpt, gain, added noise, equaliser) 0.09 at
     * most, 3 % faster 0.19; and the length from which that is flagged: unrelated generated music agrees for 4.7 s at most.
     */
    soundBitErrors: { min: 0.05, max: 0.3, default: 0.22 },
    soundSeconds: { min: 3, max: 60, default: 6 },
  },
  /**
   * Instagram recommends accounts whose posts of the last 30 days are mostly original (announcements of 2024 and of May 2026); it publishes no
   * exact share. The rule of the queue applies from `minPosts` on: the share of fewer posts means little.
   */
  originality: { windowDays: 30, minPosts: 5, maxRepostShare: { min: 0.1, max: 1, default: 0.5 } },
  retries: { maxByHand: 3 },
  /** Counts end at `countedJobs`, and sources are read of `jobsWithSource` jobs: both cost the same with any number of jobs. */
  countedJobs: 10_000,
  jobsWithSource: 1_000,
  scheduler: { intervalMinutes: 5 },
  polling: { queueStatusMs: 30_000, queueStatisticsMs: 60_000, logsMs: 5_000, noticeMs: 5_000 },
  cache: { staleMs: 300_000, keepMs: 600_000 },
  logs: { lines: [50, 100, 200, 500, 1000], defaultLines: 100 },
  browserLogs: { batchSize: 5, everyMs: 1_000 },
  pagination: { maxButtons: 5 },
  console: {
    dashboardFiles: 3,
    titleCharacters: 60,
    captionPreviewCharacters: 80,
    variationCharacters: 100,
    commentCharacters: 120,
    cardHashtags: 3,
    reelsHashtags: 6,
    reelsVariations: 3,
    reelsComments: 3,
    lazyVideoMarginPx: 100,
    lazyVideoThreshold: 0.1,
  },
} as const;
