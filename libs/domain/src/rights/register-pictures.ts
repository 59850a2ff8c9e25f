import type { Preview, Region } from './prints';

export interface ComparedPart {
  preview: Preview;
  region: Region;
  mirrored?: boolean;
}

/** Registered pictures below this are not compared further: unrelated ones reach 0.18, copies with text over them 0.5 and more. */
export const UNRELATED = 0.2;

/** Grids on which pictures are registered, and the steps on each at most: the first finds what is furthest off, the last is exact. */
const GRIDS = [
  { side: 24, rounds: 6, least: -1 },
  { side: 48, rounds: 6, least: UNRELATED },
  { side: 96, rounds: 2, least: -1 },
] as const;
/** The largest shift or scale of one step, as a fraction of the size. */
const MAX_STEP = 0.08;

/**
 * The part of our picture that shows what a part of theirs shows, and how well the detail of both correlates, coarse to fine. Each step
 * solves for the shift and the scale in both directions that bring the detail closest (Gauss-Newton), so that it needs a dozen samples of small
 * grids and no search (ADR 0020). Ends early for pictures that do not become similar.
 */
export function registerPictures(ours: ComparedPart, theirs: ComparedPart, mirrored: boolean): Registered {
  let registered: Registered = { region: ours.region, correlation: 1 };
  for (const { side, rounds, least } of GRIDS) {
    const target = unit(detail(sample(theirs.preview, theirs.region, side, mirrored), side));
    registered = register(ours.preview, registered.region, target, { side, rounds });
    if (registered.correlation < least) break;
  }
  return registered;
}

interface Registered {
  region: Region;
  correlation: number;
}

/** The region moved until its detail correlates best with the target, the detail of which has length 1. */
function register(preview: Preview, start: Region, target: Float32Array, { side, rounds }: { side: number; rounds: number }): Registered {
  let region = start;
  let grid = unit(detail(sample(preview, region, side), side));
  let best = dot(grid, target);
  for (let round = 0; round < rounds; round += 1) {
    const step = stepTowards(grid, target, side);
    if (step === null) break;
    let moved: Region | null = null;
    // the solution of a curved problem can be too far
    for (const part of [1, 0.5]) {
      const candidate = movedBy(region, step, part);
      const next = unit(detail(sample(preview, candidate, side), side));
      const found = dot(next, target);
      if (found <= best + 1e-4) continue;
      [moved, grid, best] = [candidate, next, found];
      break;
    }
    if (moved === null) break;
    region = moved;
  }
  return { region, correlation: best };
}

interface Step {
  shiftX: number;
  shiftY: number;
  scaleX: number;
  scaleY: number;
}

/** The least-squares shift and scale, as fractions of the size, that turn one grid into the other; `null` for a picture without detail. */
function stepTowards(grid: Float32Array, target: Float32Array, side: number): Step | null {
  const products = new Float64Array(16);
  const rest = new Float64Array(4);
  for (let row = 1; row < side - 1; row += 1) {
    for (let column = 1, at = row * side + 1; column < side - 1; column += 1, at += 1) {
      const x = (((grid[at + 1] as number) - (grid[at - 1] as number)) * side) / 2;
      const y = (((grid[at + side] as number) - (grid[at - side] as number)) * side) / 2;
      const u = x * ((column + 0.5) / side - 0.5);
      const v = y * ((row + 0.5) / side - 0.5);
      const difference = (target[at] as number) - (grid[at] as number);
      products[0]! += x * x;
      products[1]! += x * y;
      products[2]! += x * u;
      products[3]! += x * v;
      products[5]! += y * y;
      products[6]! += y * u;
      products[7]! += y * v;
      products[10]! += u * u;
      products[11]! += u * v;
      products[15]! += v * v;
      rest[0]! += x * difference;
      rest[1]! += y * difference;
      rest[2]! += u * difference;
      rest[3]! += v * difference;
    }
  }
  for (let row = 1; row < 4; row += 1)
    for (let column = 0; column < row; column += 1) products[row * 4 + column] = products[column * 4 + row]!;
  const solved = solve(products, rest);
  if (solved === null) return null;
  const [shiftX, shiftY, scaleX, scaleY] = solved.map((value) => Math.max(-MAX_STEP, Math.min(MAX_STEP, value))) as [
    number,
    number,
    number,
    number,
  ];
  return { shiftX, shiftY, scaleX, scaleY };
}

/** Elimination for four unknowns; the matrix is symmetric and, for a picture with detail, positive. */
function solve(matrix: Float64Array, rest: Float64Array): number[] | null {
  const size = rest.length;
  const at = (row: number, column: number): number => matrix[row * size + column] as number;
  for (let pivot = 0; pivot < size; pivot += 1) {
    if (at(pivot, pivot) < 1e-9) return null;
    for (let row = pivot + 1; row < size; row += 1) {
      const factor = at(row, pivot) / at(pivot, pivot);
      for (let column = pivot; column < size; column += 1) matrix[row * size + column] = at(row, column) - factor * at(pivot, column);
      rest[row] = (rest[row] as number) - factor * (rest[pivot] as number);
    }
  }
  const solved = new Array<number>(size).fill(0);
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = rest[row] as number;
    for (let column = row + 1; column < size; column += 1) sum -= at(row, column) * (solved[column] as number);
    solved[row] = sum / at(row, row);
  }
  return solved;
}

/** Parts outside of the picture repeat its edge. */
function movedBy(region: Region, { shiftX, shiftY, scaleX, scaleY }: Step, part: number): Region {
  const [x, y] = [(region.right - region.left) * part, (region.bottom - region.top) * part];
  return {
    left: Math.max(-0.02, region.left + x * (shiftX - scaleX / 2)),
    top: Math.max(-0.02, region.top + y * (shiftY - scaleY / 2)),
    right: Math.min(1.02, region.right + x * (shiftX + scaleX / 2)),
    bottom: Math.min(1.02, region.bottom + y * (shiftY + scaleY / 2)),
  };
}

/** A picture and its halves, quarters and so on, made once for each preview. */
const pyramids = new WeakMap<Preview, Preview[]>();

function pyramidOf(preview: Preview): Preview[] {
  const known = pyramids.get(preview);
  if (known) return known;
  const levels = [preview];
  for (let last = preview; last.side % 2 === 0 && last.side > GRIDS[0].side; levels.push(last)) last = halved(last);
  pyramids.set(preview, levels);
  return levels;
}

function halved({ luma, side: full }: Preview): Preview {
  const side = full / 2;
  const half = new Uint8Array(side * side);
  for (let row = 0, to = 0; row < side; row += 1) {
    for (let column = 0, at = row * 2 * full; column < side; column += 1, at += 2, to += 1) {
      const sum = (luma[at] as number) + (luma[at + 1] as number) + (luma[at + full] as number) + (luma[at + full + 1] as number);
      half[to] = (sum + 2) >> 2;
    }
  }
  return { side, luma: half };
}

/** Interpolated from the level of the pyramid with at most two pixels per sample, between which interpolation is the mean. */
export function sample(preview: Preview, region: Region, side: number, mirrored = false): Float32Array {
  const levels = pyramidOf(preview);
  const largest = Math.max(region.right - region.left, region.bottom - region.top) / side;
  const { luma, side: full } = levels.findLast((level) => level.side * largest >= 1) ?? preview;
  const columns = taps(region.left, region.right, side, full);
  const rows = taps(region.top, region.bottom, side, full);
  const grid = new Float32Array(side * side);
  for (let row = 0; row < side; row += 1) {
    const above = rows.first[row]! * full;
    const below = rows.second[row]! * full;
    const down = rows.share[row]!;
    for (let column = 0; column < side; column += 1) {
      const left = columns.first[column]!;
      const right = columns.second[column]!;
      const across = columns.share[column]!;
      const top = luma[above + left]! * (1 - across) + luma[above + right]! * across;
      const bottom = luma[below + left]! * (1 - across) + luma[below + right]! * across;
      grid[row * side + (mirrored ? side - 1 - column : column)] = top * (1 - down) + bottom * down;
    }
  }
  return grid;
}

/** The two pixels of each sample along one side, and the share of the second. */
function taps(from: number, to: number, side: number, full: number): { first: Int32Array; second: Int32Array; share: Float32Array } {
  const [first, second, share] = [new Int32Array(side), new Int32Array(side), new Float32Array(side)];
  for (let at = 0; at < side; at += 1) {
    const place = Math.min(full - 1, Math.max(0, (from + ((at + 0.5) / side) * (to - from)) * full - 0.5));
    const pixel = Math.floor(place);
    first[at] = pixel;
    second[at] = Math.min(full - 1, pixel + 1);
    share[at] = place - pixel;
  }
  return { first, second, share };
}

/** Scaled in place to length 1, so that the contrast of a copy does not matter. */
function unit(grid: Float32Array): Float32Array {
  const length = Math.sqrt(dot(grid, grid));
  if (length === 0) return grid;
  for (let at = 0; at < grid.length; at += 1) grid[at] = (grid[at] as number) / length;
  return grid;
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

/** What remains after subtracting the mean of the surroundings: layout and lighting, which cards of one template share, disappear. */
export function detail(grid: Float32Array, side: number): Float32Array {
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
    const top = Math.max(0, row - radius);
    const bottom = Math.min(side, row + radius + 1);
    for (let column = 0; column < side; column += 1) {
      const left = Math.max(0, column - radius);
      const right = Math.min(side, column + radius + 1);
      const upper = sums[top * (side + 1) + right]! - sums[top * (side + 1) + left]!;
      const lower = sums[bottom * (side + 1) + right]! - sums[bottom * (side + 1) + left]!;
      result[row * side + column] = grid[row * side + column]! - (lower - upper) / ((bottom - top) * (right - left));
    }
  }
  return result;
}
