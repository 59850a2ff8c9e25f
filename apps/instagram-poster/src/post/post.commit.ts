import { ENVIRONMENT_ACCOUNT_ID, LIMITS } from '@autoposter/contracts';
import {
  accountSetting,
  accountTroubleOf,
  isUnlisted,
  POSTED_AS,
  type QueueSettings,
  repeatedFailure,
  type Failure,
} from '@autoposter/domain';
import type { PublishAttempt, UnitOfWork } from '@autoposter/persistence';
import { skip, type StageCommit } from '@autoposter/job-engine';
import {
  settleUnknown,
  findCallRefusal,
  pausePublishing,
  rightsBlocked,
  transitionAttempt,
  settleUnpublished,
  settlePublished,
} from '@autoposter/workflow';
import type { Contained } from './steps/create-container.step';
import { alreadyPublished, isPausedNow, waitForDistance, whilePaused } from './publish-conditions';
import type { PostInput } from './steps/preflight.step';
import type { WithPermalink } from './steps/read-permalink.step';

export const postCommit: StageCommit<PostInput, WithPermalink> = {
  /** The platform is not ready or asks to wait: stores the existing container. Nothing was published. */
  async waiting(uow, { attempt }, _until, _reason, job, refusal) {
    const now = await uow.attempts.lock(attempt.id);
    const made = job.journal['create-container'] as Contained | undefined;
    if (job.journal['create-children'] === null) return forgetContainer(uow, now);
    if (!made) return;
    if (now.state === 'open')
      await transitionAttempt(uow, now, 'container', { containerId: made.containerId, containersMade: now.containersMade + 1 });
    if (now.state === 'intent')
      await transitionAttempt(uow, now, 'container', { intentAt: null, ...(refusal ? { failure: refusal as Failure } : {}) });
  },

  /**
   * The last checks: a pause, the distance to other posts, a claim or a likeness since DMCA protection, a permission that has ended, the same
   * post in a concurrent attempt.
   */
  async intended(uow, { attempt, item }, stepInput) {
    const { containerId, quotaUsed } = stepInput as Contained;
    await uow.attempts.lockAccount(attempt.accountId);
    const now = await uow.attempts.lock(attempt.id);
    const place = await uow.queue.find(now.queueItemId);
    const queueAccountId = place?.accountId ?? ENVIRONMENT_ACCOUNT_ID;
    if (await isPausedNow(uow, queueAccountId)) return whilePaused();
    const tooClose = await waitForDistance(uow, now, place);
    if (tooClose !== null) return tooClose;
    // a change of these waits for this transaction: once it is confirmed, the checks below have seen it
    await uow.permissions.keepRequirements(item, queueAccountId);
    const refusal = await findCallRefusal(uow, now);
    if (refusal !== null) return skip('dmca_failure', refusal.message);
    const earlier = await uow.attempts.findEarlier(now);
    if (earlier !== null) return skip('duplicate_post', earlier.permalink ?? '');
    // an answer to an earlier call of this attempt has arrived since: the post is out
    if (now.answeredMediaId !== null) return skip('duplicate_post', now.permalink ?? '');
    const known = now.state === 'container';
    if (!known) await transitionAttempt(uow, now, 'container', { containerId, containersMade: now.containersMade + 1 });
    const next = known ? now : await uow.attempts.lock(attempt.id);
    const calledAt = await uow.now();
    await transitionAttempt(uow, next, 'intent', { intentAt: calledAt, calledAt, calls: next.calls + 1, quotaUsedBefore: quotaUsed });
  },

  async done(uow, { attempt }, { mediaId, permalink }) {
    const now = await uow.attempts.lock(attempt.id);
    await settlePublished(uow, now, { mediaId, permalink, mediaType: POSTED_AS[now.kind] }, 'answer');
  },

  async skipped(uow, { attempt }, reason, details, job) {
    const failure = reason === 'duplicate_post' ? alreadyPublished(details === '' ? null : details) : rightsBlocked(details);
    await settleUnpublished(uow, await uow.attempts.lock(attempt.id), failure, {
      actor: 'instagram-poster',
      correlationId: job.correlationId,
    });
  },

  async failed(uow, { attempt }, failure, _step, job) {
    const by = { actor: 'instagram-poster', correlationId: job.correlationId };
    const { state } = await settleUnpublished(uow, await uow.attempts.lock(attempt.id), failure, by);
    if (state === 'posting') return;
    await stopAccount(uow, attempt, failure);
  },

  async unknown(uow, { attempt }, failure, job) {
    const now = await uow.attempts.lock(attempt.id);
    const made = job.journal['create-container'] as Contained | undefined;
    // the container may be published although this attempt recorded no call
    await uow.attempts.patch(attempt.id, {
      containerId: now.containerId ?? made?.containerId ?? null,
      calledAt: now.calledAt ?? (await uow.now()),
    });
    await settleUnknown(uow, now, { actor: 'instagram-poster', correlationId: job.correlationId }, failure);
    const answer = failure.answer ?? (isUnlisted(failure) ? failure : undefined);
    if (answer !== undefined) await stopAccount(uow, attempt, answer);
  },
};

/** Stops the account if this failure concerns it, or if its posts failed or were answered for the same reason in a row. */
async function stopAccount(uow: UnitOfWork, { id, accountId, queueItemId }: PublishAttempt, failure: Failure): Promise<void> {
  const trouble = accountTroubleOf(failure);
  const concernsAccount = trouble !== null && 'stop' in trouble;
  const queueAccountId = (await uow.queue.find(queueItemId))?.accountId ?? ENVIRONMENT_ACCOUNT_ID;
  const stop = concernsAccount ? trouble.stop : await repeated();
  if (stop !== null) await pausePublishing(uow, stop, queueAccountId);

  async function repeated() {
    const settings = await uow.settings.get<Partial<QueueSettings>>(accountSetting('queue', queueAccountId));
    const equalFailures = settings?.equalFailures ?? LIMITS.queue.equalFailures.default;
    return repeatedFailure([{ failure }, ...(await uow.attempts.endedBefore(id, accountId, equalFailures - 1))], equalFailures);
  }
}

/** The container is unusable and nothing was published: resets the attempt, except for the number of containers. */
async function forgetContainer(uow: UnitOfWork, now: PublishAttempt): Promise<void> {
  if (now.state === 'container') await transitionAttempt(uow, now, 'open', { containerId: null, failure: null });
  else if (now.state === 'open') await uow.attempts.patch(now.id, { containersMade: now.containersMade + 1 });
}
