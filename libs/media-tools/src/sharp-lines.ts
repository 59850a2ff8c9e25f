/** Lines that a step is measured over, and that must be smooth at each end of a side: a blurred pad is wider than this. */
const RIM = 4;
/** Mean curvature (of 255 levels) up to which a line may be blurred: blurred pads have 0.5 to 0.9, sharp pictures usually 1.5 and more. */
const SMOOTH = 1.5;
/** Times by which the curvature of the content exceeds that of the pad, and by which one line of the pad may exceed the mean of the lines before. */
const STEP = 1.5;

/**
 * Where sharp content begins and ends between two blurred pads, from the sharpness of the lines of a grid. Edges do not show this where content
 * and pad have similar levels, which is usual, because the pad is made of the content. `null` unless both ends are smooth and end at a step.
 */
export function sharpBetweenPads(sharpness: Float32Array): [first: number, end: number] | null {
  const first = padOf(sharpness);
  const last = padOf(sharpness.toReversed());
  return first === null || last === null ? null : [first, sharpness.length - last];
}

/** Number of smooth lines before the first step to sharp ones; `null` if the first lines are sharp or no step follows. */
function padOf(sharpness: Float32Array): number | null {
  let sum = 0;
  for (let line = 0; line < sharpness.length / 2; line += 1) {
    const value = sharpness[line] as number;
    const level = sum / line;
    if (line >= RIM && value > level * STEP) {
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
