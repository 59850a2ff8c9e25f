import type { LogLine } from './log-buffer';

/** What is looked for; null where nothing is, or where a pattern is no pattern yet. */
export function patternOf(text: string, regex: boolean): RegExp | null {
  if (text === '') return null;
  try {
    return new RegExp(regex ? text : text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'), 'giu');
  } catch {
    return null;
  }
}

/** Places in the list of lines at which something is found. */
export function findLines(lines: readonly LogLine[], pattern: RegExp | null): number[] {
  if (pattern === null) return [];
  return lines.flatMap(({ text }, index) => {
    pattern.lastIndex = 0;
    return pattern.test(text) ? [index] : [];
  });
}

/** A line in pieces: every second one is what was found. */
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
