import { coveredSeconds, hammingDistance } from './hits-between';
import { type FilePrints, isInset, isPart, PDQ_MATCH_DISTANCE, PDQ_SIMILAR_DISTANCE, queryFrames, stripOf } from './prints';
import { type PrintHit, type RightsMatch, type RightsThresholds, type Searched, workOf } from './rights-match';

/** Thresholds of videos besides the configurable share. */
const VIDEO = {
  /** Frames that must match before a video counts as a copy: one common still is not enough. */
  frames: 3,
  /** Longest intro or end card. */
  edgeSeconds: 3.5,
  /** Share from which a match at the edges alone is a copy and no intro. */
  edgeShare: 0.8,
  /** Share of a claimed work that is more than its intro or end card: a clip of a few seconds is nearly all edge. */
  claimedEdgeShare: 0.5,
  /** A frame that more works hold, none of them a copy, is a title frame. */
  commonWorks: 3,
  /** Frames of one place are nearer to the first one: those of other scenes are at least 84 bits away. */
  onePlace: 62,
  /** Median distance of a copy if all frames of a video show one place: at other moments a fixed camera is further away. */
  sameMoment: 10,
  /**
   * Share of the steps between our frames that are also steps between the frames of the work nearest to them. Copies have at least 0.73, unless they
   * are cut into pieces or short; videos of the same places at other moments, such as two talks before one camera, at most 0.67.
   */
  sameSteps: 0.7,
  /** Seconds of the work for one of ours: copies run at other speeds. The frames of a work are up to `marginSeconds` apart. */
  pace: { least: 0.5, most: 2, marginSeconds: 0.13 },
} as const;

interface FramePair {
  at: number;
  span: number;
  theirAt: number;
  theirSpan: number;
  theirFile: number;
  distance: number;
  views: readonly [string, string];
  isPart: boolean;
  /** Our frame has few colours. */
  isPlain: boolean;
  /** The strip that is near; `null` for a larger part. */
  strip: string | null;
}

/**
 * No pixels of videos are compared, so that frames are only near by strips if two of them are: one could be a banner that both show. Two strips are
 * more than chance at a distance at which one hash is not: those of a blurred pad have few lines, and its edge is known to a pixel only.
 */
function withoutLoneStrips(pairs: readonly FramePair[]): FramePair[] {
  const strips = new Map<string, Set<string>>();
  const framesOf = ({ at, theirFile, theirAt }: FramePair): string => `${at} ${theirFile} ${theirAt}`;
  for (const pair of pairs) {
    if (pair.strip !== null) strips.set(framesOf(pair), (strips.get(framesOf(pair)) ?? new Set()).add(pair.strip));
  }
  return pairs.filter((pair) => pair.strip === null || (strips.get(framesOf(pair))?.size ?? 0) > 1);
}

/** The frames of one of our videos that are near frames of one work. */
export class VideoMatch {
  private readonly pairs: FramePair[];
  private readonly frames: ReturnType<typeof queryFrames>;

  constructor(
    readonly file: number,
    prints: FilePrints,
    private readonly hits: readonly PrintHit[],
    searched: Searched,
    private readonly thresholds: RightsThresholds,
  ) {
    this.frames = queryFrames(prints).filter(({ usable }) => usable);
    const frames = new Map(this.frames.map((frame) => [frame.at, frame]));
    const pairs = hits.flatMap((hit): FramePair[] => {
      const print = hit.ours === null ? undefined : searched[hit.ours]?.print;
      if (print === undefined || hit.their === null) return [];
      const strip = stripOf(hit.their.view) ?? stripOf(print.view);
      if (hit.distance > (strip === null ? PDQ_MATCH_DISTANCE : PDQ_SIMILAR_DISTANCE)) return [];
      // a banner or caption that two posts have in common
      if (strip !== null && hit.kind === 'item') return [];
      const at = print.atSeconds ?? 0;
      const frame = frames.get(at);
      return [
        {
          at,
          span: frame?.span ?? 1,
          theirAt: hit.their.atSeconds ?? 0,
          theirSpan: hit.their.spanSeconds ?? 1,
          theirFile: hit.their.file,
          distance: hit.distance,
          views: [print.view ?? 'full', hit.their.view] as const,
          // an inset of a video is not confirmed on pixels
          isPart: isPart(print.view) || isInset(print.view),
          isPlain: frame?.isPlain ?? false,
          strip,
        },
      ];
    });
    this.pairs = withoutLoneStrips(pairs);
  }

  /** Whether all frames are alike, as those of a fixed camera. */
  private get showsOnePlace(): boolean {
    const [first, ...others] = this.frames;
    return first !== undefined && others.every(({ hash }) => hammingDistance(first.hash, hash) <= VIDEO.onePlace);
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

  match(common: ReadonlySet<string>): RightsMatch | null {
    const [first] = this.hits;
    if (first === undefined || this.pairs.length === 0) return null;
    const { videoBlockShare: blockShare, videoFlagShare: flagShare, videoExcerptSeconds: excerptSeconds } = this.thresholds;
    const { frames, edgeShare } = VIDEO;
    const all = this.shares(this.pairs);
    const isClaim = first.kind === 'claim';
    const inside = this.atOneEdge() && !(isClaim && (all.theirs ?? 0) >= VIDEO.claimedEdgeShare) ? [] : this.pairs;
    const highest = (shares: { ours: number; theirs: number | null }): number => Math.max(shares.ours, shares.theirs ?? 0);
    const isCopy = highest(all) >= (countOf(inside) >= Math.min(frames, this.frames.length) ? blockShare : edgeShare);
    // what many posts show of a claimed work is no title: the work is copied often
    const unshared = isClaim ? inside : inside.filter(({ at }) => !common.has(`${this.file} ${at}`));
    const own = isCopy ? this.pairs : unshared;
    const shares = this.shares(own);
    // a claimed work of one or two scenes has no more frames that a post could show
    const holdsWork = isClaim && (shares.theirs ?? 0) >= blockShare && own.some(({ isPlain }) => !isPlain);
    const enough = holdsWork || countOf(own) >= Math.min(frames, this.frames.length);
    // fewer scenes than a copy shows could be one card or title that two videos share, and plain frames the numbers of two countdowns
    const whole = own.filter((pair) => !pair.isPart);
    const detailed = whole.filter((pair) => !pair.isPlain);
    const certain =
      countOf(detailed) >= frames &&
      highest(this.shares(whole)) >= blockShare &&
      (!this.showsOnePlace || isSameMoment(whole)) &&
      (first.theirSeconds === null || showsSameSteps(whole));
    const isClaimedPicture = isClaim && first.theirSeconds === null;
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
export function commonFrames(videos: readonly VideoMatch[]): Set<string> {
  const works = new Map<string, Set<string>>();
  for (const video of videos) {
    if (video.isCopy) continue;
    for (const at of video.times) {
      const key = `${video.file} ${at}`;
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
const covered = (pairs: readonly FramePair[]): number =>
  coveredSeconds(pairs.map(({ theirAt, theirSpan, span }) => [theirAt, theirAt + Math.max(theirSpan, span)]));

/** Of each frame the nearest of theirs counts. */
function isSameMoment(pairs: readonly FramePair[]): boolean {
  const nearest = new Map<number, number>();
  for (const { at, distance } of pairs) nearest.set(at, Math.min(distance, nearest.get(at) ?? Infinity));
  const sorted = [...nearest.values()].sort((a, b) => a - b);
  return (sorted[sorted.length >> 1] ?? Infinity) <= VIDEO.sameMoment;
}

/** Whether the work continues as our video does: at other moments of the same place the nearest frames come in any order. */
function showsSameSteps(pairs: readonly FramePair[]): boolean {
  const nearest = new Map<number, FramePair[]>();
  for (const pair of pairs) {
    const [best] = nearest.get(pair.at) ?? [];
    if (best === undefined || pair.distance < best.distance) nearest.set(pair.at, [pair]);
    else if (pair.distance === best.distance) nearest.get(pair.at)?.push(pair);
  }
  const moments = [...nearest].sort(([a], [b]) => a - b);
  const steps = moments.slice(1).map(([at, next], index) => {
    const [before, former] = moments[index] as (typeof moments)[number];
    return former.some((from) => next.some((to) => from.theirFile === to.theirFile && isStep(at - before, to.theirAt - from.theirAt)));
  });
  return steps.filter(Boolean).length >= VIDEO.sameSteps * steps.length;
}

function isStep(ours: number, theirs: number): boolean {
  const { least, most, marginSeconds } = VIDEO.pace;
  return theirs > 0 && theirs >= least * ours - marginSeconds && theirs <= most * ours + marginSeconds;
}

const countOf = (pairs: readonly FramePair[]): number => new Set(pairs.map(({ at }) => at)).size;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
