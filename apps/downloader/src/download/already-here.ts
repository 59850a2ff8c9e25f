import type { SourcePost } from '@autoposter/domain';
import { skip, type Skipped } from '@autoposter/job-engine';

/** What was pasted is the address of a post that has an entry of its own. */
export const alreadyHere = (post: SourcePost): Skipped =>
  skip('duplicate_post', `This link leads to a post that is here already: "${post.title}".`, post);
