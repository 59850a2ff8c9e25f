import { checkedFile, decideRights, type FilePrints, renderReviewReasons, type RightsMatch, type RightsDecision } from '@autoposter/domain';
import { skip, type Skipped } from '@autoposter/job-engine';
import type { Fingerprint } from '@autoposter/media-tools';

export interface RightsRegister {
  /** How far the register has grown: what is written later can be asked for alone. */
  size(): Promise<number>;
  /** Claimed works and other content that hold one of the files or resemble it; all of it, or what came after `since` up to `until`. */
  findMatches(itemId: string, files: readonly FilePrints[], since?: number, until?: number): Promise<RightsMatch[]>;
}

/** What a refusal keeps, so that a person can see why. */
export interface RightsEvidence {
  verdict: RightsDecision;
  matches: RightsMatch[];
  fingerprints: Fingerprint[];
}

export const judge = (files: readonly FilePrints[], matches: readonly RightsMatch[]): RightsDecision =>
  decideRights(files.map(checkedFile), matches);

export const refusal = (evidence: RightsEvidence): Skipped =>
  skip(evidence.verdict.duplicate ? 'duplicate_post' : 'dmca_failure', renderReviewReasons(evidence.verdict.reasons), evidence);
