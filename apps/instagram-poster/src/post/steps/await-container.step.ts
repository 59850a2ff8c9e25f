import { failureOf } from '@autoposter/domain';
import { defineStep, done, fail, unknown, wait } from '@autoposter/job-engine';
import type { PublishAttempt } from '@autoposter/persistence';
import { lastCallOf } from '@autoposter/workflow';
import { findOnAccount, type LinkedMedia } from '../../account/find-on-account';
import { instagramNotConfigured, otherAccount, saysMissing, type PublisherTools } from '../../publisher-access';
import { calledTooOften, waitForQuota, waitUntilFree, whilePaused, type PauseSwitch, type Spacing } from '../publish-conditions';
import type { Contained } from './create-container.step';
import {
  awaitRights,
  forgetCheck,
  judgeContainer,
  judgeMissing,
  stillInWork,
  type PollSchedule,
  type RightsTools,
} from './judge-container';
import type { AccountSwitch } from '../../account/account-breaker';

export interface AwaitTools extends PublisherTools {
  pace: PollSchedule;
  publishing: PauseSwitch;
  spacing: Spacing;
  ledger: { find(attemptId: string): Promise<PublishAttempt | null> };
  linked: LinkedMedia;
  account: AccountSwitch;
  rights: RightsTools;
}

export interface Awaited extends Contained {
  /** Publish calls of this attempt so far. */
  calls: number;
}

/** The check before every publish call, retries included. */
export const awaitContainer = defineStep<Contained, Awaited, AwaitTools>({
  name: 'await-container',
  effect: 'read',
  async run(input, { publisher, pace, publishing, spacing, ledger, linked, account, rights }, context) {
    const { subjectId, now } = context;
    if (publisher === null) throw instagramNotConfigured();
    const notYet = async () => {
      if (await publishing.isPaused()) return whilePaused();
      const freeAt = await spacing.freeAt(subjectId, now);
      return freeAt && waitUntilFree(freeAt, now);
    };
    // publishing may have been paused during the preparation
    const holds = await notYet();
    if (holds !== null) return holds;
    const attempt = await ledger.find(subjectId);
    if (attempt === null) throw new Error('the attempt does not exist');
    if (attempt.answeredMediaId !== null) return unknown(failureOf('publish_answer_lost'));
    const wasCalled = lastCallOf(attempt) !== null;
    if (attempt.accountId !== publisher.accountId) {
      // an attempt that is resumed does not pass preflight again
      const refused = otherAccount(attempt.accountId);
      return wasCalled ? unknown(refused) : fail(refused);
    }
    const isOnAccount = async (of: PublishAttempt) => (await findOnAccount(of, publisher, linked)).length > 0;
    const status = await publisher.containerStatus(input.containerId).catch((error: unknown) => {
      if (saysMissing(error)) return null;
      throw error;
    });
    // a container that disappeared after a call may have been published
    if (status === null && wasCalled) return unknown(failureOf('publish_answer_lost'));
    const verdict = status === null ? judgeMissing(input.earlier) : judgeContainer(status, input.earlier);
    switch (verdict.is) {
      case 'ready': {
        if (!wasCalled) {
          // the videos of a carousel passed their checks before it was put together
          const hasCheck = input.isVideo ?? attempt.kind === 'reel';
          const waits = await awaitRights(attempt, hasCheck ? [status?.copyright ?? null] : [], rights, pace, now);
          if (waits !== null) return waits;
        }
        const tooOften = calledTooOften(attempt);
        if (tooOften !== null) return unknown(tooOften);
        // any story can be this one, unless a person reported it as absent
        const isReportedStory = attempt.kind === 'story' && attempt.absentAt !== null;
        if (wasCalled && !isReportedStory && (await isOnAccount(attempt))) return unknown(failureOf('publish_answer_lost'));
        // read right before the call: reconciliation compares it with the quota afterwards
        const quota = await publisher.quota();
        // and again, because the platform may have taken long for the answers above
        return (await waitForQuota(quota, account)) ?? (await notYet()) ?? done({ ...input, quotaUsed: quota.used, calls: attempt.calls });
      }
      case 'in-work':
        return stillInWork(context, pace, 'Instagram is preparing the media.');
      case 'spent':
        // in any state, its call may have published the post; only the container shows this for a story
        if (wasCalled && attempt.kind !== 'story' && (await isOnAccount(attempt))) return unknown(failureOf('publish_answer_lost'));
        // the next container has a check of its own
        await forgetCheck(attempt, rights);
        // starts with the files of a gallery: the containers of its children cannot be used again
        return wait(pace.containerPollSeconds, verdict.reason, { redo: 'create-children' });
      case 'refused':
        return wasCalled ? unknown(verdict.failure) : fail(verdict.failure);
      case 'published':
        return unknown(failureOf('publish_answer_lost'));
    }
  },
});
