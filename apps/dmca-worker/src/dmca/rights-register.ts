import { decideRights, PDQ_MIN_QUALITY, renderReviewReasons, type RightsMatch, type RightsDecision } from '@autoposter/domain';
import type { Fingerprint } from '@autoposter/media-tools';
import type { MediaFile } from '@autoposter/persistence';
import { skip, type Skipped } from '@autoposter/job-engine';

export interface RightsRegister {
  /** How far the register has grown: what is written later can be asked for alone. */
  size(): Promise<number>;
  /** Claimed works and other content that share a file hash or come near a PDQ hash; all of it, or what came after `since` up to `until`. */
  findMatches(
    itemId: string,
    sha256: readonly string[],
    pdqHashes: readonly string[],
    since?: number,
    until?: number,
  ): Promise<RightsMatch[]>;
}

/** What a refusal keeps, so that a person can see why. */
export interface RightsEvidence {
  verdict: RightsDecision;
  matches: RightsMatch[];
  fingerprints: Fingerprint[];
}

/** Asks the register about an item's fingerprints. Picture hashes that say too little are left out. */
export function lookUp(
  register: RightsRegister,
  itemId: string,
  prints: readonly Fingerprint[],
  since?: number,
  until?: number,
): Promise<RightsMatch[]> {
  const exact = prints.map((print) => print.sha256);
  return register.findMatches(
    itemId,
    exact,
    usable(prints).map((pdq) => pdq.hash),
    since,
    until,
  );
}

export function judge(originals: readonly MediaFile[], prints: readonly Fingerprint[], matches: readonly RightsMatch[]): RightsDecision {
  const kind = originals.some((original) => original.mediaType === 'video') ? 'video' : 'image';
  const total = prints.reduce((sum, print) => sum + print.pdq.length, 0);
  return decideRights({ kind, usable: usable(prints).length, total }, matches);
}

export const refusal = (evidence: RightsEvidence): Skipped =>
  skip(evidence.verdict.duplicate ? 'duplicate_post' : 'dmca_failure', renderReviewReasons(evidence.verdict.reasons), evidence);

const usable = (prints: readonly Fingerprint[]) => prints.flatMap((print) => print.pdq).filter((pdq) => pdq.quality >= PDQ_MIN_QUALITY);
