import type { Region } from '@autoposter/domain';
import type { LumaPicture } from './views';

/** Side of the grid in which bars are found: finer than the thinnest bar that matters, 2 % of a side. */
const GRID = 128;
/** A line with a smaller spread (of 255 levels) has one colour. */
const PLAIN = 10;
/** Text on a caption bar leaves this share of a line in the colour of the bar. */
const BAR_COLOUR = 0.5;
/** Lines next to an edge differ by this much on average where a bar or a blurred pad meets the content. */
const EDGE = 14;
/** Share of an edge that is that strong along its whole length. */
const EDGE_SHARE = 0.6;
/** Content smaller than this share of a side is no content. */
const SMALLEST = 0.3;

/** What lines of a picture look like, summed over the frames of a video: bars and pads stay, content changes. */
interface Lines {
  /** Largest spread of each row and column. */
  rowSpread: Float32Array;
  columnSpread: Float32Array;
  /** Smallest share of a row and column in its most frequent colour. */
  rowColour: Float32Array;
  columnColour: Float32Array;
  /** Mean difference, and share of clear differences, between each line and the next. */
  rowEdge: Float32Array;
  columnEdge: Float32Array;
  rowEdgeShare: Float32Array;
  columnEdgeShare: Float32Array;
  frames: number;
}

/** Finds bars, borders and blurred pads around the content, in one picture or in the frames of one video. */
export class ContentFinder {
  private lines: Lines | null = null;

  add(picture: LumaPicture): void {
    const grid = picture.grid({ left: 0, top: 0, right: 1, bottom: 1 }, GRID);
    const turned = transposed(grid);
    const [rows, columns] = [linesOf(grid), linesOf(turned)];
    this.lines ??= emptyLines();
    const { lines } = this;
    for (let at = 0; at < GRID; at += 1) {
      lines.rowSpread[at] = Math.max(lines.rowSpread[at] as number, rows.spread[at] as number);
      lines.columnSpread[at] = Math.max(lines.columnSpread[at] as number, columns.spread[at] as number);
      lines.rowColour[at] = Math.min(lines.rowColour[at] as number, rows.colour[at] as number);
      lines.columnColour[at] = Math.min(lines.columnColour[at] as number, columns.colour[at] as number);
      (lines.rowEdge[at] as number) += rows.edge[at] as number;
      (lines.columnEdge[at] as number) += columns.edge[at] as number;
      (lines.rowEdgeShare[at] as number) += rows.edgeShare[at] as number;
      (lines.columnEdgeShare[at] as number) += columns.edgeShare[at] as number;
    }
    lines.frames += 1;
  }

  /** Parts that may be the content: without plain bars, and between the strongest straight edges. Empty if there are neither. */
  regions(): Region[] {
    const { lines } = this;
    if (lines === null) return [];
    const top = plainUntil(lines.rowSpread, lines.rowColour);
    const bottom = GRID - plainUntil(lines.rowSpread.slice().reverse(), lines.rowColour.slice().reverse());
    const left = plainUntil(lines.columnSpread, lines.columnColour);
    const right = GRID - plainUntil(lines.columnSpread.slice().reverse(), lines.columnColour.slice().reverse());
    const regions: Region[] = [];
    const add = (one: Region): void => {
      const [width, height] = [one.right - one.left, one.bottom - one.top];
      if (width < SMALLEST || height < SMALLEST || width * height > 0.98) return;
      if (regions.every((other) => distanceOf(one, other) > 0.02)) regions.push(one);
    };
    const region = (t: number, b: number, l: number, r: number): Region => ({
      left: l / GRID,
      top: t / GRID,
      right: r / GRID,
      bottom: b / GRID,
    });
    add(region(top, bottom, left, right));
    const rows = edgesOf(lines.rowEdge, lines.rowEdgeShare, lines.frames);
    const columns = edgesOf(lines.columnEdge, lines.columnEdgeShare, lines.frames);
    const [upper, lower] = outermost(rows);
    const [near, far] = outermost(columns);
    add(region(upper ?? top, lower ?? bottom, left, right));
    add(region(top, bottom, near ?? left, far ?? right));
    add(region(upper ?? top, lower ?? bottom, near ?? left, far ?? right));
    return regions.slice(0, 3);
  }
}

function emptyLines(): Lines {
  const zeros = (): Float32Array => new Float32Array(GRID);
  const ones = (): Float32Array => new Float32Array(GRID).fill(1);
  return {
    rowSpread: zeros(),
    columnSpread: zeros(),
    rowColour: ones(),
    columnColour: ones(),
    rowEdge: zeros(),
    columnEdge: zeros(),
    rowEdgeShare: zeros(),
    columnEdgeShare: zeros(),
    frames: 0,
  };
}

function linesOf(grid: Float32Array) {
  const spread = new Float32Array(GRID);
  const colour = new Float32Array(GRID);
  const edge = new Float32Array(GRID);
  const edgeShare = new Float32Array(GRID);
  for (let row = 0; row < GRID; row += 1) {
    const line = grid.subarray(row * GRID, (row + 1) * GRID);
    const sorted = Float32Array.from(line).sort();
    spread[row] = (sorted[GRID - 3] as number) - (sorted[2] as number);
    const middle = sorted[GRID >> 1] as number;
    colour[row] = line.reduce((count, level) => count + (Math.abs(level - middle) < PLAIN ? 1 : 0), 0) / GRID;
    if (row === 0) continue;
    let [sum, clear] = [0, 0];
    for (let column = 0; column < GRID; column += 1) {
      const difference = Math.abs((line[column] as number) - (grid[(row - 1) * GRID + column] as number));
      sum += difference;
      if (difference > EDGE / 2) clear += 1;
    }
    edge[row] = sum / GRID;
    edgeShare[row] = clear / GRID;
  }
  return { spread, colour, edge, edgeShare };
}

function transposed(grid: Float32Array): Float32Array {
  const turned = new Float32Array(GRID * GRID);
  for (let row = 0; row < GRID; row += 1)
    for (let column = 0; column < GRID; column += 1) turned[column * GRID + row] = grid[row * GRID + column] as number;
  return turned;
}

/** Lines from the edge on that belong to a bar; lines with text count if plain lines follow. */
function plainUntil(spread: Float32Array, colour: Float32Array): number {
  let until = 0;
  for (let at = 0; at < GRID / 2; at += 1) {
    if ((spread[at] as number) < PLAIN) until = at + 1;
    else if ((colour[at] as number) < BAR_COLOUR) break;
  }
  return until < 2 ? 0 : until;
}

/** Lines at which a straight edge crosses the whole picture. */
function edgesOf(edge: Float32Array, share: Float32Array, frames: number): number[] {
  const found: number[] = [];
  for (let at = 2; at < GRID - 2; at += 1) {
    const mean = (edge[at] as number) / frames;
    const around = ((edge[at - 2] as number) + (edge[at + 2] as number)) / 2 / frames;
    if (mean >= EDGE && (share[at] as number) / frames >= EDGE_SHARE && mean > around * 2) found.push(at);
  }
  return found;
}

/** The first edge of the first half and the last edge of the second. */
function outermost(edges: readonly number[]): [number | undefined, number | undefined] {
  return [edges.find((at) => at < GRID / 2), edges.filter((at) => at >= GRID / 2).at(-1)];
}

const distanceOf = (a: Region, b: Region): number =>
  Math.max(Math.abs(a.left - b.left), Math.abs(a.top - b.top), Math.abs(a.right - b.right), Math.abs(a.bottom - b.bottom));
