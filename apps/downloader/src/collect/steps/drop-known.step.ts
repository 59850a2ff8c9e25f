import type { Platform } from '@autoposter/contracts';
import type { SourcePost } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/stage-runner';
import type { CollectInput } from './list-posts.step';

export interface KnownPosts {
  /** Of these ids of a platform, those that were collected before, with whether the item was removed by a person since. */
  findKnown(platform: Platform, sourceIds: readonly string[]): Promise<Map<string, { removed: boolean }>>;
}

export interface Listed extends CollectInput {
  /** How many posts the subreddit has shown, those that are here already among them. */
  listed: number;
  posts: SourcePost[];
  /** Posts that a person removed earlier: they do not come back by themselves. */
  removedBefore: SourcePost[];
}

export const dropKnown = defineStep<CollectInput & { posts: SourcePost[] }, Listed, { known: KnownPosts }>({
  name: 'drop-known',
  effect: 'read',
  async run(input, tools) {
    const known = await tools.known.findKnown(
      'reddit',
      input.posts.map((post) => post.sourceId),
    );
    return done({
      ...input,
      listed: input.posts.length,
      posts: input.posts.filter((post) => !known.has(post.sourceId)),
      removedBefore: input.posts.filter((post) => known.get(post.sourceId)?.removed === true),
    });
  },
});
