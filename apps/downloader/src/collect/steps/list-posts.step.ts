import { deniesAccess, PipelineError, REDDIT_NOT_CONFIGURED, type SourcePost, type SubredditSource } from '@autoposter/domain';
import type { CollectRun, Subreddit } from '@autoposter/persistence';
import { defineStep, done, skip } from '@autoposter/job-engine';

export interface CollectInput {
  run: CollectRun;
  subreddit: Subreddit;
}

interface SourceTools {
  /** `null` while no Reddit credentials are configured. */
  reddit: SubredditSource | null;
}

export const listPosts = defineStep<CollectInput, CollectInput & { posts: SourcePost[] }, SourceTools>({
  name: 'list-posts',
  effect: 'read',
  async run(input, tools, { forPerson }) {
    try {
      if (tools.reddit === null) throw new PipelineError(REDDIT_NOT_CONFIGURED);
      const { name, timePeriod, postsToFetch } = input.subreddit;
      return done({ ...input, posts: await tools.reddit.listTop(name, timePeriod, postsToFetch, forPerson) });
    } catch (error) {
      // no run can succeed before an operator acts: the scheduler idles, and a dead job for each run would say nothing more
      const denied = error instanceof PipelineError && deniesAccess(error.failure) ? error.failure : null;
      if (denied === null || forPerson) throw error;
      return skip('other', denied.message, denied);
    }
  },
});
