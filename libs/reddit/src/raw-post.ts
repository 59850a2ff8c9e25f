import { z } from 'zod';

/**
 * Posts and comments as Reddit sends them, read leniently: new keys appear all the time and a field of an unexpected type counts as
 * absent, so that one odd field never loses a post. Only the id is required.
 */
const text = z.string().nullish().catch(undefined);
/** A text field that Reddit sends empty instead of `null`. */
const filled = z.string().min(1).nullish().catch(undefined);
const number = z.number().nullish().catch(undefined);
/** The range of a database integer; votes can be negative. */
const votes = z.int().min(-2_147_483_648).max(2_147_483_647).nullish().catch(undefined);
const ratio = z.number().min(0).max(1).nullish().catch(undefined);
/** Seconds since 1970, up to the year 9999. */
const moment = z.number().min(0).max(253_402_300_799).nullish().catch(undefined);
const flag = z.boolean().nullish().catch(undefined);

const redditVideo = z
  .object({
    fallback_url: text,
    dash_url: text,
    width: number,
    height: number,
    duration: number,
    has_audio: flag,
    is_gif: flag,
    transcoding_status: filled,
  })
  .nullish()
  .catch(undefined);
export type RawVideo = NonNullable<z.infer<typeof redditVideo>>;

const media = z
  .object({ type: text, reddit_video: redditVideo, oembed: z.object({ provider_name: text }).nullish().catch(undefined) })
  .nullish()
  .catch(undefined);

/** A list without its unreadable entries. */
const listOf = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry.nullish().catch(undefined))
    .transform((entries) => entries.filter((one) => one != null))
    .nullish()
    .catch(undefined);

const rendition = z.object({ url: text, width: number, height: number });
const variant = z.object({ source: rendition }).nullish().catch(undefined);
const preview = z
  .object({
    reddit_video_preview: redditVideo,
    images: listOf(
      z.object({
        source: rendition.nullish().catch(undefined),
        variants: z.object({ mp4: variant }).nullish().catch(undefined),
      }),
    ),
  })
  .nullish()
  .catch(undefined);

const galleryMedia = z.object({
  status: text,
  e: text,
  m: text,
  s: z.object({ x: number, y: number, u: text, gif: text, mp4: text }).nullish().catch(undefined),
  x: number,
  y: number,
  dashUrl: text,
});
export type RawGalleryMedia = z.infer<typeof galleryMedia>;

const ownFields = z.object({
  id: z.string().regex(/^[a-z0-9]+$/i),
  title: text,
  author: text,
  subreddit: filled,
  permalink: text,
  url: text,
  url_overridden_by_dest: filled,
  domain: text,
  post_hint: text,
  is_video: flag,
  is_self: flag,
  is_gallery: flag,
  is_reddit_media_domain: flag,
  over_18: flag,
  spoiler: flag,
  stickied: flag,
  score: votes,
  upvote_ratio: ratio,
  created_utc: moment,
  removed_by_category: filled,
  removal_reason: text,
  selftext: text,
  media,
  secure_media: media,
  preview,
  poll_data: z.unknown().optional(),
  gallery_data: z
    .object({ items: listOf(z.object({ media_id: z.string(), is_deleted: flag })) })
    .nullish()
    .catch(undefined),
  media_metadata: z.record(z.string(), galleryMedia.nullish().catch(undefined)).nullish().catch(undefined),
  crosspost_parent: filled,
});

export const rawPostSchema = ownFields.extend({ crosspost_parent_list: listOf(ownFields) });
export type RawPost = z.infer<typeof ownFields>;
export type RawPostWithOrigin = z.infer<typeof rawPostSchema>;

const listing = <T extends z.ZodType>(child: T) =>
  z.object({ kind: z.literal('Listing'), data: z.object({ after: text, children: z.array(child) }) });

/** Children are parsed one by one later, so that one bad post does not spoil the page; one that is no object counts as an unreadable post. */
export const listingSchema = listing(z.object({ kind: z.string(), data: z.unknown().optional() }).catch({ kind: 't3' }));

export const commentSchema = z.object({
  id: z.string(),
  author: text,
  body: text,
  score: votes,
  stickied: flag,
  distinguished: text,
  // an empty string where there are none, else a listing
  replies: z.unknown().optional(),
});
export type RawComment = z.infer<typeof commentSchema>;

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/**
 * Undoes the escaping of `&`, `<` and `>` that Reddit applies where `raw_json=1` did not take effect. Once only: text that its author
 * escaped twice keeps one layer. Signed preview addresses answer 403 while they are escaped.
 */
export const decodeEntities = (text: string): string => text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
