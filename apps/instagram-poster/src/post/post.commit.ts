import { POSTED_AS, type Failure } from '@autoposter/domain';
import type { PublishAttempt, UnitOfWork } from '@autoposter/persistence';
import { skip, type StageCommit } from '@autoposter/job-engine';
import {
  settleUnknown,
  findBlockingClaim,
  rightsBlocked,
  transitionAttempt,
  settleUnpublished,
  settlePublished,
} from '@autoposter/workflow';
import type { Contained } from './steps/create-container.step';
import type { PostInput } from './steps/preflight.step';
import type { WithPermalink } from './steps/read-permalink.step';

export const postCommit: StageCommit<PostInput, WithPermalink> = {
  /** The platform is not ready or asks to wait: the container that exists is remembered, and nothing is out. */
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

  /** A work that was claimed since DMCA protection looked, while an earlier call was out, stops the next one. */
  async intended(uow, { attempt }, stepInput) {
    const { containerId, quotaUsed } = stepInput as Contained;
    const now = await uow.attempts.lock(attempt.id);
    const claim = await findBlockingClaim(uow, now.itemId);
    if (claim !== null) return skip('dmca_failure', claim.message);
    const known = now.state === 'container';
    if (!known) await transitionAttempt(uow, now, 'container', { containerId, containersMade: now.containersMade + 1 });
    const next = known ? now : await uow.attempts.lock(attempt.id);
    await transitionAttempt(uow, next, 'intent', { intentAt: await uow.now(), quotaUsedBefore: quotaUsed });
  },

  async done(uow, { attempt }, { mediaId, permalink }) {
    const now = await uow.attempts.lock(attempt.id);
    await settlePublished(uow, now, { mediaId, permalink, mediaType: POSTED_AS[now.kind] }, 'answer');
  },

  async skipped(uow, { attempt }, _reason, details) {
    await settleUnpublished(uow, await uow.attempts.lock(attempt.id), rightsBlocked(details), { actor: 'instagram-poster' });
  },

  async failed(uow, { attempt }, failure, _step, job) {
    const now = await uow.attempts.lock(attempt.id);
    // An attempt with a committed intent may be published: it is never closed as failed without reconciliation.
    if (now.state === 'intent') return settleUnknown(uow, now, { actor: 'instagram-poster', correlationId: job.correlationId });
    await settleUnpublished(uow, now, failure, { actor: 'instagram-poster' });
  },

  async unknown(uow, { attempt }, failure, job) {
    const now = await uow.attempts.lock(attempt.id);
    if (now.state !== 'intent') {
      // The container is published although this attempt recorded no call: only reconciliation can tell.
      if (now.state === 'open')
        await transitionAttempt(uow, now, 'container', { containerId: (job.journal['create-container'] as Contained).containerId });
      await transitionAttempt(uow, await uow.attempts.lock(attempt.id), 'intent', { intentAt: await uow.now() });
    }
    await uow.attempts.patch(attempt.id, { failure });
    await settleUnknown(uow, await uow.attempts.lock(attempt.id), { actor: 'instagram-poster', correlationId: job.correlationId });
  },
};

/** What was prepared came to nothing and nothing is out: the attempt is where it was before, but for the count. */
async function forgetContainer(uow: UnitOfWork, now: PublishAttempt): Promise<void> {
  if (now.state === 'container') await transitionAttempt(uow, now, 'open', { containerId: null, failure: null });
  else if (now.state === 'open') await uow.attempts.patch(now.id, { containersMade: now.containersMade + 1 });
}
