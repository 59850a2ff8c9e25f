import { type Failure, failureOf } from '@autoposter/domain';
import { defineStep, done, fail, unknown, wait } from '@autoposter/job-engine';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import { whilePaused, type PauseSwitch } from '../publish-conditions';
import type { Spacing } from '../publish-conditions';
import type { Refusals } from '../publish-conditions';
import type { Contained } from './create-container.step';
import { judgeContainer, type PollSchedule } from './judge-container';
import { stillInWork } from './judge-container';

export interface AwaitTools extends PublisherTools {
  pace: PollSchedule;
  publishing: PauseSwitch;
  spacing: Spacing;
  refusals: Refusals;
}

export interface Awaited extends Contained {
  /** How often the platform said of this finished container that it is not ready. */
  refusals: number;
}

/** Publishing lags behind the state of a container by some seconds; what is still refused then is not going to be taken. */
const MOST_REFUSALS = 5;

/** Longest wait in seconds before the settings are read again. */
const LONGEST_WAIT = 900;

const secondsUntil = (at: Date, now: Date): number => Math.min(Math.ceil((at.getTime() - now.getTime()) / 1000), LONGEST_WAIT);

/** The check before every publish call, retries included. */
export const awaitContainer = defineStep<Contained, Awaited, AwaitTools>({
  name: 'await-container',
  effect: 'read',
  async run(input, { publisher, pace, publishing, spacing, refusals }, context) {
    const { subjectId, now } = context;
    if (publisher === null) throw instagramNotConfigured();
    // preparing took its time, and publishing may have been paused since
    if (await publishing.isPaused()) return whilePaused();
    const freeAt = await spacing.freeAt(subjectId, now);
    if (freeAt !== null) return wait(secondsUntil(freeAt, now), 'It keeps its distance from the post before it and from blocked hours.');
    const verdict = judgeContainer(await publisher.containerStatus(input.containerId), input.earlier);
    switch (verdict.is) {
      case 'ready': {
        const refused = await refusals.countOf(subjectId);
        return refused > MOST_REFUSALS ? fail(refusedAgain(refused)) : done({ ...input, refusals: refused });
      }
      case 'in-work':
        return stillInWork(context, pace, 'Instagram is preparing the media.');
      case 'spent':
        // from the files of a gallery on: those of a spent container are of no use for another
        return wait(pace.containerPollSeconds, verdict.reason, { redo: 'create-children' });
      case 'refused':
        return fail(verdict.failure);
      case 'published':
        return unknown(failureOf('publish_answer_lost'));
    }
  },
});

const refusedAgain = (times: number): Failure => failureOf('container_refused', { fields: { times } });
