import type { StatusTone } from '../../theme/tokens';

export const LEVELS = ['error', 'warn', 'info', 'debug', 'other'] as const;
export type LogLevel = (typeof LEVELS)[number];

export const LEVEL_TONE: Record<LogLevel, StatusTone> = { error: 'red', warn: 'orange', info: 'blue', debug: 'grey', other: 'grey' };

const WORD = 'FATAL|ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE';
/** Places of the level: after the timestamp, as a field, or as a word in capitals. The first match wins. */
const PLACES: readonly RegExp[] = [
  new RegExp(`^(?:[\\d:.,TZ+/-]+\\s+){0,2}[[(<]?(${WORD})\\b`, 'iu'),
  /"level":\s*"?(\w+)/iu,
  /\blevel=["']?(\w+)/iu,
  new RegExp(`\\b(${WORD})\\b`, 'u'),
];
const NAMES: Record<string, LogLevel> = {
  fatal: 'error',
  error: 'error',
  warn: 'warn',
  warning: 'warn',
  info: 'info',
  debug: 'debug',
  trace: 'debug',
  '60': 'error',
  '50': 'error',
  '40': 'warn',
  '30': 'info',
  '20': 'debug',
  '10': 'debug',
};

/** The level of a line; "other" if it has none. */
export function logLevel(line: string): LogLevel {
  for (const place of PLACES) {
    const level = NAMES[(place.exec(line)?.[1] ?? '').toLowerCase()];
    if (level !== undefined) return level;
  }
  return 'other';
}

export interface LogLine {
  /** Stable id of the line while it is displayed. */
  n: number;
  text: string;
  level: LogLevel;
}

export interface LogBuffer {
  lines: readonly LogLine[];
  read: readonly string[];
}

/** Maximum number of older lines kept while the user reads further up. */
const KEPT_ABOVE = 4_000;

const numbered = (texts: readonly string[], from: number): LogLine[] =>
  texts.map((text, index) => ({ n: from + index, text, level: logLevel(text) }));

export const newBuffer = (read: readonly string[]): LogBuffer => ({ lines: numbered(read, 0), read });

/** Length of the longest suffix of `before` that is a prefix of `next`. */
function overlap(before: readonly string[], next: readonly string[]): number {
  for (let length = Math.min(before.length, next.length); length > 0; length -= 1) {
    const from = before.length - length;
    let same = 0;
    while (same < length && before[from + same] === next[same]) same += 1;
    if (same === length) return length;
  }
  return 0;
}

/**
 * Merges a new response into the buffer. Known lines keep their id, so the list does not jump. While the user reads further up, lines beyond
 * the requested number are kept. A response without any known line belongs to a cleared or a much newer log.
 */
export function takeIn({ lines, read }: LogBuffer, next: readonly string[], following: boolean): LogBuffer {
  const known = overlap(read, next);
  if (known === 0) {
    const from = (lines.at(-1)?.n ?? -1) + 1;
    const fresh = numbered(next, from);
    // A shorter log was cleared; one of the same length grew faster than it was polled.
    const stays = !following && next.length >= read.length && read.length > 0;
    return { lines: stays ? [...lines, ...fresh].slice(-(next.length + KEPT_ABOVE)) : fresh, read: next };
  }
  const fresh = numbered(next.slice(known), (lines.at(-1)?.n ?? -1) + 1);
  const all = fresh.length === 0 ? lines : [...lines, ...fresh];
  return { lines: all.slice(-(following ? next.length : next.length + KEPT_ABOVE)), read: next };
}

/** The search as a pattern; null if it is empty or not a valid regular expression. */
export function patternOf(text: string, regex: boolean): RegExp | null {
  if (text === '') return null;
  try {
    return new RegExp(regex ? text : text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'), 'giu');
  } catch {
    return null;
  }
}

export function findLines(lines: readonly LogLine[], pattern: RegExp | null): number[] {
  if (pattern === null) return [];
  return lines.flatMap(({ text }, index) => {
    pattern.lastIndex = 0;
    return pattern.test(text) ? [index] : [];
  });
}

/** Splits a line so that every second piece is a match. */
export function piecesOf(text: string, pattern: RegExp | null): string[] {
  if (pattern === null) return [text];
  const pieces: string[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match[0] === '') continue;
    pieces.push(text.slice(from, match.index), match[0]);
    from = match.index + match[0].length;
  }
  return [...pieces, text.slice(from)];
}
