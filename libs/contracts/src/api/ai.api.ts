import { z } from 'zod';
import { HASHTAG_LIMIT, LIMITS } from '../limits';
import { CAPTION_STAGE } from '../stages/stages';
import { MEDIA_TYPES, PLATFORMS } from '../vocabulary';
import { contentItemSchema, contentItemResponseSchema } from './content.api';
import {
  acceptedItemResponseSchema,
  acknowledgedSchema,
  cursorQuerySchema,
  listOf,
  processAllBody,
  processAllResponseSchema,
  readyQuerySchema,
  limitedText,
} from './envelope.api';
import { itemProgressFields } from './item-progress.api';
import { defineRoutes, get, post, put } from './route';

/** A protected file that waits for its caption. `fileSize` in bytes. */
export const readyForAiSchema = z.object({
  id: z.uuid(),
  filename: z.string(),
  mediaType: z.enum(MEDIA_TYPES),
  platform: z.enum(PLATFORMS),
  subreddit: z.string().nullable(),
  author: z.string().nullable(),
  fileSize: z.int().min(0),
  title: z.string().optional(),
  ...itemProgressFields,
});
export type ReadyForAi = z.infer<typeof readyForAiSchema>;

const defaults = LIMITS.ai.options;
const captionOptions = {
  tone: z.string().trim().min(1).max(40).default(defaults.tone),
  length: z.string().trim().min(1).max(40).default(defaults.length),
  includeHashtags: z.boolean().default(defaults.includeHashtags),
  targetAudience: z.string().trim().min(1).max(100).default(defaults.targetAudience),
  callToAction: z.boolean().default(defaults.callToAction),
};
/** `replaceEdited` also replaces a caption that an administrator edited; else that stays and the new text is offered as a variation. */
export const captionOptionsSchema = z.strictObject({ ...captionOptions, replaceEdited: z.boolean().optional() });
export type CaptionOptionsBody = z.infer<typeof captionOptionsSchema>;

export const aiProcessAllBodySchema = z.strictObject({ ...processAllBody(LIMITS.processAll[CAPTION_STAGE]), ...captionOptions });
export type AiProcessAllBody = z.infer<typeof aiProcessAllBodySchema>;

export const captionTextSchema = limitedText(
  LIMITS.caption.maxCharacters,
  `The caption may have at most ${LIMITS.caption.maxCharacters} characters`,
).min(1, 'The caption must not be empty');
const { maxHashtagCharacters } = LIMITS.caption;
/** With or without `#`. */
const hashtagSchema = z
  .string()
  .trim()
  .regex(
    new RegExp(`^(?:#.{0,${maxHashtagCharacters}}|[^#].{0,${maxHashtagCharacters - 1}}|)$`, 'u'),
    `A hashtag may have at most ${maxHashtagCharacters} characters`,
  )
  .regex(/^#?[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*$/u, 'A hashtag may hold letters, digits and underscores only')
  .regex(/[\p{L}_]/u, 'A hashtag needs at least one letter');
export const updateCaptionBodySchema = z.strictObject({
  caption: captionTextSchema,
  /** Replaces the hashtags; without it they stay. `hashtagLimit` of the Instagram configuration says how many a post may have. */
  hashtags: z.array(hashtagSchema).max(HASHTAG_LIMIT.highest, `A post may have at most ${HASHTAG_LIMIT.highest} hashtags`).optional(),
  /** The stored texts that the administrator has seen. If there are others by now, nothing is saved (409). */
  replaces: z.strictObject({ caption: z.string().max(10_000), hashtags: z.array(z.string().max(1_000)).max(100) }).optional(),
});
export type UpdateCaptionBody = z.infer<typeof updateCaptionBodySchema>;

export const aiRoutes = defineRoutes({
  ready: get('/api/ai/ready', 'The first files that wait for a caption, and how many there are', {
    query: readyQuerySchema,
    response: listOf(readyForAiSchema),
  }),
  completed: get('/api/ai/completed', 'Items with a caption: ready and posted ones, without queued and discarded ones', {
    query: cursorQuerySchema,
    response: listOf(contentItemSchema),
  }),
  processAll: post('/api/ai/process-all', 'Asks for captions of all ready files', {
    body: aiProcessAllBodySchema,
    response: processAllResponseSchema,
  }),
  process: post('/api/ai/process/:id', 'Asks for the caption of one file', {
    body: captionOptionsSchema,
    response: acceptedItemResponseSchema,
  }),
  discard: put('/api/ai/discard/:id', 'Takes an item out of the list for good', { response: acknowledgedSchema }),
  updateCaption: put('/api/ai/update-caption/:id', 'Saves a caption written by hand', {
    body: updateCaptionBodySchema,
    response: contentItemResponseSchema,
  }),
});
