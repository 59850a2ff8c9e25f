/** Lines that a step is measured over, and that must be smooth at each end of a side: a blurred pad is wider than this. */
const RIM = 4;
/** Mean curvature (of 255 levels) up to which a line may be blurred: blurred pads have 0.5 to 0.9, sharp pictures usually 1.5 and more. */
const SMOOTH = 1.5;
/** Times by which the curvature of the content exceeds that of the pad, and by which one line of the pad may exceed the mean of the lines before. */
const STEP = 1.5;

/**
 * Where sharp content may begin and end between two blurred pads, from the sharpness of the lines of a grid. Edges do not show this where content
 * and pad have similar levels, which is usual, because the pad is made of the content. Words on a pad are sharp as well, so that the content may
 * begin at them or behind them. Empty unless both ends are smooth and end at a step.
 */
export function sharpBetweenPads(sharpness: Float32Array): [first: number, end: number][] {
  const above = innerAndOuter(padEnds(sharpness));
  const below = innerAndOuter(padEnds(sharpness.toReversed()));
  return above.flatMap((first) => below.map((pad): [number, number] => [first, sharpness.length - pad]));
}

/** Inside first: words are more usual on a pad than smooth parts in the content. */
const innerAndOuter = (ends: readonly number[]): number[] => [...new Set([ends.at(-1), ends[0]])].filter((end) => end !== undefined);

/** Where smooth lines end at a step to sharp ones: those from the first line on, and those that follow sharp lines. */
function padEnds(sharpness: Float32Array): number[] {
  const ends: number[] = [];
  let end = padEnd(sharpness, 0);
  while (end !== null) {
    ends.push(end);
    const next = nextSmooth(sharpness, end);
    end = next === null ? null : padEnd(sharpness, next);
  }
  return ends;
}

/** The end of the smooth lines that begin at a line; `null` if it is sharp or no step follows. */
function padEnd(sharpness: Float32Array, from: number): number | null {
  let sum = 0;
  for (let line = from; line < sharpness.length / 2; line += 1) {
    const value = sharpness[line] as number;
    const level = sum / (line - from);
    if (line - from >= RIM && value > level * STEP) {
      if (meanOf(sharpness, line, line + RIM) <= level * STEP) return null;
      // compression and a line that shows both make the last line of the pad a little sharper
      const next = sharpness[line + 1] as number;
      return next - value > value - (sharpness[line - 1] as number) ? line + 1 : line;
    }
    if (value > SMOOTH) return null;
    sum += value;
  }
  return null;
}

function nextSmooth(sharpness: Float32Array, from: number): number | null {
  for (let line = from; line < sharpness.length / 2; line += 1) {
    if (sharpness.subarray(line, line + RIM).every((value) => value <= SMOOTH)) return line;
  }
  return null;
}

const meanOf = (values: Float32Array, from: number, to: number): number =>
  values.subarray(from, to).reduce((sum, value) => sum + value, 0) / (to - from);

/** Mean curvature along each line of a square grid, within the given columns: blur removes it, whatever the levels are. */
export function sharpnessOfLines(curvature: Float32Array, side: number, [from, to]: readonly [number, number]): Float32Array {
  return Float32Array.from({ length: side }, (_line, line) => meanOf(curvature, line * side + from, line * side + to));
}

/** Adds the second differences along the lines of a grid, which are zero on even slopes. */
export function addCurvature(curvature: Float32Array, grid: Float32Array, side: number): void {
  for (let start = 0; start < grid.length; start += side) {
    for (let at = start + 1; at < start + side - 1; at += 1)
      (curvature[at] as number) += Math.abs(2 * (grid[at] as number) - (grid[at - 1] as number) - (grid[at + 1] as number));
  }
}
