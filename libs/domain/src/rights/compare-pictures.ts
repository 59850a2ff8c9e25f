import type { Preview, Region } from './prints';

/** Agreement of two pictures on pixels. */
export interface PictureComparison {
  /** Correlation of the detail after registration, -1 to 1. */
  correlation: number;
  /** Share of the detailed blocks that do not agree, 0 to 1: other words, a logo, a face. */
  differing: number;
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
/** A flat picture has most pixels in one band of 12 levels: cards from 0.74 on, photographs up to 0.65. */
const FLAT_BAND = 12;
const FLAT_SHARE = 0.7;
/** Steps in which the edges of our part are moved, as fractions of its size. */
const STEPS = [0.04, 0.02, 0.01, 0.005];

export function isFlat({ luma }: Preview): boolean {
  const levels = new Uint32Array(256);
  for (const level of luma) levels[level] = (levels[level] as number) + 1;
  let band = 0;
  let most = 0;
  for (let level = 0; level < 256; level += 1) {
    band += levels[level] as number;
    if (level >= FLAT_BAND) band -= levels[level - FLAT_BAND] as number;
    most = Math.max(most, band);
  }
  return most >= luma.length * FLAT_SHARE;
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
  return { correlation: correlate(one, other), differing: differingBlocks(one, other) };
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

/** Each block may be off by one sample, because registration is not exact everywhere. */
function differingBlocks(a: Float32Array, b: Float32Array): number {
  let [detailed, differing] = [0, 0];
  for (let top = BLOCK; top < FINE - BLOCK; top += BLOCK) {
    for (let left = BLOCK; left < FINE - BLOCK; left += BLOCK) {
      const deviation = Math.max(energy(a, left, top), energy(b, left, top));
      if (deviation < DETAIL) continue;
      detailed += 1;
      let best = -1;
      for (let dy = -1; dy <= 1; dy += 1)
        for (let dx = -1; dx <= 1; dx += 1) best = Math.max(best, blockCorrelation(a, b, left, top, dx, dy));
      if (best < BLOCK_CORRELATION) differing += 1;
    }
  }
  return detailed === 0 ? 0 : differing / detailed;
}

function energy(grid: Float32Array, left: number, top: number): number {
  let sum = 0;
  for (let row = top; row < top + BLOCK; row += 1) {
    for (let column = left; column < left + BLOCK; column += 1) sum += (grid[row * FINE + column] as number) ** 2;
  }
  return Math.sqrt(sum / (BLOCK * BLOCK));
}

function blockCorrelation(a: Float32Array, b: Float32Array, left: number, top: number, dx: number, dy: number): number {
  let [product, aa, bb] = [0, 0, 0];
  for (let row = top; row < top + BLOCK; row += 1) {
    for (let column = left; column < left + BLOCK; column += 1) {
      const [x, y] = [a[(row + dy) * FINE + column + dx] as number, b[row * FINE + column] as number];
      product += x * y;
      aa += x * x;
      bb += y * y;
    }
  }
  return aa === 0 || bb === 0 ? 0 : product / Math.sqrt(aa * bb);
}
