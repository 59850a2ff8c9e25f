import { toFailure } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import type { Published } from './publish.step';

export interface WithPermalink extends Published {
  permalink: string | null;
}

/** Reads the post's address. The post is published in any case: without an answer the address stays unknown. */
export const readPermalink = defineStep<Published, WithPermalink, PublisherTools>({
  name: 'read-permalink',
  effect: 'read',
  async run(input, { publisher }, { logger }) {
    if (publisher === null) throw instagramNotConfigured();
    try {
      return done({ ...input, permalink: await publisher.permalink(input.mediaId) });
    } catch (error) {
      logger.warn({ mediaId: input.mediaId, reason: toFailure(error).message }, 'the address of a published post could not be read');
      return done({ ...input, permalink: null });
    }
  },
});
