import { defineStep, done, fail, unknown, wait } from '@autoposter/stage-runner';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import { whilePaused, type PauseSwitch } from '../pause-switch';
import type { Contained } from './create-container.step';
import { judgeContainer, type PollPace } from './judge-container';

/** The look that comes before every publish, the first one and any other. */
export const awaitContainer = defineStep<Contained, Contained, PublisherTools & { pace: PollPace; publishing: PauseSwitch }>({
  name: 'await-container',
  effect: 'read',
  async run(input, { publisher, pace, publishing }) {
    if (publisher === null) throw instagramNotConfigured();
    // preparing took its time, and publishing may have been paused since
    if (await publishing.isPaused()) return whilePaused();
    const verdict = judgeContainer(await publisher.containerStatus(input.containerId), input.earlier);
    switch (verdict.is) {
      case 'ready':
        return done(input);
      case 'in-work':
        return wait(pace.containerPollSeconds, 'Instagram is preparing the media.');
      case 'spent':
        // from the files of a gallery on: those of a spent container are of no use for another
        return wait(pace.containerPollSeconds, verdict.reason, 'create-children');
      case 'refused':
        return fail(verdict.failure);
      case 'published':
        return unknown({
          kind: 'unknown_outcome',
          message: 'Instagram says that this post is out, but its answer was lost.',
          side: 'instagram',
          nextAction: 'Nothing: the post is looked up by itself.',
        });
    }
  },
});
