import { z } from 'zod';
import { DOWNLOAD_STATUSES, PLATFORMS, POST_TYPES } from '../vocabulary';
import { acceptedItemResponseSchema, acknowledgedSchema, cursorQuerySchema, listOf, momentSchema, successOf } from './envelope.api';
import { itemProgressFields, processingErrorSchema } from './item-progress.api';
import { defineRoutes, del, get, post } from './route';

const STORAGE_TYPES = ['cdn', 'local'] as const;

/** `fileSize` in bytes, dimensions in pixels. */
const fileInfoSchema = z.object({
  fileName: z.string(),
  fileSize: z.int().min(0),
  cdnUrl: z.string().nullable(),
  dimensions: z.object({ width: z.int().min(0), height: z.int().min(0) }).nullable(),
  storageType: z.enum(STORAGE_TYPES),
});

/** `upvoteRatio` 0 to 1. */
const redditDataSchema = z.object({ score: z.int(), upvoteRatio: z.number().min(0).max(1).nullable() });
const instagramDataSchema = z.object({ likes: z.int().min(0).nullable() });

/** `retryCount` counts retries by hand. */
export const downloadSchema = z.object({
  _id: z.uuid(),
  title: z.string(),
  platform: z.enum(PLATFORMS),
  subreddit: z.string().nullable(),
  author: z.string().nullable(),
  originalUrl: z.string(),
  postType: z.enum(POST_TYPES),
  status: z.enum(DOWNLOAD_STATUSES),
  retryCount: z.int().min(0),
  maxRetries: z.int().min(0).optional(),
  createdAt: momentSchema,
  redditData: redditDataSchema.nullable(),
  instagramData: instagramDataSchema.nullable(),
  fileInfo: fileInfoSchema.nullable(),
  processingErrors: z.array(processingErrorSchema),
  ...itemProgressFields,
});
export type Download = z.infer<typeof downloadSchema>;

export const downloadsQuerySchema = cursorQuerySchema.extend({ status: z.enum(DOWNLOAD_STATUSES).optional() });
export type DownloadsQuery = z.infer<typeof downloadsQuerySchema>;

/** One pasted address of a post. */
export const processUrlBodySchema = z.strictObject({ url: z.string().trim().min(1, 'Please give the address of a post').max(2000) });
export type ProcessUrlBody = z.infer<typeof processUrlBodySchema>;

/** The item that the address led to; `known` is true when it already existed. `notice`: why it cannot be published again. */
const processedUrlSchema = z.object({
  id: z.uuid(),
  _id: z.uuid(),
  status: z.enum(DOWNLOAD_STATUSES),
  originalUrl: z.string(),
  known: z.boolean().optional(),
  notice: z.string().optional(),
});
export type ProcessedUrl = z.infer<typeof processedUrlSchema>;

/** Numbers of what Clear All deleted. Posts that may be published already stay until that is known. */
const clearedDataSchema = z.object({
  posts: z.int().min(0),
  files: z.int().min(0),
  captions: z.int().min(0),
  queueItems: z.int().min(0),
  skippedPosts: z.int().min(0),
  browserLogs: z.int().min(0),
  stillPublishing: z.int().min(0),
});
export type ClearedData = z.infer<typeof clearedDataSchema>;

const byUrl = { body: processUrlBodySchema, response: successOf(processedUrlSchema) };
const accepted = { response: acceptedItemResponseSchema };

export const downloadsRoutes = defineRoutes({
  list: get('/api/downloads', 'All posts that were asked for', { query: downloadsQuerySchema, response: listOf(downloadSchema) }),
  remove: del('/api/downloads/:id', 'Removes a post and its files', { response: acknowledgedSchema }),
});

export const redditRoutes = defineRoutes({
  process: post('/api/reddit/process', 'Takes in a Reddit post by its address', byUrl),
  retry: post('/api/reddit/retry/:id', 'Tries a failed Reddit post again', accepted),
  clearAll: del('/api/reddit/clear-all', 'Deletes all data but audit log, rights register, provenance, tombstones and publish ledger', {
    response: acknowledgedSchema.extend({ data: clearedDataSchema.optional() }),
  }),
});

export const instagramSourceRoutes = defineRoutes({
  process: post('/api/instagram/process', 'Takes in an Instagram post by its address', byUrl),
  retry: post('/api/instagram/retry/:id', 'Tries a failed Instagram post again', accepted),
});

export const pipelineRoutes = defineRoutes({
  processComplete: post(
    '/api/pipeline/process-complete',
    'Takes in a post by its address and brings it to the queue without stopping',
    byUrl,
  ),
});
