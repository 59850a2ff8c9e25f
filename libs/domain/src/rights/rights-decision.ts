import { type ReviewReason, reviewReason } from '../review/review-reason';

/** Hashes within this Hamming distance (of 256 bits) count as the same picture; source: the PDQ paper's recommendation. */
export const PDQ_MATCH_DISTANCE = 31;
/** Below this quality (0–100) a PDQ hash is too vague to compare; source: as above. */
export const PDQ_MIN_QUALITY = 50;
/** Frames of a video that must match before it counts as a copy: one common still frame is not enough. */
const VIDEO_MATCH_FRAMES = 3;

/** One work (claimed, or collected before) with a matching fingerprint. */
export interface RightsMatch {
  kind: 'claim' | 'item';
  id: string;
  title: string;
  by: 'sha256' | 'pdq';
  /** Smallest Hamming distance, 0 for an exact match. */
  distance: number;
  /** How many of our pictures or frames match it. */
  matched: number;
  /** How many of our pictures or frames could be compared. */
  compared: number;
  /** Whether the other item was published by us. */
  published: boolean;
}

export interface RightsDecision {
  verdict: 'clear' | 'flagged' | 'blocked';
  /** Empty when `clear`. */
  reasons: ReviewReason[];
  /** Set when the post duplicates our own content; no claim blocks it. */
  duplicate: boolean;
}

interface FingerprintSummary {
  kind: 'video' | 'image';
  /** Hashes with enough quality. */
  usable: number;
  total: number;
}

/**
 * Decides whether a post may continue. A matching claim blocks, even on one picture of a gallery; our own earlier content blocks as a
 * duplicate where at least half of the files are the same. A match on less, or on fewer frames than a copy needs, is flagged for a person,
 * and so is a file without usable fingerprints.
 */
export function decideRights(summary: FingerprintSummary, matches: readonly RightsMatch[]): RightsDecision {
  const frames = summary.kind === 'video' ? Math.min(VIDEO_MATCH_FRAMES, Math.max(1, summary.usable)) : 1;
  const certain = matches.filter((match) => match.by === 'sha256' || match.matched >= frames);
  const claim = certain.find((match) => match.kind === 'claim');
  if (claim) return { verdict: 'blocked', duplicate: false, reasons: [reviewReason('matches_claim', evidence(claim))] };
  const areFiles = (match: RightsMatch): boolean => match.by === 'sha256' || summary.kind === 'image';
  const own = certain.find((match) => match.kind === 'item' && !(areFiles(match) && match.matched * 2 < match.compared));
  if (own) {
    const code = own.published ? 'posted_before' : 'collected_before';
    return { verdict: 'blocked', duplicate: true, reasons: [reviewReason(code, evidence(own))] };
  }
  const reasons: ReviewReason[] = matches.map((match) => reviewReason('resembles_work', evidence(match)));
  if (summary.usable === 0) reasons.push(reviewReason('too_little_detail'));
  return { verdict: reasons.length > 0 ? 'flagged' : 'clear', reasons, duplicate: false };
}

const evidence = ({ title, by, matched, compared, distance }: RightsMatch) => ({ title, by, matched, compared, distance });
