import type { Platform } from '@autoposter/contracts';
import { type Failure, failureOf, PipelineError, type SourcePost } from '@autoposter/domain';
import { skip, type Skipped } from '@autoposter/job-engine';

/** The pasted link leads to a post that already has an item. */
export const alreadyHere = (post: SourcePost): Skipped =>
  skip('duplicate_post', `This link leads to a post that is here already: "${post.title}".`, post);

/** Reported by the post itself or by its media host. */
export const removedAtSource = (platform: Platform): Failure => failureOf('removed_at_source', { side: platform });

export const notConfigured = (platform: Platform): PipelineError =>
  PipelineError.of(platform === 'reddit' ? 'reddit_not_configured' : 'instagram_not_configured');
