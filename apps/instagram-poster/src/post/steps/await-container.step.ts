import { defineStep, done, fail, unknown, wait } from '@autoposter/stage-runner';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import { whilePaused, type PauseSwitch } from '../pause-switch';
import type { Spacing } from '../queue-spacing';
import type { Contained } from './create-container.step';
import { judgeContainer, type PollPace } from './judge-container';

export interface AwaitTools extends PublisherTools {
  pace: PollPace;
  publishing: PauseSwitch;
  spacing: Spacing;
}

/** Settings change: not longer than this without another look at them, in seconds. */
const LONGEST_WAIT = 900;

const secondsUntil = (at: Date, now: Date): number => Math.min(Math.ceil((at.getTime() - now.getTime()) / 1000), LONGEST_WAIT);

/** The look that comes before every publish, the first one and any other. */
export const awaitContainer = defineStep<Contained, Contained, AwaitTools>({
  name: 'await-container',
  effect: 'read',
  async run(input, { publisher, pace, publishing, spacing }, { subjectId, now }) {
    if (publisher === null) throw instagramNotConfigured();
    // preparing took its time, and publishing may have been paused since
    if (await publishing.isPaused()) return whilePaused();
    const freeAt = await spacing.freeAt(subjectId, now);
    if (freeAt !== null) return wait(secondsUntil(freeAt, now), 'It keeps its distance from the post before it and from blocked hours.');
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
