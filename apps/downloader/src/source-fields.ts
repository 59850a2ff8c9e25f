import { sourceKeyOf, type SourcePost } from '@autoposter/domain';
import type { ContentItem } from '@autoposter/persistence';

/** What an item keeps of its source post. */
export const sourceFields = (post: SourcePost): Partial<ContentItem> => ({
  sourceKey: sourceKeyOf(post),
  title: post.title,
  author: post.author,
  subreddit: post.subreddit,
  postType: post.postType,
  nsfw: post.nsfw,
  score: post.score,
  upvoteRatio: post.upvoteRatio,
  likes: post.likes,
  sourceCreatedAt: new Date(post.createdAt),
  sourcePost: post,
});
