import { publishUnanswered } from '@autoposter/domain';
import { defineStep, done, unknown, wait } from '@autoposter/job-engine';
import type { Awaited } from './await-container.step';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';

export interface Published {
  mediaId: string;
}

export interface AnswerLedger {
  /** Stores the media id of an answer as evidence, even if another worker owns the attempt by then. */
  keepAnswer(attemptId: string, mediaId: string): Promise<void>;
}

/**
 * The irreversible call. Only a media id counts as published. After a refusal that the platform defines as "nothing was published" the
 * attempt waits and checks the account before the next call; any other answer makes the result unknown, and reconciliation resolves it. The
 * media id is stored immediately: if this worker was frozen in the call and lost its lease, no other result of this attempt is stored.
 */
export const publish = defineStep<Awaited, Published, PublisherTools & { answers: AnswerLedger }>({
  name: 'publish',
  effect: 'irreversible',
  async run({ containerId, calls }, { publisher, answers }, { assertHeld, subjectId, logger }) {
    if (publisher === null) throw instagramNotConfigured();
    const answer = await publisher.publish(containerId, assertHeld);
    switch (answer.outcome) {
      case 'published':
        await answers
          .keepAnswer(subjectId, answer.mediaId)
          .catch((error: unknown) => logger.error({ error, mediaId: answer.mediaId }, 'the answer of a publish call was not kept'));
        return done({ mediaId: answer.mediaId });
      case 'refused': {
        const reason = `Instagram did not publish yet: ${answer.failure.message} (${answer.code})`;
        // a rate limit names its own time
        const seconds = answer.failure.kind === 'rate_limited' ? answer.retryAfterSeconds : answer.retryAfterSeconds * (calls + 1);
        return wait(seconds, reason, { evidence: answer.failure });
      }
      case 'unknown':
        return unknown(publishUnanswered(answer));
    }
  },
});
