import type { Platform } from '@autoposter/contracts';
import type { SourcePost } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import type { CollectInput } from './list-posts.step';

export interface KnownPost {
  id: string;
  /** A person has removed the item. */
  removed: boolean;
  /** Its download failed because Reddit denied access, not because of the post. */
  interrupted: boolean;
}

export interface KnownPosts {
  /** Returns those of the ids that were collected before. */
  findKnown(platform: Platform, sourceIds: readonly string[]): Promise<Map<string, KnownPost>>;
}

export interface Listed extends CollectInput {
  /** Number of listed posts, known ones included. */
  listed: number;
  posts: SourcePost[];
  /** Posts that a person removed earlier: they are not collected again. */
  removedBefore: SourcePost[];
  interrupted: string[];
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
      interrupted: input.posts.flatMap((post) => {
        const item = known.get(post.sourceId);
        return item?.interrupted ? [item.id] : [];
      }),
      removedBefore: input.posts.filter((post) => known.get(post.sourceId)?.removed === true),
    });
  },
});
