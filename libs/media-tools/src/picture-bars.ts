import type { Area, Size } from './media-info';
import { luminanceAt } from './pdq';
import type { RgbPicture } from './pictures';

/** Bars cover at least this share of a side, are equally thick within this share, and leave at least this share of the picture. */
export const BARS = { least: 0.02, unequal: 0.02, leastKept: 0.3 } as const;

/** Whether the dark lines before and after the content are two bars of equal size. Fewer than `fewest` lines are no bar, and no difference of two bars. */
export const areBars = (before: number, after: number, lines: number, fewest: number): boolean =>
  Math.min(before, after) >= Math.max(fewest, lines * BARS.least) && Math.abs(before - after) <= Math.max(fewest, lines * BARS.unequal);

/** A line is part of a bar while no level of it is above this one: what compression leaves beside a sharp edge is below it. */
const BAR_LEVEL = 24;
/** Levels above this one belong to the content. */
const CONTENT_LEVEL = 40;
/** Part of a line beside a bar that the content fills. Less is an object on a dark background, or a scene that fades into the dark. */
const FILLED = 0.6;
/** Lines beside a bar of which one is filled: the first one may be mixed with the bar. */
const EDGE_LINES = 3;

interface GreyPicture {
  levels: Uint8Array;
  width: number;
  height: number;
}

/** The part of a picture of this size that is between black bars, found in its reduced pixels; `null` without bars. */
export function barsOfPicture({ rgb, width, height }: RgbPicture, full: Size): Area | null {
  const levels = new Uint8Array(width * height);
  for (let at = 0; at < levels.length; at += 1) levels[at] = luminanceAt(rgb, 3 * at);
  const found = contentBetweenBars({ levels, width, height });
  if (found === null) return null;
  // a line of a reduced picture is several: its edge is somewhere in them
  const inside = (from: number, length: number, of: number, whole: number): [start: number, length: number] => {
    const scale = whole / of;
    const margin = scale > 1 ? 1 : 0;
    const start = from === 0 ? 0 : Math.ceil((from + margin) * scale);
    const end = from + length === of ? whole : Math.floor((from + length - margin) * scale);
    return [start, end - start];
  };
  const [x, across] = inside(found.x, found.width, width, full.width);
  const [y, down] = inside(found.y, found.height, height, full.height);
  return { x, y, width: across, height: down };
}

/**
 * The part of a picture between two black bars of equal size, above and below or on both sides, or within a black frame; `null` if it has none. A
 * single picture tells a bar from a dark part of the scene by its straight edge alone: the content begins along most of the line beside it.
 */
export function contentBetweenBars({ levels, width, height }: GreyPicture): Area | null {
  const rows = between(height, (line) => brightest(levels, { start: line * width, step: 1, length: width }));
  const columns = between(width, (line) => brightest(levels, { start: rows[0] * width + line, step: width, length: rows[1] - rows[0] }));
  const inside = { x: columns[0], y: rows[0], width: columns[1] - columns[0], height: rows[1] - rows[0] };
  if (inside.width * inside.height < width * height * BARS.leastKept) return null;
  const isWhole = inside.width === width && inside.height === height;
  return isWhole || !hasStraightEdges(levels, width, inside, { width, height }) ? null : inside;
}

interface Line {
  start: number;
  step: number;
  length: number;
}

function brightest(levels: Uint8Array, { start, step, length }: Line): number {
  let most = 0;
  for (let at = start, end = start + step * length; at < end; at += step) most = Math.max(most, levels[at] as number);
  return most;
}

/** First line of the content and the line after it; all lines without two equal bars. */
function between(lines: number, brightestOf: (line: number) => number): [from: number, to: number] {
  let from = 0;
  while (from < lines && brightestOf(from) <= BAR_LEVEL) from += 1;
  let to = lines;
  while (to > from && brightestOf(to - 1) <= BAR_LEVEL) to -= 1;
  return areBars(from, lines - to, lines, 2) ? [from, to] : [0, lines];
}

/** Whether the content begins along most of each side that has a bar. */
function hasStraightEdges(levels: Uint8Array, stride: number, inside: Area, whole: Size): boolean {
  const row = (line: number): Line => ({ start: line * stride + inside.x, step: 1, length: inside.width });
  const column = (line: number): Line => ({ start: inside.y * stride + line, step: stride, length: inside.height });
  const sides: [hasBar: boolean, lineAt: (line: number) => Line, first: number, inward: 1 | -1][] = [
    [inside.y > 0, row, inside.y, 1],
    [inside.y + inside.height < whole.height, row, inside.y + inside.height - 1, -1],
    [inside.x > 0, column, inside.x, 1],
    [inside.x + inside.width < whole.width, column, inside.x + inside.width - 1, -1],
  ];
  const isFilled = (line: Line): boolean => {
    let bright = 0;
    for (let at = line.start, end = line.start + line.step * line.length; at < end; at += line.step)
      if ((levels[at] as number) > CONTENT_LEVEL) bright += 1;
    return bright >= line.length * FILLED;
  };
  return sides.every(
    ([hasBar, lineAt, first, inward]) =>
      !hasBar || Array.from({ length: EDGE_LINES }, (_, at) => first + at * inward).some((line) => isFilled(lineAt(line))),
  );
}
