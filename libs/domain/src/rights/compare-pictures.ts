import type { Preview, Region } from './prints';

/** Agreement of two pictures on pixels. */
export interface PictureComparison {
  /** Correlation of the detail after registration, -1 to 1. */
  correlation: number;
  /** Share of the detailed blocks that do not agree, 0 to 1: other words, a logo, a face. */
  differing: number;
  /** Correlation of the detailed area, of the size of a few words, that agrees least; 1 without detail. */
  leastAlike: number;
}

interface ComparedPart {
  preview: Preview;
  region: Region;
  mirrored?: boolean;
}

const COARSE = 48;
const FINE = 128;
const BLOCK = 8;
/** Standard deviation (of 255 levels) from which a block has detail; JPEG noise stays below. */
const DETAIL = 7;
/** Blocks of copies correlate above this, also at JPEG quality 30. */
const BLOCK_CORRELATION = 0.4;
/** Cards, screenshots and drawings have most pixels in three bands of 12 levels: generated cards 0.86, scenes at most 0.54. */
const FLAT = { band: 12, bands: 3, share: 0.8 } as const;
/** Steps in which the edges of our part are moved, as fractions of its size. */
const STEPS = [0.04, 0.02, 0.01, 0.005];

/** Whether a picture has few colours, like a card with text. */
export function isFlat({ luma }: Preview): boolean {
  const levels = new Uint32Array(256);
  for (const level of luma) levels[level] = (levels[level] as number) + 1;
  let covered = 0;
  for (let bands = 0; bands < FLAT.bands; bands += 1) {
    let [most, end] = [0, 0];
    for (let level = 0, band = 0; level < 256; level += 1) {
      band += levels[level] as number;
      if (level >= FLAT.band) band -= levels[level - FLAT.band] as number;
      if (band > most) [most, end] = [band, level];
    }
    covered += most;
    levels.fill(0, Math.max(0, end - FLAT.band + 1), end + 1);
  }
  return covered >= luma.length * FLAT.share;
}

/** Registers part of one picture to part of another by moving its edges, then compares the detail as a whole and by blocks. */
export function comparePictures(ours: ComparedPart, theirs: ComparedPart): PictureComparison {
  const coarse = detail(sample(theirs, theirs.region, COARSE), COARSE);
  const score = (region: Region): number => correlate(detail(sample(ours, region, COARSE), COARSE), coarse);
  let region = ours.region;
  let best = score(region);
  for (const step of STEPS) {
    for (let improved = true, round = 0; improved && round < 4; round += 1) {
      improved = false;
      for (const candidate of moved(region, step)) {
        const found = score(candidate);
        if (found <= best + 1e-4) continue;
        [region, best, improved] = [candidate, found, true];
      }
    }
  }
  const [one, other] = [detail(sample(ours, region, FINE), FINE), detail(sample(theirs, theirs.region, FINE), FINE)];
  return { correlation: correlate(one, other), ...byAreas(one, other) };
}

/** The region shifted, scaled, and with one edge moved; parts outside of the picture repeat its edge. */
function moved(region: Region, step: number): Region[] {
  const [x, y] = [(region.right - region.left) * step, (region.bottom - region.top) * step];
  const by = (left: number, top: number, right: number, bottom: number): Region => ({
    left: Math.max(-0.02, region.left + left * x),
    top: Math.max(-0.02, region.top + top * y),
    right: Math.min(1.02, region.right + right * x),
    bottom: Math.min(1.02, region.bottom + bottom * y),
  });
  return [
    by(1, 1, -1, -1),
    by(-1, -1, 1, 1),
    by(1, 0, 1, 0),
    by(-1, 0, -1, 0),
    by(0, 1, 0, 1),
    by(0, -1, 0, -1),
    by(1, 0, 0, 0),
    by(-1, 0, 0, 0),
    by(0, 0, 1, 0),
    by(0, 0, -1, 0),
    by(0, 1, 0, 0),
    by(0, -1, 0, 0),
    by(0, 0, 0, 1),
    by(0, 0, 0, -1),
  ];
}

/** Area means where the region is larger than the grid, else interpolated. */
function sample({ preview, mirrored }: ComparedPart, region: Region, side: number): Float32Array {
  const { luma, side: full } = preview;
  const grid = new Float32Array(side * side);
  const stepX = ((region.right - region.left) * full) / side;
  const stepY = ((region.bottom - region.top) * full) / side;
  const taps = Math.max(1, Math.min(4, Math.round(Math.max(stepX, stepY))));
  const at = (x: number, y: number): number => {
    const [cx, cy] = [Math.min(full - 1, Math.max(0, x)), Math.min(full - 1, Math.max(0, y))];
    const [x0, y0] = [Math.floor(cx), Math.floor(cy)];
    const [x1, y1] = [Math.min(full - 1, x0 + 1), Math.min(full - 1, y0 + 1)];
    const [fx, fy] = [cx - x0, cy - y0];
    const top = (luma[y0 * full + x0] as number) * (1 - fx) + (luma[y0 * full + x1] as number) * fx;
    const bottom = (luma[y1 * full + x0] as number) * (1 - fx) + (luma[y1 * full + x1] as number) * fx;
    return top * (1 - fy) + bottom * fy;
  };
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      let sum = 0;
      for (let v = 0; v < taps; v += 1) {
        const y = region.top * full + (row + (v + 0.5) / taps) * stepY - 0.5;
        for (let u = 0; u < taps; u += 1) sum += at(region.left * full + (column + (u + 0.5) / taps) * stepX - 0.5, y);
      }
      grid[row * side + (mirrored ? side - 1 - column : column)] = sum / (taps * taps);
    }
  }
  return grid;
}

/** What remains after subtracting the mean of the surroundings: layout and lighting, which cards of one template share, disappear. */
function detail(grid: Float32Array, side: number): Float32Array {
  const radius = Math.max(2, Math.round(side / 16));
  const sums = new Float64Array((side + 1) * (side + 1));
  for (let row = 0; row < side; row += 1) {
    let line = 0;
    for (let column = 0; column < side; column += 1) {
      line += grid[row * side + column] as number;
      sums[(row + 1) * (side + 1) + column + 1] = (sums[row * (side + 1) + column + 1] as number) + line;
    }
  }
  const result = new Float32Array(side * side);
  for (let row = 0; row < side; row += 1) {
    const [top, bottom] = [Math.max(0, row - radius), Math.min(side, row + radius + 1)];
    for (let column = 0; column < side; column += 1) {
      const [left, right] = [Math.max(0, column - radius), Math.min(side, column + radius + 1)];
      const at = (r: number, c: number): number => sums[r * (side + 1) + c] as number;
      const mean = (at(bottom, right) - at(top, right) - at(bottom, left) + at(top, left)) / ((bottom - top) * (right - left));
      result[row * side + column] = (grid[row * side + column] as number) - mean;
    }
  }
  return result;
}

function correlate(a: Float32Array, b: Float32Array): number {
  let [product, aa, bb] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at] as number, b[at] as number];
    product += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 0 : product / Math.sqrt(aa * bb);
}

/** An area of the size of a few words in small print. */
const WORDS = { width: 32, height: 16 } as const;

function byAreas(one: Float32Array, other: Float32Array): Pick<PictureComparison, 'differing' | 'leastAlike'> {
  const blocks = correlations(one, other, { width: BLOCK, height: BLOCK });
  const differing = blocks.filter((correlation) => correlation < BLOCK_CORRELATION).length;
  const leastAlike = Math.min(1, ...correlations(one, other, WORDS));
  return { differing: blocks.length === 0 ? 0 : differing / blocks.length, leastAlike };
}

interface Size {
  width: number;
  height: number;
}

/** Of each detailed area; an area may be off by one sample, because registration is not exact everywhere. */
function correlations(a: Float32Array, b: Float32Array, area: Size): number[] {
  const found: number[] = [];
  for (let top = BLOCK; top <= FINE - BLOCK - area.height; top += area.height) {
    for (let left = BLOCK; left <= FINE - BLOCK - area.width; left += area.width) {
      if (Math.max(energy(a, left, top, area), energy(b, left, top, area)) < DETAIL) continue;
      let best = -1;
      for (let dy = -1; dy <= 1; dy += 1)
        for (let dx = -1; dx <= 1; dx += 1) best = Math.max(best, areaCorrelation(a, b, { left, top, ...area }, dx, dy));
      found.push(best);
    }
  }
  return found;
}

function energy(grid: Float32Array, left: number, top: number, { width, height }: Size): number {
  let sum = 0;
  for (let row = top; row < top + height; row += 1) {
    for (let column = left; column < left + width; column += 1) sum += (grid[row * FINE + column] as number) ** 2;
  }
  return Math.sqrt(sum / (width * height));
}

function areaCorrelation(
  a: Float32Array,
  b: Float32Array,
  { left, top, width, height }: Size & { left: number; top: number },
  dx: number,
  dy: number,
): number {
  let [product, aa, bb] = [0, 0, 0];
  for (let row = top; row < top + height; row += 1) {
    for (let column = left; column < left + width; column += 1) {
      const [x, y] = [a[(row + dy) * FINE + column + dx] as number, b[row * FINE + column] as number];
      product += x * y;
      aa += x * x;
      bb += y * y;
    }
  }
  return aa === 0 || bb === 0 ? 0 : product / Math.sqrt(aa * bb);
}
