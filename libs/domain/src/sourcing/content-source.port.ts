import type { Platform, PostType, TimePeriod } from '@autoposter/contracts';
import { failureOf, type Failure } from '../errors/failure';

/** One file of a post as the source names it. A Reddit video has its sound in a track of its own. */
export interface SourceMedia {
  kind: 'video' | 'image';
  url: string;
  /** Separate sound track (Reddit DASH), `null` where the video has none. */
  audioUrl: string | null;
  /** DASH manifest, which lists the sound track. */
  manifestUrl: string | null;
  /** The source says that the video has sound; absent where it does not say. */
  hasSound?: boolean;
  width: number | null;
  height: number | null;
  durationSeconds: number | null;
}

/** A reply below a kept comment, as far as it is kept. */
export interface SourceReply {
  id: string;
  author: string;
  score: number;
  body: string;
}

/** A comment kept for "Use as Caption". */
export interface SourceComment {
  id: string;
  author: string;
  score: number;
  body: string;
  /** All replies below it, including those that are not kept. */
  replies: number;
  /** The first direct replies, shortened. */
  replyList?: SourceReply[];
}

/** A post as found at its source, classified by the source's own fields. */
export interface SourcePost {
  platform: Platform;
  /** The source's own id without type prefix (`1abcde` for Reddit, the shortcode for Instagram). */
  sourceId: string;
  /** Id of the original of a crosspost; else the post's own id. */
  originId?: string;
  /** The subreddit of the original of a crosspost. */
  originSubreddit?: string;
  /** Who made the crosspost; the author is that of the original. */
  sharedBy?: string;
  /** Canonical address of the post. */
  permalink: string;
  title: string;
  author: string | null;
  subreddit: string | null;
  postType: PostType;
  /** Empty where the post has nothing that can be fetched; then `unfetchable` says why. */
  media: SourceMedia[];
  unfetchable: string | null;
  /** The source has not finished the video yet: a retry helps, even with `unfetchable`. */
  pending?: boolean;
  nsfw: boolean;
  spoiler: boolean;
  stickied: boolean;
  removed: boolean;
  score: number;
  /** 0 to 1, `null` where the source has none. */
  upvoteRatio: number | null;
  likes: number | null;
  createdAt: string;
}

/** Reads posts through a platform's official API. Throws `PipelineError`. */
export interface SubredditSource {
  /** Top posts of a subreddit, newest answer, at most `limit` (1–100). */
  listTop(subreddit: string, period: TimePeriod, limit: number, forPerson?: boolean): Promise<SourcePost[]>;
}

export interface PostSource {
  /** Resolves one post address. Throws `not_offered` where the API cannot read it. */
  resolve(url: string, forPerson?: boolean): Promise<{ post: SourcePost; topComments: SourceComment[] }>;
}

/** Name of the report in which workers record whether Reddit answers this installation. */
export const REDDIT_ACCESS = 'reddit.access';

/** Whether a source accepts requests of this installation. */
export interface SourceAccess {
  /** The failure of every request until an operator acts; `null` while the source answers. */
  denied: Failure | null;
  /** ISO time at which this state began. */
  since: string;
}

export const REDDIT_NOT_CONFIGURED = failureOf('reddit_not_configured');

/** Whether a failure holds for every request to the source, not for one post or subreddit. */
export const deniesAccess = ({ kind }: Pick<Failure, 'kind'>): boolean => kind === 'not_configured' || kind === 'not_authorised';

/**
 * Identity of a post's media: equal for a post, its crossposts and reposts of the same upload, independent of signatures and renditions. A
 * post without media (yet) is identified by the post that it originates from.
 */
export function sourceKeyOf({ media, originId, sourceId }: Pick<SourcePost, 'media' | 'originId' | 'sourceId'>): string {
  if (media.length === 0) return `post:${originId ?? sourceId}`;
  return `media:${media.map(({ manifestUrl, url }) => placeOf(manifestUrl ?? url)).join(' ')}`.slice(0, 2000);
}

function placeOf(address: string): string {
  if (!URL.canParse(address)) return address;
  const { host, pathname } = new URL(address);
  return host + pathname;
}
