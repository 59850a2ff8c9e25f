/** The whole number that was typed, when it lies within the limits (both included), else null. */
export const wholeWithin = (text: string, { min, max }: { min: number; max?: number }): number | null => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isInteger(value) && value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER) ? value : null;
};
