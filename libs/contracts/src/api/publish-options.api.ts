import { z } from 'zod';
import { LIMITS } from '../limits';
import { limitedText } from './envelope.api';

const { collaborators, userTags, productTags, sponsors, ...limits } = LIMITS.publishOptions;
const { altTextCharacters, carouselFiles, firstCommentCharacters, thumbOffsetMs, audioNameCharacters } = limits;

/** In lower case, without the `@`. */
export const INSTAGRAM_USERNAME = /^[a-z0-9._]{1,30}$/u;

export const usernameSchema = z.string().trim().toLowerCase().regex(INSTAGRAM_USERNAME, 'must be an Instagram username');

const idSchema = z.string().regex(/^\d{5,20}$/u, 'must be the digits of an id');

const shareSchema = z.number().min(0).max(1);

/** A picture shows each tag at a place, given as shares of its sides from the left and the top; in the middle by default. A video shows none. */
const userTagSchema = z.union([usernameSchema, z.strictObject({ username: usernameSchema, x: shareSchema, y: shareSchema })]);
export type UserTag = z.infer<typeof userTagSchema>;

/** A product of the shop of the account, at a place like that of a user tag. */
const productTagSchema = z.strictObject({ productId: idSchema, x: shareSchema.default(0.5), y: shareSchema.default(0.5) });
export type ProductTag = z.infer<typeof productTagSchema>;

/** When a trial reel, which only people who do not follow the account see, is shown to everyone: once a person decides, or if it does well. */
export const TRIAL_REELS = ['manual', 'performance'] as const;
export type TrialReel = (typeof TRIAL_REELS)[number];

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
  /** Another name for the sound of the reel itself; Instagram lets it be given once. */
  audioName: limitedText(audioNameCharacters).min(1).optional(),
  productTags: z.array(productTagSchema).max(productTags).optional(),
  /** The account must be eligible for trial reels. */
  trialReel: z.enum(TRIAL_REELS).optional(),
  /** Shows the label of a paid partnership. */
  paidPartnership: z.literal(true).optional(),
  /** Ids of the Instagram accounts that paid; only with `paidPartnership`. */
  sponsorIds: z.array(idSchema).max(sponsors).optional(),
  /** Declares that the media was made with AI, as Instagram requires of such media. */
  aiGenerated: z.literal(true).optional(),
});
export type PublishOptions = z.infer<typeof publishOptionsSchema>;

/** `replaces`: the stored options that the administrator has seen. If there are others by now, nothing is saved (409). */
export const setOptionsBodySchema = z.strictObject({ ...publishOptionsSchema.shape, replaces: publishOptionsSchema.optional() });
export type SetOptionsBody = z.infer<typeof setOptionsBodySchema>;

export const POST_KINDS = ['reel', 'image', 'carousel', 'story'] as const;
export type PostKind = (typeof POST_KINDS)[number];

const availabilitySchema = z.object({ available: z.boolean(), reason: z.string().nullable() });

/** What Instagram's API offers at this API version, for each login; `login` is the one of the account. */
export const capabilitiesSchema = z.object({
  login: z.enum(['instagram', 'facebook']).nullable(),
  version: z.string(),
  /** A remark about this version, such as the date of its end. */
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
