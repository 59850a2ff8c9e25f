import { PipelineError, type SourcePost, type SubredditSource } from '@autoposter/domain';
import type { CollectRun, Subreddit } from '@autoposter/persistence';
import { defineStep, done } from '@autoposter/stage-runner';

export interface CollectInput {
  run: CollectRun;
  subreddit: Subreddit;
}

export interface SourceTools {
  /** `null` while no Reddit credentials are configured. */
  reddit: SubredditSource | null;
}

export const listPosts = defineStep<CollectInput, CollectInput & { posts: SourcePost[] }, SourceTools>({
  name: 'list-posts',
  effect: 'read',
  async run(input, tools, { forPerson }) {
    if (tools.reddit === null) {
      throw new PipelineError({
        kind: 'not_configured',
        message: 'Reddit is not configured.',
        side: 'operator',
        nextAction: 'Set REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET and REDDIT_USER_AGENT, then run this subreddit again.',
      });
    }
    const { name, timePeriod, postsToFetch } = input.subreddit;
    return done({ ...input, posts: await tools.reddit.listTop(name, timePeriod, postsToFetch, forPerson) });
  },
});
