import { excerptOf } from './redaction';

/** Most characters of one text of a log line. */
export const MAX_TEXT = 2_000;
/** Most characters of all texts of a line together. */
const MAX_LINE = 16_000;
const MAX_ENTRIES = 100;
const MAX_NAME = 80;
const MAX_DEPTH = 6;

interface Budget {
  left: number;
}

/** Bounds the size of the facts of a log line. Errors are handled by their serialiser. */
export function boundedFacts(facts: object): Record<string, unknown> {
  return bounded({ ...facts }, { left: MAX_LINE }, 0) as Record<string, unknown>;
}

function bounded(value: unknown, budget: Budget, depth: number): unknown {
  if (typeof value === 'string') return spend(value, budget);
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth > MAX_DEPTH || budget.left <= 0) return '[omitted]';
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => bounded(entry, budget, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return bounded(value.toJSON(), budget, depth + 1);
  const entries = Object.entries(value).slice(0, MAX_ENTRIES);
  return Object.fromEntries(entries.map(([name, entry]) => [excerptOf(name, MAX_NAME), bounded(entry, budget, depth + 1)]));
}

function spend(text: string, budget: Budget): string {
  const cut = excerptOf(text, Math.max(0, Math.min(MAX_TEXT, budget.left)));
  budget.left -= Math.min(text.length, MAX_TEXT);
  return cut;
}
