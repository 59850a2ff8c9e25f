import { isUsable } from '@autoposter/domain';
import type { StageCommit } from '@autoposter/job-engine';
import type { UnitOfWork } from '@autoposter/persistence';
import { findingsOf, holdBack } from '@autoposter/workflow';
import type { RegisterInput } from './steps/fingerprint-work.step';
import type { WithItemFrames } from './steps/keep-item-frames.step';

const ACTOR = 'dmca-worker';

export const registerCommit: StageCommit<RegisterInput, WithItemFrames> = {
  /**
   * The whole register is searched before its lock is taken (by `addClaimPrints`), then under the lock only the items that were added since.
   * The result of the previous step is not reused, because answers and permissions may have changed since.
   */
  async done(uow, { claim, work }, { fingerprint, framesOf }) {
    const prints = [fingerprint];
    const pictures = fingerprint.pdq.filter(isUsable).length;
    const sizeBefore = await uow.rights.size();
    const before = await uow.rights.findClaimed(claim, prints);
    await uow.rights.addClaimPrints(claim.id, prints);
    const added = await uow.rights.findClaimed(claim, prints, sizeBefore);
    const message = pictures === 0 ? 'The work has too little detail to be recognised; only identical files match it.' : null;
    await uow.claims.setWork(claim.id, { ...work, state: 'fingerprinted', message });
    const found = new Map([...before, ...added].map((item) => [item.itemId, item]));
    const isActive = (await uow.rights.findClaim(claim.id))?.claim.status === 'active';
    // sorted by id, the common lock order
    const findings = findingsOf([...found.values()])
      .map((finding) => ({ ...finding, frames: framesOf.get(finding.itemId) }))
      .sort((a, b) => (a.itemId < b.itemId ? -1 : 1));
    const held = isActive ? await holdBack(uow, findings, { actor: ACTOR, claimId: claim.id }) : null;
    await record(uow, claim.id, { state: 'fingerprinted', pictures, ...held });
  },

  async skipped() {
    throw new Error('no step of this stage skips');
  },

  async failed(uow, { claim, work }, failure) {
    await uow.claims.setWork(claim.id, { ...work, state: 'failed', message: failure.message });
    await record(uow, claim.id, { state: 'failed', code: failure.code });
  },
};

const record = (uow: UnitOfWork, subject: string, detail: Record<string, unknown>) =>
  uow.audit.record({ actor: ACTOR, action: 'rights.fingerprint', subject, detail });
