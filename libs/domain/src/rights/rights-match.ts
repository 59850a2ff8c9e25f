import { LIMITS } from '@autoposter/contracts';
import { comparePictures, isFlat, type PictureComparison } from './compare-pictures';
import {
  type FilePrints,
  isFrame,
  isInset,
  isUsable,
  PDQ_MATCH_DISTANCE,
  type Preview,
  type Print,
  queryFrames,
  queryPrints,
  type Region,
  WHOLE,
} from './prints';

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
  /** What the evidence is enough for. */
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

/** The thresholds that administrators set; ranges, defaults and where these come from are in the limits. */
export type RightsThresholds = Record<keyof typeof LIMITS.rightsThresholds, number>;

export const DEFAULT_RIGHTS_THRESHOLDS = Object.fromEntries(
  Object.entries(LIMITS.rightsThresholds).map(([name, range]) => [name, range.default]),
) as RightsThresholds;

/** What a video is beside its share; no setting. */
const VIDEO = {
  /** Frames that must match before a video counts as a copy: one common still is not enough. */
  frames: 3,
  /** Longest intro or end card. */
  edgeSeconds: 3.5,
  /** Share from which a match at the edges alone is a copy and no intro. */
  edgeShare: 0.8,
  /** A frame that more works hold, none of them a copy, is a title frame. */
  commonWorks: 3,
} as const;

/** Per work and file of ours, how much of one is in the other, and what that is enough for. */
export function matchesOf(
  files: readonly FilePrints[],
  hits: readonly PrintHit[],
  previewOf: (hit: PrintHit) => Preview | null,
  thresholds: RightsThresholds = DEFAULT_RIGHTS_THRESHOLDS,
): RightsMatch[] {
  const searched = queryPrints(files);
  const groups = new Map<string, { file: number; hits: PrintHit[] }>();
  for (const hit of hits) {
    const file = hit.ours === null ? files.findIndex(({ sha256 }) => sha256 === hit.sha256) : (searched[hit.ours]?.file ?? -1);
    if (file < 0) continue;
    const key = `${hit.kind} ${hit.id} ${file}`;
    const group = groups.get(key) ?? { file, hits: [] };
    group.hits.push(hit);
    groups.set(key, group);
  }
  const videos: VideoMatch[] = [];
  const matches: RightsMatch[] = [];
  for (const { file, hits: group } of groups.values()) {
    const [first] = group;
    const prints = files[file];
    if (first === undefined || prints === undefined) continue;
    const exact = group.find(({ ours }) => ours === null);
    if (exact) matches.push(identicalFile(exact, file, prints));
    else if (prints.pdq.some(isFrame)) videos.push(new VideoMatch(file, prints, group, searched, thresholds));
    else matches.push(pictureMatch(file, prints, group, searched, { previewOf, thresholds }));
  }
  const common = commonFrames(videos);
  matches.push(...videos.flatMap((video) => video.match(common) ?? []));
  return matches.sort((a, b) => ORDER[a.strength] - ORDER[b.strength] || a.distance - b.distance || (a.id < b.id ? -1 : 1));
}

type Searched = ReturnType<typeof queryPrints>;

const workOf = ({ kind, id, title, published }: PrintHit) => ({ kind, id, title, published });

function identicalFile(hit: PrintHit, file: number, prints: FilePrints): RightsMatch {
  const compared = Math.max(1, new Set(prints.pdq.filter(isUsable).map(({ atSeconds }) => atSeconds)).size);
  const shares = { shareOfOurs: 1, shareOfTheirs: 1, matched: compared, compared };
  const nearest = { theirFile: hit.their?.file ?? 0, ours: null, theirs: null };
  const evidence = { views: ['full', 'full'] as const, segment: null, comparison: null, nearest, onlyShared: false };
  return { ...workOf(hit), by: 'sha256', file, strength: 'block', distance: 0, ...shares, ...evidence };
}

/** Number of near views, of the whole and of parts, that are compared on pixels: the nearest is nearly always the best. */
const COMPARED_VIEWS = 2;

function pictureMatch(
  file: number,
  prints: FilePrints,
  hits: readonly PrintHit[],
  searched: Searched,
  { previewOf, thresholds }: { previewOf: (hit: PrintHit) => Preview | null; thresholds: RightsThresholds },
): RightsMatch {
  const own = (hit: PrintHit): Print | undefined => (hit.ours === null ? undefined : searched[hit.ours]?.print);
  const byDistance = [...hits].sort((a, b) => a.distance - b.distance);
  const near = [true, false].flatMap((part) => byDistance.filter((hit) => isPart(own(hit)) === part).slice(0, COMPARED_VIEWS));
  const judge = (hit: PrintHit) => {
    const [print, their] = [own(hit), hit.their?.atSeconds === null ? previewOf(hit) : null];
    const comparison =
      their && hit.their && prints.preview
        ? comparePictures(
            { preview: prints.preview, region: print?.region ?? WHOLE, mirrored: (print?.mirrored ?? false) !== hit.their.mirrored },
            { preview: their, region: hit.their.region },
          )
        : null;
    const flat = [prints.preview, their].some((preview) => preview && isFlat(preview));
    const strength = pictureStrength(hit, { comparison, flat, thresholds });
    return { hit, print, comparison, strength: strength === 'block' && !isWhole(hit, print, comparison) ? ('flag' as const) : strength };
  };
  const judged: ReturnType<typeof judge>[] = [];
  // no other view says more than one that blocks
  for (const hit of near) if (judged.push(judge(hit)) && judged.at(-1)?.strength === 'block') break;
  const [best] = judged.sort(
    (a, b) => ORDER[a.strength] - ORDER[b.strength] || (b.comparison?.correlation ?? -1) - (a.comparison?.correlation ?? -1),
  );
  if (best === undefined) throw new Error('a match without a hit');
  const { hit, print, comparison, strength } = best;
  return {
    ...workOf(hit),
    by: 'pdq',
    file,
    strength,
    distance: hit.distance,
    matched: 1,
    compared: 1,
    shareOfOurs: areaOf(print?.region ?? WHOLE),
    shareOfTheirs: hit.their?.atSeconds === null ? areaOf(hit.their.region) : null,
    views: [print?.view ?? 'full', hit.their?.view ?? 'full'],
    segment: null,
    comparison,
    nearest: { theirFile: hit.their?.file ?? 0, ours: null, theirs: hit.their?.atSeconds ?? null },
    onlyShared: false,
  };
}

export const ORDER = { block: 0, flag: 1, pass: 2 };

/** Parts of a picture are searched for and found. Two memes share them and say something else in the rest, so that they never block. */
const isPart = (print: Print | undefined): boolean => print?.region !== undefined && print.isReference !== false;

/** Part of a work that an inset shows at least if it blocks: panels of memes are smaller parts of other memes. */
const INSET_SHARE = 0.7;

/**
 * Whether the print shows the work, and not a part that others may share. A post that shows one of our own pictures beside something else is no
 * duplicate of it, and an inset that is not confirmed on pixels is no evidence.
 */
function isWhole(hit: PrintHit, print: Print | undefined, comparison: PictureComparison | null): boolean {
  if (print === undefined || !isInset(print)) return !isPart(print);
  return comparison !== null && hit.kind === 'claim' && hit.their !== null && areaOf(hit.their.region) >= INSET_SHARE;
}

/**
 * Correlation of the area of a flat picture that agrees least: with other words at most 0.48, of changed copies 0.86 and more. Between the two
 * lies a text over the copy; it is found by the part of the picture that it leaves free.
 */
const SAME_WORDS = 0.65;

/** Text cards of one layout have similar hashes with any text, so that flat pictures are flagged only if their pixels agree as well. */
function pictureStrength(
  hit: PrintHit,
  { comparison, flat, thresholds }: { comparison: PictureComparison | null; flat: boolean; thresholds: RightsThresholds },
): RightsMatch['strength'] {
  const { distance } = hit;
  // a still of a video, or a work of which no preview is kept: only a claim by its hash alone is certain
  if (comparison === null) return distance > PDQ_MATCH_DISTANCE || hit.their?.atSeconds !== null || hit.kind === 'item' ? 'flag' : 'block';
  if (flat && comparison.leastAlike < SAME_WORDS) return 'pass';
  const same = comparison.correlation >= thresholds.pictureCorrelation;
  if (distance <= PDQ_MATCH_DISTANCE && same && comparison.differing <= thresholds.pictureDiffering) return 'block';
  return flat && !same ? 'pass' : 'flag';
}

const areaOf = ({ left, top, right, bottom }: Region): number => (right - left) * (bottom - top);

interface FramePair {
  at: number;
  span: number;
  theirAt: number;
  theirSpan: number;
  theirFile: number;
  distance: number;
  views: readonly [string, string];
  isPart: boolean;
}

/** The frames of one of our videos that are near frames of one work. */
class VideoMatch {
  private readonly pairs: FramePair[];
  private readonly frames: ReturnType<typeof queryFrames>;

  constructor(
    private readonly file: number,
    prints: FilePrints,
    private readonly hits: readonly PrintHit[],
    searched: Searched,
    private readonly thresholds: RightsThresholds,
  ) {
    this.frames = queryFrames(prints).filter(({ usable }) => usable);
    const spans = new Map(this.frames.map(({ at, span }) => [at, span]));
    this.pairs = hits.flatMap((hit) => {
      const print = hit.ours === null ? undefined : searched[hit.ours]?.print;
      if (print === undefined || hit.their === null || hit.distance > PDQ_MATCH_DISTANCE) return [];
      return [
        {
          at: print.atSeconds ?? 0,
          span: spans.get(print.atSeconds ?? 0) ?? 1,
          theirAt: hit.their.atSeconds ?? 0,
          theirSpan: hit.their.spanSeconds ?? 1,
          theirFile: hit.their.file,
          distance: hit.distance,
          views: [print.view ?? 'full', hit.their.view] as const,
          // an inset of a video is not confirmed on pixels
          isPart: isPart(print) || isInset(print),
        },
      ];
    });
  }

  get work(): string {
    return `${this.hits[0]?.kind} ${this.hits[0]?.id}`;
  }

  get times(): number[] {
    return [...new Set(this.pairs.map(({ at }) => at))];
  }

  /** Whether one holds most of the other. */
  get isCopy(): boolean {
    const { ours, theirs } = this.shares(this.pairs);
    return Math.max(ours, theirs ?? 0) >= this.thresholds.videoBlockShare;
  }

  get fileNumber(): number {
    return this.file;
  }

  match(common: ReadonlySet<string>): RightsMatch | null {
    const [first] = this.hits;
    if (first === undefined || this.pairs.length === 0) return null;
    const { videoBlockShare: blockShare, videoFlagShare: flagShare, videoExcerptSeconds: excerptSeconds } = this.thresholds;
    const { frames, edgeShare } = VIDEO;
    const all = this.shares(this.pairs);
    const inside = this.atOneEdge() ? [] : this.pairs;
    const highest = (shares: { ours: number; theirs: number | null }): number => Math.max(shares.ours, shares.theirs ?? 0);
    const isCopy = highest(all) >= (countOf(inside) >= Math.min(frames, this.frames.length) ? blockShare : edgeShare);
    const own = isCopy ? this.pairs : inside.filter(({ at }) => !common.has(`${this.file} ${at}`));
    const shares = this.shares(own);
    const enough = countOf(own) >= Math.min(frames, this.frames.length);
    // fewer scenes than a copy shows could be one card or title that two videos share
    const whole = own.filter((pair) => !pair.isPart);
    const certain = countOf(whole) >= frames && highest(this.shares(whole)) >= blockShare;
    const isClaimedPicture = first.kind === 'claim' && first.theirSeconds === null;
    const alike = (enough && (highest(shares) >= flagShare || shares.seconds >= excerptSeconds)) || (isClaimedPicture && countOf(own) > 0);
    const shown = own.length > 0 ? own : this.pairs;
    const nearest = shown.reduce((best, pair) => (pair.distance < best.distance ? pair : best));
    return {
      ...workOf(first),
      by: 'pdq',
      file: this.file,
      strength: certain ? 'block' : alike ? 'flag' : 'pass',
      distance: nearest.distance,
      matched: countOf(shown),
      compared: this.frames.length,
      shareOfOurs: all.ours,
      shareOfTheirs: all.theirs,
      views: nearest.views,
      segment: first.theirSeconds === null ? null : segmentOf(shown),
      comparison: null,
      nearest: { theirFile: nearest.theirFile, ours: nearest.at, theirs: first.theirSeconds === null ? null : nearest.theirAt },
      onlyShared: own.length === 0,
    };
  }

  private shares(pairs: readonly FramePair[]): { ours: number; theirs: number | null; seconds: number } {
    const seconds = sum([...new Map(pairs.map((pair) => [pair.at, pair.span])).values()]);
    const total = sum(this.frames.map(({ span }) => span));
    const theirTotal = this.hits[0]?.theirSeconds ?? null;
    const theirs = theirTotal === null || theirTotal === 0 ? null : Math.min(1, Math.min(covered(pairs), seconds * 1.25) / theirTotal);
    return { ours: total === 0 ? 0 : Math.min(1, seconds / total), theirs, seconds };
  }

  /** Whether only the intro of both videos matches, or only the end card. */
  private atOneEdge(): boolean {
    const { edgeSeconds } = VIDEO;
    const theirTotal = this.hits[0]?.theirSeconds;
    if (theirTotal === null || theirTotal === undefined) return false;
    const end = Math.max(...this.frames.map((frame) => frame.at + frame.span));
    return (
      this.pairs.every(({ at, theirAt }) => at < edgeSeconds && theirAt < edgeSeconds) ||
      this.pairs.every(({ at, theirAt }) => at >= end - edgeSeconds && theirAt >= theirTotal - edgeSeconds)
    );
  }
}

/** Frames (by file and time) that more works share than a copy would have, none of which is a copy. */
function commonFrames(videos: readonly VideoMatch[]): Set<string> {
  const works = new Map<string, Set<string>>();
  for (const video of videos) {
    if (video.isCopy) continue;
    for (const at of video.times) {
      const key = `${video.fileNumber} ${at}`;
      works.set(key, (works.get(key) ?? new Set()).add(video.work));
    }
  }
  return new Set([...works].flatMap(([key, holders]) => (holders.size > VIDEO.commonWorks ? [key] : [])));
}

function segmentOf(pairs: readonly FramePair[]): RightsMatch['segment'] {
  const offsets = pairs.map(({ at, theirAt }) => theirAt - at).sort((a, b) => a - b);
  const offsetSeconds = offsets[Math.floor(offsets.length / 2)] ?? 0;
  const from = (values: number[]): number => Math.min(...values);
  return {
    ours: { fromSeconds: from(pairs.map(({ at }) => at)), toSeconds: Math.max(...pairs.map(({ at, span }) => at + span)) },
    theirs: {
      fromSeconds: from(pairs.map(({ theirAt }) => theirAt)),
      toSeconds: Math.max(...pairs.map((pair) => pair.theirAt + pair.theirSpan)),
    },
    offsetSeconds,
  };
}

/** Seconds of the work that the pairs cover; our frames may be further apart than theirs. */
function covered(pairs: readonly FramePair[]): number {
  const intervals = pairs.map(({ theirAt, theirSpan, span }) => [theirAt, theirAt + Math.max(theirSpan, span)] as const);
  let [total, end] = [0, Number.NEGATIVE_INFINITY];
  for (const [from, to] of [...intervals].sort((a, b) => a[0] - b[0])) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return total;
}

const countOf = (pairs: readonly FramePair[]): number => new Set(pairs.map(({ at }) => at)).size;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
