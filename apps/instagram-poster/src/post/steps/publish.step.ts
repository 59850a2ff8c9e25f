import { defineStep, done, unknown, wait } from '@autoposter/stage-runner';
import type { Contained } from './create-container.step';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';

export interface Published {
  mediaId: string;
}

/**
 * The one call that cannot be taken back. Only a media id counts as published; a refusal that the platform defines as "nothing was
 * published" comes back later and looks first; everything else is unknown and is settled by looking.
 */
export const publish = defineStep<Contained, Published, PublisherTools>({
  name: 'publish',
  effect: 'irreversible',
  async run({ containerId }, { publisher }) {
    if (publisher === null) throw instagramNotConfigured();
    const answer = await publisher.publish(containerId);
    switch (answer.outcome) {
      case 'published':
        return done({ mediaId: answer.mediaId });
      case 'refused':
        return wait(answer.retryAfterSeconds, `Instagram did not publish yet: ${answer.failure.message} (${answer.code})`);
      case 'unknown':
        return unknown({
          kind: 'unknown_outcome',
          message: `Nobody knows yet whether the post is out: ${answer.message}`,
          side: 'instagram',
          nextAction: 'Nothing for now: the account is looked at until it is certain.',
          detail: { code: answer.code },
        });
    }
  },
});
