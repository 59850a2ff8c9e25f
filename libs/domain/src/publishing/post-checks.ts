import type { PostCheckKind, PostDifference, PostKind, PublishOptions } from '@autoposter/contracts';
import { comparableCaption } from '../captioning/text-patterns';
import { STORY_LIFE_MS, type PublishedMedia } from './publisher.port';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** When each check is due after the publication. The list of an account shows a new post late. */
const DUE_AFTER_MS: Record<PostCheckKind, number> = {
  read_back: MINUTE_MS,
  first_comment: 0,
  insights_1h: HOUR_MS,
  insights_24h: DAY_MS,
  insights_7d: 7 * DAY_MS,
  copyright: DAY_MS,
};

/** The last metrics of a story are read before it expires; later checks are not planned. */
const STORY_DUE_AFTER_MS: Partial<Record<PostCheckKind, number>> = {
  read_back: DUE_AFTER_MS.read_back,
  insights_1h: DUE_AFTER_MS.insights_1h,
  insights_24h: STORY_LIFE_MS - HOUR_MS,
};

/** The checks of a post that was just published. */
export const plannedChecks = (
  { firstComment }: PublishOptions,
  postKind: PostKind = 'reel',
): { kind: PostCheckKind; afterSeconds: number }[] =>
  (Object.entries(postKind === 'story' ? STORY_DUE_AFTER_MS : DUE_AFTER_MS) as [PostCheckKind, number][])
    .filter(([kind]) => kind !== 'first_comment' || firstComment !== undefined)
    .map(([kind, afterMs]) => ({ kind, afterSeconds: afterMs / 1000 }));

/** Longest time until Instagram has metrics of a new post. */
const METRICS_WITHIN_MS = 2 * DAY_MS;

/** Whether metrics that are still missing are read again. */
export const mayGetMetrics = (kind: PostCheckKind, publishedAt: Date, now: Date): boolean =>
  now.getTime() < publishedAt.getTime() + DUE_AFTER_MS[kind] + METRICS_WITHIN_MS;

/** Whether a post that is missing on the account has expired there. */
export const hasExpired = (kind: PostKind, publishedAt: Date, now: Date): boolean =>
  kind === 'story' && now.getTime() - publishedAt.getTime() >= STORY_LIFE_MS;

/** Most owners claim a post in its first days. */
const DAILY_COPYRIGHT_CHECK_MS = 30 * DAY_MS;

/** Seconds until the next copyright check of a post, which an owner may claim on any day: a day, and for older posts a week. */
export const copyrightCheckAfter = (publishedAt: Date, now: Date): number =>
  (now.getTime() - publishedAt.getTime() <= DAILY_COPYRIGHT_CHECK_MS ? DAY_MS : 7 * DAY_MS) / 1000;

/** The platform's `media_type` of each kind of post; for a story it depends on the file. Source: Instagram Platform reference, IG Media. */
export const MEDIA_TYPE: Record<Exclude<PostKind, 'story'>, string> = { reel: 'VIDEO', image: 'IMAGE', carousel: 'CAROUSEL_ALBUM' };

/** The differences between a published post and the sent one; `null` if the account no longer has it. */
export function differencesOf(
  sent: { caption: string; kind: PostKind; permalink: string | null },
  post: Pick<PublishedMedia, 'caption' | 'mediaType' | 'productType' | 'permalink'> | null,
): PostDifference[] {
  if (post === null) return ['missing'];
  const differences: [PostDifference, boolean][] = [
    ['caption', sent.kind !== 'story' && comparableCaption(post.caption ?? '') !== comparableCaption(sent.caption)],
    ['media_type', sent.kind === 'story' ? post.productType !== 'STORY' : post.mediaType !== MEDIA_TYPE[sent.kind]],
    ['permalink', sent.permalink !== null && post.permalink !== sent.permalink],
  ];
  return differences.filter(([, differs]) => differs).map(([name]) => name);
}

/** After a comment call without an answer, the post is read for this long before the call is repeated. */
export const COMMENT_VISIBLE_AFTER_MS = 10 * MINUTE_MS;
/** Comment calls of one post. */
export const MAX_COMMENT_CALLS = 2;
