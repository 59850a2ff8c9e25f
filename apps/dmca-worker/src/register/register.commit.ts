import { isUsable } from '@autoposter/domain';
import type { StageCommit } from '@autoposter/job-engine';
import type { UnitOfWork } from '@autoposter/persistence';
import { findingsOf, holdBack } from '@autoposter/workflow';
import type { RegisterInput } from './steps/fingerprint-work.step';
import type { WithItemFrames } from './steps/keep-item-frames.step';

const ACTOR = 'dmca-worker';

export const registerCommit: StageCommit<RegisterInput, WithItemFrames> = {
  /**
   * Searches all items before `addClaimPrints` locks the register, and under the lock only the items that were added meanwhile. The result of the
   * previous step is not reused, because answers and permissions may have changed.
   */
  async done(uow, { claim, work }, { fingerprints: prints, framesOf, unreadable }) {
    const pictures = prints.flatMap(({ pdq }) => pdq).filter(isUsable).length;
    const sizeBefore = await uow.rights.size();
    const before = await uow.rights.findClaimed(claim, prints);
    await uow.rights.addClaimPrints(claim.id, prints);
    const added = await uow.rights.findClaimed(claim, prints, sizeBefore);
    const message = pictures === 0 ? 'The work has too little detail to be recognised; only identical files match it.' : null;
    const unread = unreadable.map(({ sha256, failure }) => ({ sha256, message: failure.message }));
    await uow.claims.setWork(claim.id, { ...work, state: 'fingerprinted', message, unreadable: unread }, 'stored');
    const found = new Map([...before, ...added].map((item) => [item.itemId, item]));
    const isActive = (await uow.rights.findClaim(claim.id))?.claim.status === 'active';
    // sorted by id, the common lock order
    const findings = findingsOf([...found.values()])
      .map((finding) => ({ ...finding, frames: framesOf.get(finding.itemId) }))
      .sort((a, b) => (a.itemId < b.itemId ? -1 : 1));
    const held = isActive ? await holdBack(uow, findings, { actor: ACTOR, claimId: claim.id }) : null;
    await record(uow, claim.id, {
      state: 'fingerprinted',
      pictures,
      ...(unread.length === 0 ? {} : { unreadable: unreadable.map(({ sha256, failure: { code } }) => ({ sha256, code })) }),
      ...held,
    });
  },

  async skipped() {
    throw new Error('no step of this stage skips');
  },

  async failed(uow, { claim, work, files }, failure) {
    // prints of an earlier version still recognise the work
    const known = new Set((await uow.rights.printsOfClaim(claim.id)).map(({ sha256 }) => sha256));
    const unreadable = new Set(work.unreadable?.map(({ sha256 }) => sha256));
    const isKnown = files.every(({ sha256 }) => known.has(sha256) || unreadable.has(sha256));
    await uow.claims.setWork(claim.id, { ...work, state: isKnown ? 'fingerprinted' : 'failed', message: failure.message }, 'stored');
    if (isKnown) await uow.rights.setUpToDate('claim', claim.id);
    await record(uow, claim.id, { state: 'failed', code: failure.code });
  },
};

const record = (uow: UnitOfWork, subject: string, detail: Record<string, unknown>) =>
  uow.audit.record({ actor: ACTOR, action: 'rights.fingerprint', subject, detail });
