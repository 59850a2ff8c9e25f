import type { PostType, SkipReason } from '@autoposter/contracts';
import type { SourcePost } from './content-source.port';

/** The filters of a subreddit. Ages in hours. */
export interface CollectFilters {
  minScore: number;
  maxAge: number;
  allowNSFW: boolean;
  allowVideos: boolean;
  allowImages: boolean;
  allowGalleries: boolean;
  excludeStickied: boolean;
}

export interface Refusal {
  reason: SkipReason;
  /** One sentence with the deciding values. */
  info: string;
}

type Rule = (post: SourcePost, filters: CollectFilters, now: Date) => Refusal | null;

const HOUR_MS = 3_600_000;

const score: Rule = (post, filters) =>
  post.score < filters.minScore ? { reason: 'min_score_filter', info: `Score ${post.score}, at least ${filters.minScore} wanted.` } : null;

const age: Rule = (post, filters, now) => {
  const hours = (now.getTime() - Date.parse(post.createdAt)) / HOUR_MS;
  return hours > filters.maxAge
    ? { reason: 'max_age_filter', info: `${hours.toFixed(1)} hours old, at most ${filters.maxAge} wanted.` }
    : null;
};

const nsfw: Rule = (post, filters) =>
  post.nsfw && !filters.allowNSFW ? { reason: 'nsfw_filter', info: 'Marked as not safe for work at the source.' } : null;

const ALLOWED_BY: Partial<Record<PostType, 'allowVideos' | 'allowImages' | 'allowGalleries'>> = {
  video: 'allowVideos',
  image: 'allowImages',
  gallery: 'allowGalleries',
};

const WITHOUT_MEDIA: Partial<Record<PostType, string>> = {
  text: 'A text post has no picture or video to use.',
  link: 'A link post has no picture or video to use.',
};

const withMedia = (post: SourcePost): Refusal | null =>
  post.postType in ALLOWED_BY
    ? null
    : { reason: 'content_type_filter', info: WITHOUT_MEDIA[post.postType] ?? 'This post has no picture or video to use.' };

const contentType: Rule = (post, filters) => {
  const setting = ALLOWED_BY[post.postType];
  return setting === undefined || filters[setting]
    ? null
    : { reason: 'content_type_filter', info: `Posts of type ${post.postType} are switched off for this subreddit.` };
};

const stickied: Rule = (post, filters) =>
  post.stickied && filters.excludeStickied ? { reason: 'stickied_filter', info: 'Pinned by the moderators.' } : null;

const removed: Rule = (post) => (post.removed ? { reason: 'other', info: 'Removed or deleted at the source.' } : null);

const fetchable = (post: SourcePost): Refusal | null =>
  post.unfetchable === null || post.pending === true ? null : { reason: 'unsupported_format', info: post.unfetchable };

/** The order is specified: the first rule that refuses names the reason. */
const RULES: readonly Rule[] = [score, age, nsfw, withMedia, contentType, stickied, removed, fetchable];

/** Decides whether a listed post is collected; `null` means yes. */
export function refusalOf(post: SourcePost, filters: CollectFilters, now: Date): Refusal | null {
  for (const rule of RULES) {
    const refusal = rule(post, filters, now);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Why a post cannot be used with any filters, or `null`. The only rules for a pasted post. */
export const unusableOf = (post: SourcePost): Refusal | null => withMedia(post) ?? fetchable(post);
