import { z } from 'zod';
import { JOB_STATES, MEDIA_TYPES, PLATFORMS, POST_CHECKS, POST_DIFFERENCES } from '../vocabulary';
import { STAGES } from '../stages/stages';
import { momentSchema, successOf } from './envelope.api';
import { itemProgressFields, processingErrorSchema } from './item-progress.api';
import { defineRoutes, get, post } from './route';

const captionVariationSchema = z.object({ variation: z.string(), tone: z.string(), length: z.string(), caption: z.string() });
export type CaptionVariationView = z.infer<typeof captionVariationSchema>;

/** What the vision model saw. `confidence` 0 to 1. */
const visionAnalysisSchema = z.object({
  visualContent: z.string(),
  emotionalTone: z.string(),
  contentTheme: z.string(),
  instagramOptimization: z.string(),
  captionDirection: z.string(),
  confidence: z.number().min(0).max(1),
  rawAnalysis: z.string(),
});
export type VisionAnalysis = z.infer<typeof visionAnalysisSchema>;

const textAnalysisSchema = z.object({
  wordCount: z.int().min(0),
  characterCount: z.int().min(0),
  sentiment: z.string(),
  hasCallToAction: z.boolean(),
  mainCaption: z.string(),
  hashtagCategories: z.record(z.string(), z.array(z.string())),
});
export type TextAnalysis = z.infer<typeof textAnalysisSchema>;

const aiContentSchema = z.object({
  caption: z.string(),
  hashtags: z.array(z.string()),
  captionVariations: z.array(captionVariationSchema),
  analysis: z.string().nullable(),
  processedAt: momentSchema,
  detailedAnalysis: z.object({ gemini: visionAnalysisSchema.nullable(), groq: textAnalysisSchema.nullable() }).nullable(),
  /** Rules of the platform or of Autoposter that the caption violates; empty when it may be posted. */
  violations: z.array(z.string()).optional(),
  editedBy: z.string().nullable().optional(),
  /** Whether the details contain a detailed analysis; lists omit it. */
  hasDetailedAnalysis: z.boolean().optional(),
});
export type AiContent = z.infer<typeof aiContentSchema>;

const topCommentSchema = z.object({
  id: z.string(),
  author: z.string(),
  score: z.int(),
  body: z.string(),
  /** The first replies, shortened. */
  replies: z.array(z.unknown()),
  /** All replies below the comment, those that are not listed among them. */
  replyCount: z.int().optional(),
});
export type TopComment = z.infer<typeof topCommentSchema>;

const instagramPostSchema = z.object({
  postedAt: momentSchema,
  instagramMediaId: z.string(),
  mediaType: z.string(),
  caption: z.string(),
  permalink: z.string().nullable().optional(),
});

/** `fileSize` in bytes. `processedCdnUrl` is null until the file is in the Reels profile. */
export const contentItemSchema = z.object({
  id: z.uuid(),
  title: z.string(),
  platform: z.enum(PLATFORMS),
  subreddit: z.string().nullable(),
  author: z.string().nullable(),
  mediaType: z.enum(MEDIA_TYPES),
  fileSize: z.int().min(0),
  filename: z.string(),
  url: z.string(),
  cdnUrl: z.string().nullable(),
  processedCdnUrl: z.string().nullable(),
  status: z.string(),
  aiContent: aiContentSchema.nullable(),
  commentsData: z.object({ topComments: z.array(topCommentSchema) }).nullable(),
  instagramPost: instagramPostSchema.nullable(),
  ...itemProgressFields,
  /** Address of the post at its source. */
  originalUrl: z.string().optional(),
  durationSeconds: z.number().nullable().optional(),
  /** Length at the source if the video was cut to the maximum length of a Reel. */
  trimmedFromSeconds: z.number().nullable().optional(),
  mediaCount: z.int().min(0).optional(),
  /** Files of a long gallery that do not fit into one post. */
  filesLeftOut: z.int().min(0).optional(),
  /** Different sizes of the original files, without bars, that are shown with more pixels. */
  enlargedFrom: z.array(z.object({ width: z.number(), height: z.number() })).optional(),
  /** C2PA manifests of the original files. Neither signature nor certificate is verified. */
  contentCredentials: z.array(z.object({ issuer: z.string().nullable(), verified: z.literal(false) })).optional(),
});
export type ContentItem = z.infer<typeof contentItemSchema>;

/** One entry of an item's history, oldest first. */
const timelineEntrySchema = z.object({
  seq: z.int(),
  type: z.string(),
  stage: z.enum(STAGES).nullable(),
  state: z.string().nullable(),
  reason: z.string().nullable(),
  actor: z.string(),
  occurredAt: momentSchema,
});
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** One job of the item. A stage that was requested again has a job for each request. */
const stageRunSchema = z.object({
  stage: z.enum(STAGES),
  state: z.enum(JOB_STATES),
  attempts: z.int().min(0),
  maxAttempts: z.int().min(1),
  requestedAt: momentSchema,
  startedAt: momentSchema.nullable(),
  finishedAt: momentSchema.nullable(),
  /** When a waiting or retrying job continues. */
  dueAt: momentSchema.nullable(),
  waitReason: z.string().nullable(),
  failure: z.object({ message: z.string(), nextAction: z.string().nullable() }).nullable(),
  /** Attempts that did not end well, oldest first. */
  endings: z.array(z.object({ at: momentSchema, attempt: z.int(), outcome: z.string(), message: z.string().nullable() })),
});
export type StageRun = z.infer<typeof stageRunSchema>;

/** `doneAt` is null until it is done; the copyright check is repeated daily. */
const postCheckSchema = z.object({
  kind: z.enum(POST_CHECKS),
  dueAt: momentSchema,
  doneAt: momentSchema.nullable(),
  failure: z.string().nullable(),
  differences: z.array(z.enum(POST_DIFFERENCES)).optional(),
  metrics: z.record(z.string(), z.number()).optional(),
  /** Works that Instagram found in the post. */
  matches: z.array(z.string()).optional(),
});
export type PostCheck = z.infer<typeof postCheckSchema>;

const rightsVerdictSchema = z.object({
  verdict: z.enum(['clear', 'flagged', 'blocked']),
  reasons: z.array(z.string()),
  decidedAt: momentSchema,
});

/** All details of an item in any state; values that do not exist yet are null. */
export const contentDetailsSchema = contentItemSchema.extend({
  downloadStatus: z.string(),
  processingErrors: z.array(processingErrorSchema),
  timeline: z.array(timelineEntrySchema),
  /** Oldest first. */
  stages: z.array(stageRunSchema).optional(),
  rights: rightsVerdictSchema.nullable(),
  /** Of a published post. */
  postChecks: z.array(postCheckSchema).optional(),
});
export type ContentDetails = z.infer<typeof contentDetailsSchema>;

export const contentItemResponseSchema = successOf(contentItemSchema);

export const contentRoutes = defineRoutes({
  details: get('/api/content/:id', 'Everything about one item', { response: successOf(contentDetailsSchema) }),
  restore: post('/api/content/:id/restore', 'Restores a discarded item', { response: contentItemResponseSchema }),
});
