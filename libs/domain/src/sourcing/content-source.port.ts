import type { Platform, PostType, TimePeriod } from '@autoposter/contracts';

/** One file of a post as the source names it. A Reddit video has its sound in a track of its own. */
export interface SourceMedia {
  kind: 'video' | 'image';
  url: string;
  /** Separate sound track (Reddit DASH), `null` where the video has none. */
  audioUrl: string | null;
  /** DASH manifest, the place that knows whether there is sound. */
  manifestUrl: string | null;
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
  /** All replies below it, those that are not kept among them. */
  replies: number;
  /** The first direct replies, shortened. */
  replyList?: SourceReply[];
}

/** A post as found at its source, classified by the source's own fields. */
export interface SourcePost {
  platform: Platform;
  /** The source's own id without type prefix (`1abcde` for Reddit, the shortcode for Instagram). */
  sourceId: string;
  /** Id of the post that a crosspost leads back to; the post's own id where it is no crosspost. */
  originId?: string;
  /** Canonical address of the post. */
  permalink: string;
  title: string;
  author: string | null;
  subreddit: string | null;
  postType: PostType;
  /** Empty where the post has nothing that can be fetched; then `unfetchable` says why. */
  media: SourceMedia[];
  unfetchable: string | null;
  /** The source has not finished the video yet: worth another try, whatever `unfetchable` says. */
  pending?: boolean;
  nsfw: boolean;
  spoiler: boolean;
  stickied: boolean;
  removed: boolean;
  score: number;
  /** 0 to 1, `null` where the source does not tell. */
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
  /** Resolves one post address. Throws `not_offered` where the API offers no way to read it. */
  resolve(url: string, forPerson?: boolean): Promise<{ post: SourcePost; topComments: SourceComment[] }>;
}
