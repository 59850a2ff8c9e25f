import type { Region } from '@autoposter/domain';
import { addCurvature, sharpBetweenPads, sharpnessOfLines } from './sharp-lines';
import type { LumaPicture } from './views';

/** Side of the grid in which bars are found: finer than the thinnest bar that matters, 2 % of a side. */
const GRID = 128;
/** A line with a smaller spread (of 255 levels) has one colour. */
const PLAIN = 10;
/** Text on a caption bar leaves this share of a line in the colour of the bar. */
const BAR_COLOUR = 0.5;
/** Adjacent cells that differ by more, on average over the frames, are an edge. */
const EDGE = 8;
/** Share of each side of a rectangle that is an edge: of other lines a third is, of frames around content nearly all. */
const EDGE_SHARE = 0.7;
/** Lines of which rectangles are made, in each direction. */
const LINES = 8;
/** Content smaller than this share of a side is no content. */
const SMALLEST = 0.3;
const MAX_REGIONS = 3;

type Sides = readonly [top: number, bottom: number, left: number, right: number];

/**
 * Finds what surrounds the content, in one picture or in the frames of one video, where it stays while the content changes: plain bars and
 * borders by their colour, blurred pads by the sharpness of the content, they and pictures in pictures by the rectangle of edges around it.
 */
export class ContentFinder {
  /** Largest spread, and smallest share of the most frequent colour, of each row and column. */
  private readonly rows = { spread: new Float32Array(GRID), colour: new Float32Array(GRID).fill(1) };
  private readonly columns = { spread: new Float32Array(GRID), colour: new Float32Array(GRID).fill(1) };
  /** Sums over the frames of the difference to the cell above (by row) and to the left (by column). */
  private readonly horizontal = new Float32Array(GRID * GRID);
  private readonly vertical = new Float32Array(GRID * GRID);
  /** Sums over the frames of the second differences along each row, and along each column. */
  private readonly curvature = { rows: new Float32Array(GRID * GRID), columns: new Float32Array(GRID * GRID) };
  private frames = 0;

  add(picture: LumaPicture): void {
    const grid = picture.grid({ left: 0, top: 0, right: 1, bottom: 1 }, GRID);
    const turned = transposed(grid);
    addLines(this.rows, this.horizontal, grid);
    addLines(this.columns, this.vertical, turned);
    addCurvature(this.curvature.rows, grid, GRID);
    addCurvature(this.curvature.columns, turned, GRID);
    this.frames += 1;
  }

  /** Parts that may be the content, the likeliest first; empty if nothing surrounds it. */
  regions(): Region[] {
    if (this.frames === 0) return [];
    const [top, bottom] = insideBars(this.rows);
    const [left, right] = insideBars(this.columns);
    const regions: Region[] = [];
    for (const [t, b, l, r] of [[top, bottom, left, right] as const, ...this.sharpPart(), ...this.rectangles()]) {
      const one = { left: l / GRID, top: t / GRID, right: r / GRID, bottom: b / GRID };
      const [width, height] = [one.right - one.left, one.bottom - one.top];
      if (width < SMALLEST || height < SMALLEST || width * height > 0.96) continue;
      if (regions.every((other) => distanceOf(one, other) > 0.02)) regions.push(one);
    }
    return regions.slice(0, MAX_REGIONS);
  }

  /** The part between blurred pads above and below, or at the left and the right, or all around; none if there are no such pads. */
  private sharpPart(): Sides[] {
    const between = (curvature: Float32Array, across: readonly [number, number]): [number, number] | null =>
      sharpBetweenPads(sharpnessOfLines(curvature, GRID, across).map((sum) => sum / this.frames));
    const all = [0, GRID] as const;
    const rows = between(this.curvature.rows, all);
    const columns = between(this.curvature.columns, rows ?? all);
    return rows || columns ? [[...(rows ?? all), ...(columns ?? all)]] : [];
  }

  /** Rectangles whose four sides are edges, or sides of the picture; those with the clearest sides first. */
  private rectangles(): Sides[] {
    const across = new EdgeLines(this.horizontal, this.frames);
    const down = new EdgeLines(this.vertical, this.frames);
    const [rows, columns] = [across.strongest(), down.strongest()];
    const found: { sides: Sides; clarity: number }[] = [];
    for (const [index, top] of rows.entries()) {
      for (const bottom of rows.slice(index + 1)) {
        for (const [place, left] of columns.entries()) {
          for (const right of columns.slice(place + 1)) {
            if (bottom - top < GRID * SMALLEST || right - left < GRID * SMALLEST) continue;
            const clarity = Math.min(
              across.share(top, left, right),
              across.share(bottom, left, right),
              down.share(left, top, bottom),
              down.share(right, top, bottom),
            );
            if (clarity >= EDGE_SHARE)
              found.push({ sides: [top, bottom, left, right], clarity: clarity + ((bottom - top) * (right - left)) / GRID ** 2 / 10 });
          }
        }
      }
    }
    return found.sort((a, b) => b.clarity - a.clarity).map(({ sides }) => sides);
  }
}

/** Edges along the lines of a grid, as sums, so that the share of any part of a line costs one subtraction. */
class EdgeLines {
  private readonly sums: Float32Array;

  constructor(differences: Float32Array, frames: number) {
    this.sums = new Float32Array(GRID * (GRID + 1));
    for (let line = 1; line < GRID; line += 1) {
      for (let at = 0; at < GRID; at += 1) {
        const isEdge = (differences[line * GRID + at] as number) / frames > EDGE;
        this.sums[line * (GRID + 1) + at + 1] = (this.sums[line * (GRID + 1) + at] as number) + (isEdge ? 1 : 0);
      }
    }
  }

  /** The sides of the picture and the lines with most edges, in order; of adjacent values only the stronger. */
  strongest(): number[] {
    const total = (line: number): number => this.sums[line * (GRID + 1) + GRID] ?? 0;
    const peaks: number[] = [];
    for (let line = 2; line < GRID - 1; line += 1) {
      const isPeak = total(line) > total(line - 1) && total(line) >= total(line + 1);
      if (isPeak && total(line) >= GRID * SMALLEST * EDGE_SHARE) peaks.push(line);
    }
    const chosen = peaks.sort((a, b) => total(b) - total(a)).slice(0, LINES);
    return [0, ...chosen.sort((a, b) => a - b), GRID];
  }

  /** Share of edges in a part of a line; the sides of the picture bound everything. */
  share(line: number, from: number, to: number): number {
    if (line === 0 || line === GRID) return 1;
    const start = line * (GRID + 1);
    return ((this.sums[start + to] as number) - (this.sums[start + from] as number)) / (to - from);
  }
}

function addLines(lines: { spread: Float32Array; colour: Float32Array }, differences: Float32Array, grid: Float32Array): void {
  for (let row = 0; row < GRID; row += 1) {
    const line = grid.subarray(row * GRID, (row + 1) * GRID);
    const sorted = Float32Array.from(line).sort();
    const middle = sorted[GRID >> 1] as number;
    const plain = line.reduce((count, level) => count + (Math.abs(level - middle) < PLAIN ? 1 : 0), 0) / GRID;
    lines.spread[row] = Math.max(lines.spread[row] as number, (sorted[GRID - 3] as number) - (sorted[2] as number));
    lines.colour[row] = Math.min(lines.colour[row] as number, plain);
    if (row === 0) continue;
    for (let column = 0; column < GRID; column += 1)
      (differences[row * GRID + column] as number) += Math.abs((line[column] as number) - (grid[(row - 1) * GRID + column] as number));
  }
}

function transposed(grid: Float32Array): Float32Array {
  const turned = new Float32Array(GRID * GRID);
  for (let row = 0; row < GRID; row += 1)
    for (let column = 0; column < GRID; column += 1) turned[column * GRID + row] = grid[row * GRID + column] as number;
  return turned;
}

/** First line after and last line before the plain bars; lines with text count as bar if plain lines follow. */
function insideBars({ spread, colour }: { spread: Float32Array; colour: Float32Array }): [number, number] {
  const until = (at: (line: number) => number): number => {
    let end = 0;
    for (let line = 0; line < GRID / 2; line += 1) {
      if ((spread[at(line)] as number) < PLAIN) end = line + 1;
      else if ((colour[at(line)] as number) < BAR_COLOUR) break;
    }
    return end < 2 ? 0 : end;
  };
  return [until((line) => line), GRID - until((line) => GRID - 1 - line)];
}

const distanceOf = (a: Region, b: Region): number =>
  Math.max(Math.abs(a.left - b.left), Math.abs(a.top - b.top), Math.abs(a.right - b.right), Math.abs(a.bottom - b.bottom));
