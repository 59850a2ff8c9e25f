import { logLevel, type LogLevel } from './log-level';

export interface LogLine {
  /** Stays with the line for as long as it is shown. */
  n: number;
  text: string;
  level: LogLevel;
}

export interface LogBuffer {
  lines: readonly LogLine[];
  /** What was read last, as it came. */
  read: readonly string[];
}

/** The most lines that are kept above the window for somebody who reads there. */
const KEPT_ABOVE = 4_000;

const numbered = (texts: readonly string[], from: number): LogLine[] =>
  texts.map((text, index) => ({ n: from + index, text, level: logLevel(text) }));

export const newBuffer = (read: readonly string[]): LogBuffer => ({ lines: numbered(read, 0), read });

/** How many lines at the beginning of `next` were at the end of `before` already. */
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
 * Takes in what was read anew: the last lines of a log that grows. Lines that are known keep their number, so that nothing moves. What fell
 * out of the window stays for somebody who reads further up, and goes once they follow the end again. A log that shares nothing with what
 * was there is another one.
 */
export function takeIn({ lines, read }: LogBuffer, next: readonly string[], following: boolean): LogBuffer {
  const known = overlap(read, next);
  if (known === 0) {
    const from = (lines.at(-1)?.n ?? -1) + 1;
    const fresh = numbered(next, from);
    // A log shorter than before was cleared; one of the same length ran on faster than it was read.
    const stays = !following && next.length >= read.length && read.length > 0;
    return { lines: stays ? [...lines, ...fresh].slice(-(next.length + KEPT_ABOVE)) : fresh, read: next };
  }
  const fresh = numbered(next.slice(known), (lines.at(-1)?.n ?? -1) + 1);
  const all = fresh.length === 0 ? lines : [...lines, ...fresh];
  return { lines: all.slice(-(following ? next.length : next.length + KEPT_ABOVE)), read: next };
}
