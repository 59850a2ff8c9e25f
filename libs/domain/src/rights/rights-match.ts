import { LIMITS } from '@autoposter/contracts';
import type { PictureComparison } from './compare-pictures';
import type { queryPrints, Region } from './prints';

/** A print, or a file hash, of the register that is near one of ours. */
export interface PrintHit {
  kind: 'claim' | 'item';
  /** Of the claim or item. */
  id: string;
  title: string;
  /** Whether we published the other item. */
  published: boolean;
  /** Index in the searched prints; `null` for an identical file. */
  ours: number | null;
  /** Hash of the identical file. */
  sha256: string | null;
  distance: number;
  /** The other's print; `null` for an identical file. */
  their: { file: number; view: string; region: Region; mirrored: boolean; atSeconds: number | null; spanSeconds: number | null } | null;
  /** Length of the other's video as far as it can be compared; `null` for a picture. */
  theirSeconds: number | null;
}

export interface Segment {
  fromSeconds: number;
  toSeconds: number;
}

/** One work (claimed, or collected before) that one of our files resembles, with the evidence. */
export interface RightsMatch {
  kind: 'claim' | 'item';
  id: string;
  title: string;
  by: 'sha256' | 'pdq' | 'sound';
  /** Number of our file, from 0. */
  file: number;
  /** The decision that the evidence supports. */
  strength: 'block' | 'flag' | 'pass';
  /** Smallest Hamming distance, 0 for an identical file; for a sound the differing bits of 256. */
  distance: number;
  /** Frames of ours that match, or seconds of a sound; 1 for a picture. */
  matched: number;
  /** Frames of ours, or seconds of the sound, that can be compared; 1 for a picture. */
  compared: number;
  /** Part of our file that the work fills, 0 to 1. */
  shareOfOurs: number;
  /** Part of the work that our file shows, 0 to 1; `null` if unknown. */
  shareOfTheirs: number | null;
  /** Views that match: ours, then theirs. */
  views: readonly [ours: string, theirs: string];
  /** Matching parts of the videos; `null` for pictures. */
  segment: { ours: Segment; theirs: Segment; offsetSeconds: number } | null;
  /** Result of the comparison on pixels; `null` if one side has no preview. */
  comparison: PictureComparison | null;
  /** Where the closest pictures are: the file of the work, and the seconds of each in its video. Missing in results of earlier programs. */
  nearest?: { theirFile: number; ours: number | null; theirs: number | null };
  /** Whether only an intro, an end card or frames that many works share match. */
  onlyShared: boolean;
  /** Whether the other item was published by us. */
  published: boolean;
}

/** Whether a claimed work was found, with enough evidence to block. */
export const isBlockingClaim = ({ kind, strength }: Pick<RightsMatch, 'kind' | 'strength'>): boolean =>
  kind === 'claim' && strength === 'block';

/** The thresholds that administrators set; ranges, defaults and where these come from are in the limits. */
export type RightsThresholds = Record<keyof typeof LIMITS.rightsThresholds, number>;

export const DEFAULT_RIGHTS_THRESHOLDS = Object.fromEntries(
  Object.entries(LIMITS.rightsThresholds).map(([name, range]) => [name, range.default]),
) as RightsThresholds;

/** What the register was searched for. */
export type Searched = ReturnType<typeof queryPrints>;

/** Sorts the strongest match first. */
export const ORDER = { block: 0, flag: 1, pass: 2 };

/** A claimed work, or another item. */
export type Work = Pick<PrintHit, 'kind' | 'id' | 'title' | 'published'>;

export const workOf = ({ kind, id, title, published }: Work): Work => ({ kind, id, title, published });
