import { plainTitle, type SourcePost } from '@autoposter/domain';
import { decodeEntities } from './decode-entities';
import { mediaOfPost, type PostMedia } from './media-of-post';
import { rawPostSchema, type RawPost, type RawPostWithOrigin } from './raw-post';

/** Why a post is gone, by Reddit's word for it. */
const REMOVED: Readonly<Record<string, string>> = {
  removed: 'This post was removed.',
  deleted: 'Its author deleted this post.',
  author: 'Its author deleted this post.',
  moderator: 'A moderator removed this post.',
  automod_filtered: "The subreddit's filter holds this post back.",
  reddit: 'Reddit removed this post as spam.',
  content_takedown: 'Reddit took this post down for breaking its rules.',
  copyright_takedown: 'This post was taken down after a copyright claim.',
};

/** A post read and classified, with what the failures of a single post need. */
export interface ClassifiedPost {
  post: SourcePost;
  /** Reddit's word for a removal, `null` for a live post. `copyright_takedown` must never be processed. */
  removedBy: string | null;
  /** Reddit has the video but has not finished it: worth another try. */
  pending: boolean;
}

/**
 * Turns one post of Reddit's answer into ours. A crosspost keeps its own id, address, title and score; media and author are those of
 * the origin, and it counts as removed, NSFW or spoiler when either of the two is. Returns `null` for something that is no post.
 */
export function classifyPost(data: unknown): ClassifiedPost | null {
  const parsed = rawPostSchema.safeParse(data);
  if (!parsed.success) return null;
  const post = parsed.data;
  const origin: RawPost = post.crosspost_parent_list?.at(-1) ?? post;
  const removedBy = removalOf(post) ?? removalOf(origin);
  const orphan = post.crosspost_parent != null && origin === post;
  const media = mediaOfPost(origin);
  const pending = removedBy === null && !orphan && media.pending === true;
  return { post: { ...assemble(post, origin, media, removedBy, orphan), pending }, removedBy, pending };
}

function assemble(post: RawPostWithOrigin, origin: RawPost, found: PostMedia, removedBy: string | null, orphan: boolean): SourcePost {
  // A crosspost whose origin is gone shows what it used to be, but the right to it went with the origin.
  const gone = orphan ? 'The original of this crosspost is gone.' : null;
  const removed = removedBy === null ? null : (REMOVED[removedBy] ?? `Reddit removed this post (${removedBy}).`);
  const reason = removed ?? gone ?? found.reason;
  const subreddit = post.subreddit ?? null;
  return {
    platform: 'reddit',
    sourceId: post.id.toLowerCase(),
    originId: (post.crosspost_parent?.replace(/^t3_/, '') ?? post.id).toLowerCase(),
    permalink: permalinkOf(post),
    title: plainTitle(decodeEntities(post.title ?? '')),
    author: authorOf(origin),
    subreddit,
    postType: found.postType,
    media: reason === null ? found.media : [],
    unfetchable: reason,
    nsfw: post.over_18 === true || origin.over_18 === true,
    spoiler: post.spoiler === true || origin.spoiler === true,
    stickied: post.stickied === true,
    removed: removedBy !== null,
    score: post.score ?? 0,
    upvoteRatio: post.upvote_ratio ?? null,
    likes: null,
    createdAt: new Date((post.created_utc ?? 0) * 1000).toISOString(),
  };
}

/** Where no category is told, what stands in the place of the text tells it. */
const BY_TEXT: Readonly<Record<string, string>> = { '[removed]': 'removed', '[deleted]': 'deleted' };

const removalOf = (post: RawPost): string | null =>
  post.removed_by_category ?? (post.removal_reason === 'legal' ? 'legal' : (BY_TEXT[post.selftext ?? ''] ?? null));

const authorOf = (post: RawPost): string | null => (post.author && post.author !== '[deleted]' ? post.author : null);

/** `permalink` is relative; anything else is replaced by the short form, so that no foreign address gets in. */
function permalinkOf(post: RawPost): string {
  const path = post.permalink?.startsWith('/') && !post.permalink.startsWith('//') ? post.permalink : `/comments/${post.id}/`;
  return `https://www.reddit.com${path}`;
}
