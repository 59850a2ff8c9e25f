import { comparePictures, isFlat, type PictureComparison, type RegisteredPair, registeredPair, showsMostOf } from './compare-pictures';
import {
  type FilePrints,
  isContent,
  isInset,
  isPart,
  PDQ_MATCH_DISTANCE,
  type Preview,
  type Print,
  type Region,
  stripOf,
  WHOLE,
} from './prints';
import { ORDER, type PrintHit, type RightsMatch, type RightsThresholds, type Searched, workOf } from './rights-match';

/** How much of a picture the near views show. */
type Extent = 'whole' | 'part' | 'strip';
/** Number of near views of each extent that are compared on pixels: the nearest is nearly always the best. */
const COMPARED_VIEWS = 2;

export function pictureMatch(
  file: number,
  prints: FilePrints,
  hits: readonly PrintHit[],
  searched: Searched,
  { previewOf, thresholds }: { previewOf: (hit: PrintHit) => Preview | null; thresholds: RightsThresholds },
): RightsMatch {
  const own = (hit: PrintHit): Print | undefined => (hit.ours === null ? undefined : searched[hit.ours]?.print);
  const byDistance = [...hits].sort((a, b) => a.distance - b.distance);
  const nearest = (extent: Extent): PrintHit[] => byDistance.filter((hit) => extentOf(own(hit), hit) === extent).slice(0, COMPARED_VIEWS);
  const larger = [...nearest('whole'), ...nearest('part')];
  // the comparison around a strip would repeat that of a larger view
  const near = larger.length > 0 ? larger : nearest('strip');
  const strips = new Set(byDistance.flatMap((hit) => shownStrip(own(hit), hit) ?? [])).size;
  const isOursFlat = prints.preview ? isFlat(prints.preview) : false;
  const register = (hit: PrintHit): RegisteredPair | null => {
    const [print, their] = [own(hit), hit.their?.atSeconds === null ? previewOf(hit) : null];
    if (!their || !hit.their || !prints.preview) return null;
    const mirrored = (print?.mirrored ?? false) !== hit.their.mirrored;
    const ours = { preview: prints.preview, region: print?.region ?? WHOLE, mirrored };
    return registeredPair(ours, { preview: their, region: hit.their.region });
  };
  const pairs = new Map<PrintHit, RegisteredPair | null>();
  /** Registered once, also where the nearest one is compared in both ways. */
  const pairOf = (hit: PrintHit): RegisteredPair | null => {
    if (!pairs.has(hit)) pairs.set(hit, register(hit));
    return pairs.get(hit) ?? null;
  };
  const isEitherFlat = (pair: RegisteredPair | null): boolean => isOursFlat || (pair !== null && isFlat(pair.theirs.preview));
  const judge = (hit: PrintHit) => {
    const [print, pair] = [own(hit), pairOf(hit)];
    const flat = isEitherFlat(pair);
    const compared = isSameStrip(print, hit) ? 'all around' : 'parts';
    const comparison = pair && comparePictures(pair, compared, flat ? 'usual' : 'captions');
    const evidence = { comparison, flat, thresholds };
    const strength = extentOf(print, hit) === 'strip' ? stripStrength(hit, print, { ...evidence, strips }) : pictureStrength(hit, evidence);
    return { hit, print, comparison, strength: strength === 'block' && !isWhole(hit, print, comparison) ? ('flag' as const) : strength };
  };
  const judged: ReturnType<typeof judge>[] = [];
  for (const hit of near) {
    const result = judge(hit);
    judged.push(result);
    // nothing is stronger
    if (result.strength === 'block') break;
  }
  const [best] = judged.sort(
    (a, b) => ORDER[a.strength] - ORDER[b.strength] || (b.comparison?.correlation ?? -1) - (a.comparison?.correlation ?? -1),
  );
  if (best === undefined) throw new Error('a match without a hit');
  const { hit, print, comparison, strength } = best;
  const nearestPair = strength === 'pass' && hit.kind === 'claim' && byDistance[0] ? pairOf(byDistance[0]) : null;
  // what covers a flat copy changes the area that agrees least, as other words do
  const isCovered = nearestPair !== null && isEitherFlat(nearestPair) && showsMostOf(nearestPair);
  return {
    ...workOf(hit),
    by: 'pdq',
    file,
    strength: isCovered ? 'flag' : strength,
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

/** The strip of the work that is near, or the strip of ours that is near another view. */
const shownStrip = (print: Print | undefined, { their }: PrintHit): string | null => stripOf(their?.view) ?? stripOf(print?.view);

function extentOf(print: Print | undefined, hit: PrintHit): Extent {
  if (shownStrip(print, hit) !== null) return 'strip';
  return isPart(print?.view) || isContent(hit.their?.view) ? 'part' : 'whole';
}

const isSameStrip = (print: Print | undefined, { their }: PrintHit): boolean =>
  stripOf(their?.view) !== null && stripOf(print?.view) === stripOf(their?.view);

/** Part of a work that an inset shows at least if it blocks: panels of memes are smaller parts of other memes. */
const INSET_SHARE = 0.7;
/** Content that lacks more than this at a side of the work is what two memes of one photograph share: each has a caption of its own, of 4 % and more. */
const CUT = 0.02;
const isNearlyAll = ({ left, top, right, bottom }: Region): boolean => Math.max(left, top, 1 - right, 1 - bottom) <= CUT;

/**
 * Whether the print shows the work, and not a part that others may share. A post that shows one of our own pictures beside something else is no
 * duplicate of it, and an inset that is not confirmed on pixels is no evidence.
 */
function isWhole(hit: PrintHit, print: Print | undefined, comparison: PictureComparison | null): boolean {
  if (print === undefined) return true;
  if (isPart(print.view)) return false;
  if (!isInset(print.view)) return print.region === undefined || hit.their === null || isNearlyAll(hit.their.region);
  return comparison !== null && hit.kind === 'claim' && hit.their !== null && areaOf(hit.their.region) >= INSET_SHARE;
}

/**
 * Correlation of the area of a flat picture that agrees least: with other words at most 0.48, of changed copies 0.86 and more. Between the two
 * lies a text over the copy; it is found by the part of the picture that it leaves free.
 */
const SAME_WORDS = 0.65;
/** Largest share of the detailed blocks that differ in a copy that blocks. Nearly always an area of more than one block agrees too little as well. */
const DIFFERING = 0.04;

interface Evidence {
  comparison: PictureComparison | null;
  flat: boolean;
  thresholds: RightsThresholds;
}

/** Text cards of one layout have similar hashes with any text, so that flat pictures are flagged only if their pixels agree as well. */
function pictureStrength(hit: PrintHit, { comparison, flat, thresholds }: Evidence): RightsMatch['strength'] {
  const { distance } = hit;
  // a still of a video, or a work of which no preview is kept: only a claim by its hash alone is certain
  if (comparison === null) return distance > PDQ_MATCH_DISTANCE || hit.their?.atSeconds !== null || hit.kind === 'item' ? 'flag' : 'block';
  if (flat && comparison.leastAlike < SAME_WORDS) return 'pass';
  const same = comparison.correlation >= thresholds.pictureCorrelation;
  const isCertain =
    distance <= PDQ_MATCH_DISTANCE && comparison.leastAlike >= thresholds.pictureLeastAlike && comparison.differing <= DIFFERING;
  if (same && isCertain) return 'block';
  return flat && !same ? 'pass' : 'flag';
}

/**
 * Largest share of the work's detailed blocks that are covered around a strip: words and stickers up to a quarter of the picture cover at most 0.34.
 */
const COVERED = 0.36;

/**
 * Strips never block. Two of them flag if most of the work around them is in our picture; one could be the panel that two memes have in common. Of
 * earlier posts they are evidence only.
 */
function stripStrength(
  hit: PrintHit,
  print: Print | undefined,
  { comparison, flat, thresholds, strips }: Evidence & { strips: number },
): RightsMatch['strength'] {
  if (hit.kind === 'item' || strips < 2) return 'pass';
  if (comparison === null) return hit.distance <= PDQ_MATCH_DISTANCE ? 'flag' : 'pass';
  if (flat && comparison.leastAlike < SAME_WORDS) return 'pass';
  const agrees = isSameStrip(print, hit) ? comparison.differing <= COVERED : comparison.correlation >= thresholds.pictureCorrelation;
  return agrees ? 'flag' : 'pass';
}

const areaOf = ({ left, top, right, bottom }: Region): number => (right - left) * (bottom - top);
