import { z } from 'zod';
import { LIMITS } from '../limits';
import { limitedText } from './envelope.api';

const { collaborators, userTags, altTextCharacters, carouselFiles, firstCommentCharacters, thumbOffsetMs } = LIMITS.publishOptions;

/** In lower case, without the `@`. */
export const INSTAGRAM_USERNAME = /^[a-z0-9._]{1,30}$/u;

export const usernameSchema = z.string().trim().toLowerCase().regex(INSTAGRAM_USERNAME, 'must be an Instagram username');

const idSchema = z.string().regex(/^\d{5,20}$/u, 'must be the digits of an id');

const shareSchema = z.number().min(0).max(1);

/** A picture shows each tag at a place, given as shares of its sides from the left and the top; in the middle by default. A video shows none. */
const userTagSchema = z.union([usernameSchema, z.strictObject({ username: usernameSchema, x: shareSchema, y: shareSchema })]);
export type UserTag = z.infer<typeof userTagSchema>;

/** What a post has beside its caption and media. Which of them a login offers is in the capabilities. */
export const publishOptionsSchema = z.strictObject({
  /** Publishes the file as a story, which Instagram shows for 24 hours and without a caption. */
  story: z.literal(true).optional(),
  shareToFeed: z.boolean().optional(),
  /** Id of a Facebook Page with coordinates. */
  locationId: idSchema.optional(),
  collaborators: z.array(usernameSchema).max(collaborators).optional(),
  userTags: z.array(userTagSchema).max(userTags).optional(),
  altText: limitedText(altTextCharacters).min(1).optional(),
  /** Of the pictures of a carousel, in the order of its files; empty where a file has none. */
  altTexts: z.array(limitedText(altTextCharacters)).max(carouselFiles).optional(),
  /** The frame that becomes the cover, instead of the one that DMCA protection chose. */
  thumbOffsetMs: z.int().min(0).max(thumbOffsetMs).optional(),
  /** A comment of the account itself, once the post is published. */
  firstComment: limitedText(firstCommentCharacters).min(1).optional(),
  /** Licensed audio from Instagram's library. The volumes, in percent, count with it only. */
  audioId: idSchema.optional(),
  audioVolume: z.int().min(0).max(100).optional(),
  videoVolume: z.int().min(0).max(100).optional(),
});
export type PublishOptions = z.infer<typeof publishOptionsSchema>;

export const POST_KINDS = ['reel', 'image', 'carousel', 'story'] as const;
export type PostKind = (typeof POST_KINDS)[number];

const availabilitySchema = z.object({ available: z.boolean(), reason: z.string().nullable() });

/** What Instagram's API offers at this API version, for each login; `login` is the one of the account. */
export const capabilitiesSchema = z.object({
  login: z.enum(['instagram', 'facebook']).nullable(),
  version: z.string(),
  /** What is special about this version, such as its end. */
  versionNote: z.string().nullable(),
  capabilities: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      /** Kinds of posts that have it; empty for what concerns no single post. */
      kinds: z.array(z.enum(POST_KINDS)),
      instagram: availabilitySchema,
      facebook: availabilitySchema,
    }),
  ),
});
export type Capabilities = z.infer<typeof capabilitiesSchema>;
