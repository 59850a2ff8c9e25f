import { decideRights, PDQ_MIN_QUALITY, type RightsMatch, type RightsVerdict } from '@autoposter/domain';
import { defineStep, done, skip } from '@autoposter/stage-runner';
import type { Fingerprinted } from './fingerprint.step';

export interface RightsRegister {
  /** Claimed works and earlier content (but this item's own) that share a file hash or come near one of the PDQ hashes. */
  findMatches(itemId: string, sha256: readonly string[], pdqHashes: readonly string[]): Promise<RightsMatch[]>;
}

export interface Matched extends Fingerprinted {
  verdict: RightsVerdict;
  matches: RightsMatch[];
}

/** What a refusal keeps, so that a person can see why. */
export type RightsEvidence = Pick<Matched, 'verdict' | 'matches' | 'fingerprints'>;

export const matchRegister = defineStep<Fingerprinted, Matched, { register: RightsRegister }>({
  name: 'match-register',
  effect: 'read',
  async run(input, { register }) {
    const hashes = input.fingerprints.flatMap((print) => print.pdq);
    const usable = hashes.filter((pdq) => pdq.quality >= PDQ_MIN_QUALITY).map((pdq) => pdq.hash);
    const exact = input.fingerprints.map((print) => print.sha256);
    const matches = await register.findMatches(input.item.id, exact, usable);
    const kind = input.originals.some((original) => original.mediaType === 'video') ? 'video' : 'image';
    const verdict = decideRights({ kind, usable: usable.length, total: hashes.length }, matches);
    if (verdict.verdict !== 'blocked') return done({ ...input, verdict, matches });
    const evidence: RightsEvidence = { verdict, matches, fingerprints: input.fingerprints };
    return skip(verdict.duplicate ? 'duplicate_post' : 'dmca_failure', verdict.reasons.join(' '), evidence);
  },
});
