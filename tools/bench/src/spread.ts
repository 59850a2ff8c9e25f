interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Median, minimum and maximum of at least one number. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) throw new Error('no measurements');
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? max;
  const median = Number.isInteger(middle) ? ((sorted[middle - 1] ?? min) + upper) / 2 : upper;
  return { median, min, max };
}

/** The smallest value that this share of the values does not exceed; 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export const rounded = (spread: Spread, digits: number): Spread => ({
  median: Number(spread.median.toFixed(digits)),
  min: Number(spread.min.toFixed(digits)),
  max: Number(spread.max.toFixed(digits)),
});

/** `median (min–max)`. */
export const formatSpread = ({ median, min, max }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;

/** Aligns columns: the first to the left, the others to the right. */
export function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ');
  return rows.map(line);
}
