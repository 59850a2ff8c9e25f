import { type Region, WHOLE } from '@autoposter/domain';
import type { LumaPicture } from './views';

/** Longer side of the grid in which sides are found: one cell is at most 1 % of an inset that fills 40 % of the picture. */
const GRID = 256;
/** Cells to both sides over which steps are averaged along a side, because where both pictures have one level by chance there is no step. */
const ALONG = 3;
/** Distances at which the steps to both sides are compared with; those next to an edge belong to it after compression. */
const NEAREST = 2;
const FARTHEST = 5;
/** Added (of 255 levels) to the steps that a step is compared with: the noise of compression on plain surfaces. */
const NOISE = 1.5;
/** Clarity of a step, 0 to 1: 0.5 has one that equals the adjacent ones, 0.7 to 0.9 have the sides of insets. */
const CLEAR = 0.6;
/** Mean clarity that each side of an inset has: 0.5 is found in photographs without an inset, but seldom on four sides. */
const SIDE_CLARITY = 0.5;
/** Clarity of a line that alone divides the picture, such as the end of a caption bar: horizons and walls have less. */
const LONE_CLARITY = 0.7;
/** Lines of which rectangles are made, in each direction. */
const LINES = 14;
/** Shares of a side and of the area: a smaller inset has too few pixels to be recognised. */
const SMALLEST = { side: 0.16, area: 0.06 } as const;
const MAX_AREA = 0.96;
/** Each costs two searches of the register, and two more without its frame. */
const MAX_INSETS = 4;
/** Rectangles whose sides are all nearer are the same. */
const APART = 0.03;
/** Rectangles with a side that differs more are hashed separately. */
const EXACT = 0.004;
/** Widest frame of one colour around an inset, as a share of the picture. */
const FRAME = 0.05;
/** Instead of the clarity of a side of the picture itself. */
const AT_EDGE = -1;

/**
 * Finds pictures that are pasted into another one, and videos that play inside of a frame: rectangles whose sides are steps in level that exceed
 * the steps beside them. No level is fixed, so that the sides are found on photographs, blurred pictures and plain colours; in a video
 * they stay while the content moves.
 */
export class InsetFinder {
  private sizes: readonly [columns: number, rows: number] = [0, 0];
  /** Sums over the frames of the steps across each column boundary (row by row), and across each row boundary (column by column). */
  private columnSteps = new Float32Array(0);
  private rowSteps = new Float32Array(0);
  private frames = 0;

  add(picture: LumaPicture): void {
    if (this.frames === 0) {
      const scale = Math.max(1, Math.ceil(Math.max(picture.width, picture.height) / GRID));
      this.sizes = [Math.max(1, Math.floor(picture.width / scale)), Math.max(1, Math.floor(picture.height / scale))];
      this.columnSteps = new Float32Array(this.sizes[0] * this.sizes[1]);
      this.rowSteps = new Float32Array(this.columnSteps.length);
    }
    const [columns, rows] = this.sizes;
    const cells = picture.cells(WHOLE, columns, rows);
    const { columnSteps, rowSteps } = this;
    for (let row = 0, at = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1, at += 1) {
        const level = cells[at] as number;
        if (column > 0) columnSteps[at]! += Math.abs(level - (cells[at - 1] as number));
        if (row > 0) rowSteps[column * rows + row]! += Math.abs(level - (cells[at - columns] as number));
      }
    }
    this.frames += 1;
  }

  /** Rectangles that may be insets, the clearest first. */
  regions(): Region[] {
    if (this.frames === 0) return [];
    const [columns, rows] = this.sizes;
    const down = new SideLines(clarityOf(this.columnSteps, columns, rows, this.frames), columns, rows);
    const across = new SideLines(clarityOf(this.rowSteps, rows, columns, this.frames), rows, columns);
    const scaled = ({ left, top, right, bottom }: Region): Region => ({
      left: left / columns,
      top: top / rows,
      right: right / columns,
      bottom: bottom / rows,
    });
    const found: Region[] = [];
    const frames: Region[] = [];
    for (const rectangle of rectanglesOf(down, across)) {
      const outer = scaled(rectangle);
      if (found.some((other) => distanceOf(outer, other) <= APART)) continue;
      found.push(outer);
      const inner = scaled(withoutFrame(rectangle, down, across));
      if (distanceOf(inner, outer) > EXACT) frames.push(inner);
      if (found.length === MAX_INSETS) break;
    }
    return [...found, ...frames.filter((inner) => found.every((other) => distanceOf(inner, other) > EXACT))];
  }
}

/** Rectangles of clear sides, the clearest first. */
function rectanglesOf(down: SideLines, across: SideLines): Region[] {
  const whole = down.across * across.across;
  const found: (Region & { clarity: number })[] = [];
  const columns = down.pairs();
  for (const [top, bottom] of across.pairs()) {
    for (const [left, right] of columns) {
      const area = ((right - left) * (bottom - top)) / whole;
      if (area < SMALLEST.area || area > MAX_AREA) continue;
      const clarity = surroundingClarity(
        across.meanOf(top, left, right),
        across.meanOf(bottom, left, right),
        down.meanOf(left, top, bottom),
        down.meanOf(right, top, bottom),
      );
      if (clarity > 0) found.push({ top, bottom, left, right, clarity });
    }
  }
  return found.sort((a, b) => b.clarity - a.clarity);
}

/** The rectangle inside of a frame of one colour, which has clear lines at both of its sides; the same rectangle if there is no frame. */
function withoutFrame({ left, top, right, bottom }: Region, down: SideLines, across: SideLines): Region {
  return {
    left: down.inner(left, FRAME, top, bottom),
    right: down.inner(right, -FRAME, top, bottom),
    top: across.inner(top, FRAME, left, right),
    bottom: across.inner(bottom, -FRAME, left, right),
  };
}

/** Clarity of a rectangle with these sides, each weighed by its excess; 0 if one of them is not clear. */
function surroundingClarity(...sides: readonly [top: number, bottom: number, left: number, right: number]): number {
  let [sum, least, lines] = [0, 1, 0];
  for (const side of sides) {
    if (side === AT_EDGE) continue;
    if (side < SIDE_CLARITY) return 0;
    sum += side - SIDE_CLARITY;
    least = Math.min(least, side);
    lines += 1;
  }
  return lines === 1 && least < LONE_CLARITY ? 0 : sum + least;
}

/** The lines in one direction that have the longest clear parts. */
class SideLines {
  /** Sums along each line, so that the mean of any part of it costs one subtraction. */
  private readonly sums: Float32Array;
  private readonly places: number[];

  constructor(
    clarity: Float32Array,
    readonly across: number,
    private readonly along: number,
  ) {
    this.sums = new Float32Array(across * (along + 1));
    const gains = new Float32Array(across);
    for (let line = 1; line < across; line += 1) {
      for (let at = 0, sum = 0, gain = 0; at < along; at += 1) {
        const value = clarity[at * across + line] as number;
        sum += value;
        this.sums[line * (along + 1) + at + 1] = sum;
        // the part with the greatest excess (Kadane): a short side counts as much on a long line as on a short one
        gain = Math.max(0, gain + value - CLEAR);
        gains[line] = Math.max(gains[line] as number, gain);
      }
    }
    const isPeak = (gain: number, line: number): boolean =>
      line > 1 && line < across - 1 && gain > (gains[line - 1] as number) && gain >= (gains[line + 1] as number);
    const peaks = [...gains.keys()].filter((line) => isPeak(gains[line] as number, line));
    const chosen = peaks.sort((a, b) => (gains[b] as number) - (gains[a] as number)).slice(0, LINES);
    this.places = [0, ...chosen.sort((a, b) => a - b), across];
  }

  /** Two lines, or sides of the picture, in order. */
  pairs(): [first: number, second: number][] {
    const least = this.across * SMALLEST.side;
    return this.places.flatMap((first, index) =>
      this.places.slice(index + 1).flatMap((second): [number, number][] => (second - first >= least ? [[first, second]] : [])),
    );
  }

  /** The clearest line within this share of the picture after a line (or before it, if negative), if it is clear between `from` and `to`. */
  inner(line: number, share: number, from: number, to: number): number {
    const distance = (other: number): number => ((other - line) * Math.sign(share)) / this.across;
    const clarity = (other: number): number => this.meanOf(other, from, to);
    const near = this.places.filter((other) => distance(other) > 0 && distance(other) <= Math.abs(share) && clarity(other) >= CLEAR);
    return near.sort((a, b) => clarity(b) - clarity(a))[0] ?? line;
  }

  /** Mean clarity of a part of a line. */
  meanOf(line: number, from: number, to: number): number {
    if (line === 0 || line === this.across) return AT_EDGE;
    const start = line * (this.along + 1);
    return ((this.sums[start + to] as number) - (this.sums[start + from] as number)) / (to - from);
  }
}

/** How much each step exceeds those beside it, from 0 to 1. `steps` has `along` rows of `across` values. */
function clarityOf(steps: Float32Array, across: number, along: number, frames: number): Float32Array {
  const smooth = meansAlong(steps, across, along, frames);
  const clarity = new Float32Array(steps.length);
  for (let row = 0; row < along; row += 1) {
    for (let line = 1, at = row * across + 1; line < across; line += 1, at += 1) {
      let sum = 0;
      let count = 0;
      for (let distance = NEAREST; distance <= FARTHEST; distance += 1) {
        if (line > distance) {
          sum += smooth[at - distance] as number;
          count += 1;
        }
        if (line + distance < across) {
          sum += smooth[at + distance] as number;
          count += 1;
        }
      }
      const step = smooth[at] as number;
      clarity[at] = step / (step + sum / Math.max(1, count) + NOISE);
    }
  }
  return clarity;
}

/** Means of the values above and below, as many as there are. */
function meansAlong(steps: Float32Array, across: number, along: number, frames: number): Float32Array {
  const means = new Float32Array(steps.length);
  for (let line = 0; line < across; line += 1) {
    let sum = 0;
    let count = 0;
    for (let row = -ALONG; row < along; row += 1) {
      if (row + ALONG < along) {
        sum += steps[(row + ALONG) * across + line] as number;
        count += 1;
      }
      if (row > ALONG) {
        sum -= steps[(row - ALONG - 1) * across + line] as number;
        count -= 1;
      }
      if (row >= 0) means[row * across + line] = sum / (count * frames);
    }
  }
  return means;
}

/** The largest distance between two corresponding sides. */
export const distanceOf = (a: Region, b: Region): number =>
  Math.max(Math.abs(a.left - b.left), Math.abs(a.top - b.top), Math.abs(a.right - b.right), Math.abs(a.bottom - b.bottom));
