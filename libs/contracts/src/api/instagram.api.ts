import { z } from 'zod';
import { acknowledgedSchema, momentSchema, successOf } from './envelope.api';
import { capabilitiesSchema } from './publish-options.api';
import { defineRoutes, get, post } from './route';

/**
 * `missing` names the variables that are not set, never their values. Instagram fetches pictures (galleries included) from a public
 * address only; a video it may also take as an upload. `mediaHint` says what to set where one of the two cannot be published. A connected
 * account counts as configured while it is ready to publish; `account` is the check of the environment's account only.
 */
export const instagramConfigSchema = z.object({
  isConfigured: z.boolean(),
  missing: z.array(z.string()).optional(),
  canPublishImages: z.boolean().optional(),
  canPublishVideos: z.boolean().optional(),
  mediaHint: z.string().nullable().optional(),
  /** The last test of the public address of media, which the publishing worker makes. `isPending`: a person asked for another one. */
  mediaTest: z.object({ ok: z.boolean(), detail: z.string(), checkedAt: momentSchema.nullable(), isPending: z.boolean() }).optional(),
  /** Hashtags that a post may have; `since` is null where the installation sets another number than the one that its source announced. */
  hashtagLimit: z.object({ max: z.int().min(0), since: z.iso.date().nullable(), source: z.string() }).optional(),
  account: z
    .object({ username: z.string().nullable(), ok: z.boolean(), detail: z.string(), checkedAt: momentSchema })
    .nullable()
    .optional(),
});
export type InstagramConfig = z.infer<typeof instagramConfigSchema>;

const toolSchema = z.object({ available: z.boolean(), message: z.string() });

/** What a media worker found out about its tools when it started; `checkedAt` tells how old that is. */
export const compatibilitySchema = z.object({
  success: z.boolean(),
  ffmpeg: toolSchema,
  ffprobe: toolSchema,
  error: z.string().nullable(),
  checkedAt: momentSchema.nullable().optional(),
});
export type Compatibility = z.infer<typeof compatibilitySchema>;

/** The account of the queue, of its posts or of their options; by default the account of the environment. */
export const queueAccountQuerySchema = z.object({ accountId: z.uuid().optional() });
export type QueueAccountQuery = z.infer<typeof queueAccountQuerySchema>;

export const instagramRoutes = defineRoutes({
  config: get('/api/instagram/config', 'Whether publishing is configured', {
    query: queueAccountQuerySchema,
    response: successOf(instagramConfigSchema),
  }),
  capabilities: get('/api/instagram/capabilities', 'What the API offers with each login', {
    query: queueAccountQuerySchema,
    response: successOf(capabilitiesSchema),
  }),
  testMediaAddress: post('/api/instagram/media-address-test', 'Tests whether Instagram can fetch media from their public address', {
    response: acknowledgedSchema,
  }),
  compatibilityTest: get('/api/instagram/compatibility-test', 'Whether the media tools are available', {
    response: successOf(compatibilitySchema),
  }),
});
