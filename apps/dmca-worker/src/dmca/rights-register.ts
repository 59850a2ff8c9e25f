import { checkedFile, decideRights, type FilePrints, renderReviewReasons, type RightsMatch, type RightsDecision } from '@autoposter/domain';
import { skip, type Skipped } from '@autoposter/job-engine';
import type { Fingerprint } from '@autoposter/media-tools';
import type { ClaimedItem, MatchedClaim, ComparedFile, Database, JobClaim, MatchedFrame } from '@autoposter/persistence';

export interface RightsRegister {
  /** Size of the register; a later search can be limited to the entries after it. */
  size(): Promise<number>;
  /** Claimed works and other content that hold one of the files or resemble it. */
  findMatches(itemId: string, files: readonly FilePrints[]): Promise<RightsMatch[]>;
  /** Items that hold the work of a claim or resemble it. */
  findClaimed(claim: MatchedClaim, files: readonly FilePrints[]): Promise<ClaimedItem[]>;
  /** The stored files of claims and items; nothing for those without any. */
  compared(owners: readonly { id: string; file: number }[]): Promise<ComparedFile[]>;
  /**
   * Commits the fingerprints of an item and returns the item's number in the register. Entries with smaller numbers are visible from then on. Throws
   * if another worker holds the job now; that worker enters the item itself.
   */
  enter(itemId: string, files: readonly FilePrints[], holder: JobClaim): Promise<number>;
}

/** The register of a database; an entry is a transaction of its own. */
export const registerIn = (database: Database): RightsRegister => ({
  size: () => database.read.rights.size(),
  findMatches: (itemId, files) => database.read.rights.findMatches(itemId, files),
  findClaimed: (claim, files) => database.read.rights.findClaimed(claim, files),
  compared: (owners) => database.read.answers.compared(owners),
  enter: (itemId, files, holder) => database.unitOfWork((uow) => uow.rights.saveFingerprints(itemId, files, holder)),
});

/** The fingerprint of a stored file, and the hash of its bytes. */
export type FileFingerprint = Fingerprint & { sha256: string };

/** Stored with a decision, so that a person can see its reasons. */
export interface RightsEvidence {
  verdict: RightsDecision;
  matches: RightsMatch[];
  fingerprints: FileFingerprint[];
  frames: MatchedFrame[];
}

export const judge = (files: readonly FilePrints[], matches: readonly RightsMatch[]): RightsDecision =>
  decideRights(files.map(checkedFile), matches);

export const refusal = (evidence: RightsEvidence): Skipped =>
  skip(evidence.verdict.duplicate ? 'duplicate_post' : 'dmca_failure', renderReviewReasons(evidence.verdict.reasons), evidence);
