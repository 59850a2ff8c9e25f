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
  /** Correlation of the detailed area, of the size of a few words, that agrees least; 1 without detail, -1 if not compared. */
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

type Compared = 'parts' | 'all around';

/** Samples at the edges in which areas are not compared: the registration is least exact there, but captions may be there. */
const MARGIN = { usual: BLOCK, captions: 2 } as const;
type Margin = keyof typeof MARGIN;

/**
 * Registers part of one picture to part of another, then compares the detail as a whole and by blocks: of the parts, or of the whole of
 * theirs and what is at its place in ours. The margin is that of `leastAlike` above and below.
 */
export function comparePictures(
  ours: ComparedPart,
  theirs: ComparedPart,
  compared: Compared = 'parts',
  margin: Margin = 'usual',
): PictureComparison {
  const mirrored = (ours.mirrored ?? false) !== (theirs.mirrored ?? false);
  const { region, correlation } = registerPictures(ours, theirs, mirrored);
  if (correlation < UNRELATED) return { correlation, differing: 1, leastAlike: -1 };
  const regions =
    compared === 'parts' ? { ours: region, theirs: theirs.region } : { ours: aroundPart(region, theirs.region), theirs: WHOLE };
  const one = detail(sample(ours.preview, regions.ours, FINE), FINE);
  const other = detail(sample(theirs.preview, regions.theirs, FINE, mirrored), FINE);
  return { correlation: correlate(one, other), ...byAreas(one, other, compared, MARGIN[margin]) };
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
  return { differing: blocks === 0 ? 0 : differing / blocks, leastAlike };
}

interface Size {
  width: number;
  height: number;
}

interface Area extends Size {
  left: number;
  top: number;
}

/** Calls for each area in which either picture has detail. The last ones above the margin may overlap those before. */
function eachArea(a: Float32Array, b: Float32Array, size: Size, margin: number, take: (area: Area) => void): void {
  const lowest = FINE - margin - size.height;
  for (let next = margin; next < lowest + size.height; next += size.height) {
    const top = Math.min(next, lowest);
    for (let left = BLOCK; left <= FINE - BLOCK - size.width; left += size.width) {
      const area = { left, top, ...size };
      if (Math.max(energy(a, area), energy(b, area)) >= DETAIL) take(area);
    }
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
