import { type Preview, type Region, WHOLE } from './prints';
import { type ComparedPart, detail, dot, registerPictures, sample, UNRELATED } from './register-pictures';

/** Agreement of two pictures on pixels. */
export interface PictureComparison {
  /** Correlation of the detail after registration, -1 to 1. */
  correlation: number;
  /**
   * Share of the detailed blocks (of the work's where all around is compared) that do not agree, 0 to 1: other words, a logo, a face; 1 if the
   * correlation is too low to compare blocks.
   */
  differing: number;
  /** Correlation of the detailed area, of the size of a digit or a few words, that agrees least; 1 without detail, -1 if not compared. */
  leastAlike: number;
}

const FINE = 128;
const BLOCK = 8;
/** Standard deviation (of 255 levels) from which a block has detail; JPEG noise stays below. */
const DETAIL = 7;
/** Blocks of copies correlate above this, also at JPEG quality 30. */
const BLOCK_CORRELATION = 0.4;
/** Cards, screenshots and drawings have most pixels in three bands of 12 levels: generated cards 0.86, scenes at most 0.54. */
const FLAT = { band: 12, bands: 3, share: 0.8 } as const;
/** Narrower than the levels of a sky or a wall, which are within a few of the bands above in some photographs. */
const PLAIN = { band: 4, bands: 3, share: 0.85 } as const;

/** Whether a picture has few colours, like a card with text. */
export const isFlat = (preview: Preview): boolean => isWithin(preview, FLAT);

/** Whether a frame has nearly nothing but one colour and what is written on it, like a number of a countdown. */
export const isPlain = (preview: Preview): boolean => isWithin(preview, PLAIN);

/** Whether a share of all pixels is in that many bands of levels. */
function isWithin({ luma }: Preview, { band: width, bands: count, share }: typeof FLAT | typeof PLAIN): boolean {
  const levels = new Uint32Array(256);
  for (const level of luma) levels[level] = (levels[level] as number) + 1;
  let covered = 0;
  for (let bands = 0; bands < count; bands += 1) {
    let [most, end] = [0, 0];
    for (let level = 0, band = 0; level < 256; level += 1) {
      band += levels[level] as number;
      if (level >= width) band -= levels[level - width] as number;
      if (band > most) [most, end] = [band, level];
    }
    covered += most;
    levels.fill(0, Math.max(0, end - width + 1), end + 1);
  }
  return covered >= luma.length * share;
}

/** Blocks with detail in two directions, in levels between adjacent samples. Of drawings mugs and flags have at most 36, and 95 % of cards 46 and more. */
const CORNERS = { detail: 3, least: 38 } as const;

type Compared = 'parts' | 'all around';

/** Samples at the edges in which areas are not compared: the registration is least exact there, but captions may be there. */
const MARGIN = { usual: BLOCK, captions: 2 } as const;
type Margin = keyof typeof MARGIN;

/** A part of one picture with the region in which it shows part of another. */
export interface RegisteredPair {
  ours: ComparedPart;
  theirs: ComparedPart;
  mirrored: boolean;
  region: Region;
  correlation: number;
}

/** Takes most of the time of a comparison. */
export function registeredPair(ours: ComparedPart, theirs: ComparedPart): RegisteredPair {
  const mirrored = (ours.mirrored ?? false) !== (theirs.mirrored ?? false);
  return { ours, theirs, mirrored, ...registerPictures(ours, theirs, mirrored) };
}

/**
 * Compares the detail of registered pictures as a whole and by blocks: of the parts, or of the whole of theirs and what is at its place in ours.
 * The margin is that of `leastAlike` above and below.
 */
export function comparePictures(pair: RegisteredPair, compared: Compared = 'parts', margin: Margin = 'usual'): PictureComparison {
  const details = detailsOf(pair, compared);
  if (details === null) return { correlation: pair.correlation, differing: 1, leastAlike: -1 };
  const areas = byAreas(...details, compared, MARGIN[margin]);
  let { leastAlike } = areas;
  if (leastAlike > UNCERTAIN)
    leastAlike = margin === 'captions' || isDistinct(details[1]) ? leastAlikeLetters(...details, leastAlike) : UNCERTAIN;
  return { correlation: correlate(...details), ...areas, leastAlike };
}

/** The detail of both; `null` for pictures that did not become similar. */
function detailsOf(
  { ours, theirs, mirrored, region, correlation }: RegisteredPair,
  compared: Compared,
): [one: Float32Array, other: Float32Array] | null {
  if (correlation < UNRELATED) return null;
  const regions =
    compared === 'parts' ? { ours: region, theirs: theirs.region } : { ours: aroundPart(region, theirs.region), theirs: WHOLE };
  const one = detail(sample(ours.preview, regions.ours, FINE), FINE);
  return [one, detail(sample(theirs.preview, regions.theirs, FINE, mirrored), FINE)];
}

/**
 * An area that nothing covers correlates by 0.95 and more. Words and stickers over a copy leave 0.7 of the areas of the work in the median of those
 * measured; other words on a card of the same layout leave 0.58 at most, unless they are a single line of it.
 */
const UNCHANGED = { correlation: 0.9, share: 0.7, areas: 8 } as const;

/** Whether a picture shows most of a work unchanged, whatever covers the rest. */
export function showsMostOf(pair: RegisteredPair): boolean {
  const details = detailsOf(pair, 'all around');
  if (details === null) return false;
  const [one, other] = details;
  let [areas, unchanged] = [0, 0];
  eachArea(one, other, WORDS, MARGIN.usual, (area) => {
    if (energy(other, area) < DETAIL) return;
    areas += 1;
    if (bestCorrelation(one, other, area, UNCHANGED.correlation) >= UNCHANGED.correlation) unchanged += 1;
  });
  return areas >= UNCHANGED.areas && unchanged >= areas * UNCHANGED.share;
}

/** Whether a flat picture has more than a few shapes, which other pictures may have too. A long edge does not count: it has detail in one direction. */
function isDistinct(grid: Float32Array): boolean {
  let corners = 0;
  for (let top = BLOCK; top < FINE - BLOCK; top += BLOCK)
    for (let left = BLOCK; left < FINE - BLOCK; left += BLOCK) if (weakerDetail(grid, left, top) >= CORNERS.detail) corners += 1;
  return corners >= CORNERS.least;
}

/** Detail of a block in the direction in which it has least: the root of the smaller eigenvalue of its structure tensor. */
function weakerDetail(grid: Float32Array, left: number, top: number): number {
  let [xx, xy, yy] = [0, 0, 0];
  for (let row = top; row < top + BLOCK; row += 1) {
    for (let at = row * FINE + left; at < row * FINE + left + BLOCK; at += 1) {
      const x = ((grid[at + 1] as number) - (grid[at - 1] as number)) / 2;
      const y = ((grid[at + FINE] as number) - (grid[at - FINE] as number)) / 2;
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
  }
  return Math.sqrt(Math.max(0, (xx + yy) / 2 - Math.hypot((xx - yy) / 2, xy))) / BLOCK;
}

/**
 * Correlation of the area of the size of a digit or two that agrees least, from `UNCERTAIN` to `most`. Larger areas may agree although a digit in
 * them differs.
 */
function leastAlikeLetters(one: Float32Array, other: Float32Array, most: number): number {
  const { side, apart, detail: weakest } = LETTERS;
  let least = most;
  for (let top = BLOCK; top <= FINE - BLOCK - side; top += apart) {
    for (let left = BLOCK; left <= FINE - BLOCK - side; left += apart) {
      const area = { left, top, width: side, height: side };
      if (Math.max(energy(one, area), energy(other, area)) < weakest) continue;
      least = Math.min(least, bestCorrelation(one, other, area, least));
      if (least <= UNCERTAIN) return UNCERTAIN;
    }
  }
  return least;
}

/** Where a whole picture is if this part of it is in a region. */
function aroundPart(region: Region, part: Region): Region {
  const across = (region.right - region.left) / (part.right - part.left);
  const down = (region.bottom - region.top) / (part.bottom - part.top);
  const [left, top] = [region.left - part.left * across, region.top - part.top * down];
  return { left, top, right: left + across, bottom: top + down };
}

function correlate(a: Float32Array, b: Float32Array): number {
  const length = Math.sqrt(dot(a, a) * dot(b, b));
  return length === 0 ? 0 : dot(a, b) / length;
}

/** An area of the size of a few words in small print. */
const WORDS = { width: 32, height: 16 } as const;
/**
 * A line of words above or below a photograph: larger areas also show the photograph, and agree by its detail. Its letters correlate by 0.22 at most
 * with other words, and by 0.62 and more with those of copies, except overexposed ones.
 */
const CAPTION = { width: 32, height: 8 } as const;
const SAME_CAPTION = 0.5;
/** An area of the size of a digit or two. */
const LETTERS = { side: 16, apart: 8, detail: 5 } as const;
/**
 * `leastAlike` of pictures that differ in what prevents a block at any threshold but is no other word. It lies between other words and the same
 * ones.
 */
const UNCERTAIN = 0.7;
/** Where captions are compared, from the upper and lower edge, and by how many samples the areas are apart. */
const CAPTIONS = { depth: 24, apart: 4 } as const;

function byAreas(
  one: Float32Array,
  other: Float32Array,
  compared: Compared,
  margin: number,
): Pick<PictureComparison, 'differing' | 'leastAlike'> {
  let [differing, blocks, leastAlike] = [0, 0, 1];
  eachArea(one, other, { width: BLOCK, height: BLOCK }, BLOCK, (area) => {
    // words have much detail: around a part it counts what they cover, not what they add
    if (compared === 'all around' && energy(other, area) < DETAIL) return;
    blocks += 1;
    if (bestCorrelation(one, other, area, BLOCK_CORRELATION) < BLOCK_CORRELATION) differing += 1;
  });
  eachArea(one, other, WORDS, margin, (area) => (leastAlike = Math.min(leastAlike, bestCorrelation(one, other, area, leastAlike))));
  const caption = leastAlikeCaption(one, other);
  leastAlike = Math.min(leastAlike, margin === MARGIN.usual ? Math.max(caption, UNCERTAIN) : caption);
  return { differing: blocks === 0 ? 0 : differing / blocks, leastAlike };
}

/** The correlation of the line of a caption that has other words; 1 if none has. */
function leastAlikeCaption(one: Float32Array, other: Float32Array): number {
  const [letters, others] = [withoutLines(one), withoutLines(other)];
  let least = 1;
  const last = CAPTIONS.depth - CAPTION.height;
  for (let from = MARGIN.captions; from <= last; from += CAPTIONS.apart)
    for (const top of [from, FINE - from - CAPTION.height])
      eachAcross(letters, others, { top, ...CAPTION }, (area) => {
        least = Math.min(least, bestCorrelation(letters, others, area, SAME_CAPTION));
      });
  return least < SAME_CAPTION ? least : 1;
}

/** What differs along each row: the lines themselves, of which any words consist, disappear. */
function withoutLines(grid: Float32Array): Float32Array {
  const result = new Float32Array(FINE * FINE);
  const reach = CAPTION.width / 2;
  for (let start = 0; start < grid.length; start += FINE) {
    let [sum, from, end] = [0, 0, 0];
    for (let column = 0; column < FINE; column += 1) {
      for (; end < Math.min(FINE, column + reach); end += 1) sum += grid[start + end] as number;
      for (; from < column - reach; from += 1) sum -= grid[start + from] as number;
      result[start + column] = (grid[start + column] as number) - sum / (end - from);
    }
  }
  return result;
}

interface Size {
  width: number;
  height: number;
}

interface Area extends Size {
  left: number;
  top: number;
}

/** Calls for each area in which either picture has detail. The last ones before a margin may overlap those before. */
function eachArea(a: Float32Array, b: Float32Array, size: Size, margin: number, take: (area: Area) => void): void {
  const lowest = FINE - margin - size.height;
  for (let next = margin; next < lowest + size.height; next += size.height) {
    eachAcross(a, b, { top: Math.min(next, lowest), ...size }, take);
  }
}

function eachAcross(a: Float32Array, b: Float32Array, row: Omit<Area, 'left'>, take: (area: Area) => void): void {
  const last = FINE - BLOCK - row.width;
  for (let next = BLOCK; next < last + row.width; next += row.width) {
    const area = { left: Math.min(next, last), ...row };
    if (Math.max(energy(a, area), energy(b, area)) >= DETAIL) take(area);
  }
}

/** Moves by one sample, because registration is not exact everywhere; no move first. */
const MOVES = [
  [0, 0],
  ...[-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy] as const)).filter(([dx, dy]) => dx !== 0 || dy !== 0),
] as const;

/** The best correlation of an area over small moves; stops once it is `enough`, because a higher one changes nothing. */
function bestCorrelation(a: Float32Array, b: Float32Array, area: Area, enough: number): number {
  let best = -1;
  for (const [dx, dy] of MOVES) {
    best = Math.max(best, areaCorrelation(a, b, area, dy * FINE + dx));
    if (best >= enough) break;
  }
  return best;
}

function energy(grid: Float32Array, { left, top, width, height }: Area): number {
  let sum = 0;
  for (let row = top; row < top + height; row += 1) {
    for (let at = row * FINE + left; at < row * FINE + left + width; at += 1) sum += (grid[at] as number) ** 2;
  }
  return Math.sqrt(sum / (width * height));
}

function areaCorrelation(a: Float32Array, b: Float32Array, { left, top, width, height }: Area, offset: number): number {
  let [product, aa, bb] = [0, 0, 0];
  for (let row = top; row < top + height; row += 1) {
    for (let at = row * FINE + left; at < row * FINE + left + width; at += 1) {
      const x = a[at + offset] as number;
      const y = b[at] as number;
      product += x * y;
      aa += x * x;
      bb += y * y;
    }
  }
  return aa === 0 || bb === 0 ? 0 : product / Math.sqrt(aa * bb);
}
