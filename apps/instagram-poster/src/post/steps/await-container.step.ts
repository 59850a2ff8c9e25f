import { explainContainerError } from '@autoposter/instagram';
import { defineStep, done, fail, unknown, wait } from '@autoposter/stage-runner';
import type { Contained } from './create-container.step';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import { whilePaused, type PauseSwitch } from '../pause-switch';

export interface PollPace {
  /** Seconds between two looks at a container that is not ready; Meta advises one a minute. */
  containerPollSeconds: number;
}

/** Made after one that came to nothing for a passing reason. */
const NEW_CONTAINERS = 1;

/** The look that comes before every publish, the first one and any other. */
export const awaitContainer = defineStep<Contained, Contained, PublisherTools & { pace: PollPace; publishing: PauseSwitch }>({
  name: 'await-container',
  effect: 'read',
  async run(input, { publisher, pace, publishing }) {
    if (publisher === null) throw instagramNotConfigured();
    const { status, message, copyrightMatches } = await publisher.containerStatus(input.containerId);
    if (copyrightMatches === true) {
      return fail({
        kind: 'rights_blocked',
        message: "Instagram's own copyright check found a match in this media.",
        side: 'instagram',
        nextAction: 'Do not post this media; discard the item.',
      });
    }
    switch (status) {
      case 'FINISHED':
        // preparing took its time, and a person may have paused since
        return (await publishing.isPaused()) ? whilePaused() : done(input);
      case 'IN_PROGRESS':
        return wait(pace.containerPollSeconds, 'Instagram is preparing the media.');
      case 'PUBLISHED':
        return unknown({
          kind: 'unknown_outcome',
          message: 'Instagram says that this post is out, but its answer was lost.',
          side: 'instagram',
          nextAction: 'Nothing: the post is looked up by itself.',
        });
      case 'EXPIRED':
        return fail({
          kind: 'upstream_rejected',
          message: 'The prepared media expired before it was published.',
          side: 'instagram',
          nextAction: 'Queue the post again.',
        });
      case 'ERROR':
        // the platform did not get at the file, or lost it: once more with a new container, as its documentation advises
        if (input.earlier < NEW_CONTAINERS && explainContainerError(message).kind === 'transient') {
          return wait(pace.containerPollSeconds, explainContainerError(message).message, 'create-container');
        }
        return fail({
          kind: 'unsupported_media',
          message: `Instagram could not use the media: ${message ?? 'no reason given'}.`,
          side: 'instagram',
          nextAction: 'Look at the media; run DMCA protection again or discard the item.',
        });
    }
  },
});
