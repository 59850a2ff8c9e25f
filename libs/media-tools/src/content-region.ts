import { CONTENT_VIEW, INSET_VIEW, type Print, type Region } from '@autoposter/domain';
import { distanceOf, InsetFinder } from './insets';
import { addCurvature, sharpBetweenPads, sharpnessOfLines } from './sharp-lines';
import type { LumaPicture } from './views';

/** Side of the grid in which bars are found: finer than the thinnest bar that matters, 2 % of a side. */
const GRID = 128;
/** A line with a smaller spread (of 255 levels) has one colour. */
const PLAIN = 10;
/** Text on a caption bar leaves this share of a line in the colour of the bar. */
const BAR_COLOUR = 0.5;
/** Content smaller than this share of a side is no content. */
const SMALLEST = 0.3;
/** Regions whose sides are all nearer are the same. */
const APART = 0.02;
/** Of regions that differ less, only the more exact one is hashed. */
const SAME = 0.005;
/** A larger part is the content of the picture; panels of equal size are none. */
const MAIN_AREA = 0.5;
/** A larger part identifies a work, also without plain lines beside it. A caption with one of two panels is smaller; memes share such parts. */
const WORK_AREA = 0.7;

/** A part of a picture. `isReference`: a work is recognised by it too, because a copy may lack the bars of the work or have others. */
export type FoundView = Required<Pick<Print, 'view' | 'region' | 'isReference'>>;

type Sides = readonly [top: number, bottom: number, left: number, right: number];

/** Of each row or column, over all frames. */
interface LineFacts {
  /** Largest spread of its levels. */
  spread: Float32Array;
  /** Smallest share of its most frequent colour. */
  colour: Float32Array;
}

/**
 * Finds what surrounds the content, in one picture or in the frames of one video, where it stays while the content changes: plain bars and
 * borders by their colour, blurred pads by the sharpness of the content, all else by the rectangle of steps around an inset.
 */
export class ContentFinder {
  private readonly rows: LineFacts = { spread: new Float32Array(GRID), colour: new Float32Array(GRID).fill(1) };
  private readonly columns: LineFacts = { spread: new Float32Array(GRID), colour: new Float32Array(GRID).fill(1) };
  /** Sums over the frames of the second differences along each row, and along each column. */
  private readonly curvature = { rows: new Float32Array(GRID * GRID), columns: new Float32Array(GRID * GRID) };
  private readonly insets = new InsetFinder();
  private frames = 0;

  add(picture: LumaPicture): void {
    const grid = picture.grid({ left: 0, top: 0, right: 1, bottom: 1 }, GRID);
    const turned = transposed(grid);
    addLines(this.rows, grid);
    addLines(this.columns, turned);
    addCurvature(this.curvature.rows, grid, GRID);
    addCurvature(this.curvature.columns, turned, GRID);
    this.insets.add(picture);
    this.frames += 1;
  }

  /** Parts that may be the content, and insets, the likeliest of each first; empty if nothing is around them. The sides of rectangles are more exact than bars. */
  views(): FoundView[] {
    const known = this.contents();
    const insets = this.insets.regions();
    const isKnown = (region: Region): boolean => known.some((content) => distanceOf(region, content) <= APART);
    const isContent = (region: Region): boolean => isMainBand(region) || isKnown(region);
    const exact = insets.filter(isContent);
    const rough = known.filter((content) => exact.every((region) => distanceOf(region, content) > SAME));
    const contents = named(CONTENT_VIEW, [...exact, ...rough]);
    const others = insets.filter((region) => !isContent(region));
    return [
      ...contents.map((found) => ({ ...found, isReference: isKnown(found.region) || areaOf(found.region) > WORK_AREA })),
      ...named(INSET_VIEW, others).map((found) => ({ ...found, isReference: false })),
    ];
  }

  private contents(): Region[] {
    if (this.frames === 0) return [];
    const [top, bottom] = insideBars(this.rows);
    const [left, right] = insideBars(this.columns);
    const regions: Region[] = [];
    for (const [t, b, l, r] of [[top, bottom, left, right] as const, ...this.sharpParts()]) {
      const one = { left: l / GRID, top: t / GRID, right: r / GRID, bottom: b / GRID };
      const [width, height] = [one.right - one.left, one.bottom - one.top];
      if (width < SMALLEST || height < SMALLEST || width * height > 0.96) continue;
      if (regions.every((other) => distanceOf(one, other) > APART)) regions.push(one);
    }
    return regions;
  }

  /** The parts between blurred pads above and below, or at the left and the right, or all around; none if there are no such pads. */
  private sharpParts(): Sides[] {
    const between = (curvature: Float32Array, across: readonly [number, number]): [number, number][] =>
      sharpBetweenPads(sharpnessOfLines(curvature, GRID, across).map((sum) => sum / this.frames));
    const all: [number, number] = [0, GRID];
    const rows = between(this.curvature.rows, all);
    const parts = rows.flatMap((row) => orWhole(between(this.curvature.columns, row), all).map((column): Sides => [...row, ...column]));
    return parts.length > 0 ? parts : between(this.curvature.columns, all).map((column): Sides => [...all, ...column]);
  }
}

const orWhole = <T>(found: readonly T[], whole: T): readonly T[] => (found.length > 0 ? found : [whole]);

/** Whether a region is most of a picture and extends to two opposite sides of it, like the picture below a caption. */
const isMainBand = ({ left, top, right, bottom }: Region): boolean =>
  ((left === 0 && right === 1) || (top === 0 && bottom === 1)) && areaOf({ left, top, right, bottom }) > MAIN_AREA;

const areaOf = ({ left, top, right, bottom }: Region): number => (right - left) * (bottom - top);

const named = (name: string, regions: readonly Region[]): { view: string; region: Region }[] =>
  regions.map((region, index) => ({ view: regions.length > 1 ? `${name} ${index + 1}` : name, region }));

/** Whether a line is part of the content for good: its spread only rises with more frames, and the share of its colour only falls. */
const isContentLine = ({ spread, colour }: LineFacts, line: number): boolean =>
  (spread[line] as number) >= PLAIN && (colour[line] as number) < BAR_COLOUR;

function addLines(lines: LineFacts, grid: Float32Array): void {
  for (let row = 0; row < GRID; row += 1) {
    if (isContentLine(lines, row)) continue;
    const sorted = grid.slice(row * GRID, (row + 1) * GRID).sort();
    const middle = sorted[GRID >> 1] as number;
    let plain = 0;
    for (const level of sorted) if (Math.abs(level - middle) < PLAIN) plain += 1;
    lines.spread[row] = Math.max(lines.spread[row] as number, (sorted[GRID - 3] as number) - (sorted[2] as number));
    lines.colour[row] = Math.min(lines.colour[row] as number, plain / GRID);
  }
}

function transposed(grid: Float32Array): Float32Array {
  const turned = new Float32Array(GRID * GRID);
  for (let row = 0; row < GRID; row += 1)
    for (let column = 0; column < GRID; column += 1) turned[column * GRID + row] = grid[row * GRID + column] as number;
  return turned;
}

/** First line after and last line before the plain bars; lines with text count as bar if plain lines follow. */
function insideBars(lines: LineFacts): [number, number] {
  const until = (at: (line: number) => number): number => {
    let end = 0;
    for (let line = 0; line < GRID / 2; line += 1) {
      if ((lines.spread[at(line)] as number) < PLAIN) end = line + 1;
      else if (isContentLine(lines, at(line))) break;
    }
    return end < 2 ? 0 : end;
  };
  return [until((line) => line), GRID - until((line) => GRID - 1 - line)];
}
