import ts from 'typescript';
import type { SourceFile } from './source-files';

/** A regular expression of the source, with its place. */
interface FoundPattern {
  place: string;
  pattern: RegExp;
}

/** The repeated unit of a text that makes a pattern slow. */
interface SlowPattern {
  unit: string;
  prefix: string;
  suffix: string;
  smallMs: number;
  largeMs: number;
}

type Run = (text: string) => unknown;

/** Sizes in units of UTF-16, ten times apart. */
const SMALL = 2_000;
const LARGE = 20_000;
/** Linear growth has a ratio of 10, quadratic growth one of 100; the distance to both allows for a busy machine. */
const MAX_RATIO = 25;
/** Below this a pattern is fast enough at the large size, whatever the ratio: in linear time 20,000 units take about 1 ms, in quadratic 200. */
const FLOOR_MS = 10;
/** A pattern that takes this long for such a short text grows exponentially; longer texts are not tried. */
const STEPS = [
  { size: 14, tooLongMs: 60 },
  { size: 20, tooLongMs: 60 },
  { size: 26, tooLongMs: 60 },
  { size: 300, tooLongMs: 120 },
  { size: SMALL, tooLongMs: 500 },
];
/** A pattern this fast for the small size is not measured for the large one: a hundredfold time would still be below the floor. */
const CLEARLY_FAST_MS = FLOOR_MS / 100;
const SMALL_REPEATS = 5;
const LARGE_REPEATS = 25;
/** If so many runs exceed both, more measurements change nothing: growth with the square of the length has a ratio of 100. */
const CLEARLY_SLOW = { runs: 3, ms: 2 * FLOOR_MS, ratio: 60 };
const MAX_WINDOW = 4;
/** Numbers of atoms that precede the repeated part of an anchored pattern. */
const PREFIXES = [0, 1, 2, 4, 8];
const SAMPLE_CHARACTERS = ['a', 'A', '0', '-', ' ', '.', '/', '"', '=', '\n', '<', '@', ':', ',', '#', '\u0301', '\u3042'];
const SUFFIXES = ['', '\u0001', '\n!'];

/** Every regular expression literal of the file, found with TypeScript's parser. */
export function patternsOf({ path, text }: SourceFile): FoundPattern[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const found: FoundPattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push({ place: `${path}:${line}`, pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The file once for each `RegExp(...)` call, whose pattern cannot be measured. */
export function builtPatterns({ path, text }: SourceFile): string[] {
  if (!text.includes('RegExp(')) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const made = ts.isNewExpression(node) || ts.isCallExpression(node) ? node.expression : null;
    if (made !== null && ts.isIdentifier(made) && made.text === 'RegExp') found.push(path);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Applies a pattern as the code does: all matches of a global pattern, else the first. */
export const applying = (pattern: RegExp): Run => {
  const copy = new RegExp(pattern.source, pattern.flags);
  return (text) => {
    copy.lastIndex = 0;
    return copy.global ? text.replace(copy, '') : copy.test(text);
  };
};

/** The first text for which the time grows faster than the text; `null` when none of the tried texts does. */
export function slowTextFor(run: Run, units: readonly string[], prefixes: readonly string[] = ['']): SlowPattern | null {
  for (const unit of units) {
    for (const prefix of prefixes) {
      for (const suffix of SUFFIXES) {
        const text = (size: number) => prefix + unit.repeat(Math.ceil(size / unit.length)) + suffix;
        let lastMs = 0;
        for (const { size, tooLongMs } of STEPS) {
          lastMs = shortest(run, text(size), tooLongMs);
          if (lastMs > tooLongMs) return { unit, prefix, suffix, smallMs: NaN, largeMs: lastMs };
        }
        if (lastMs < CLEARLY_FAST_MS) continue;
        const growth = growthOf(run, text(SMALL), text(LARGE));
        if (growth !== null) return { unit, prefix, suffix, ...growth };
      }
    }
  }
  return null;
}

/**
 * The times of both texts if the time grows faster than the text, else `null`. The shortest runs exclude compilation, garbage collection and
 * other work of the machine: the long text is repeated until its time is linear, or was never linear.
 */
function growthOf(run: Run, small: string, large: string): Pick<SlowPattern, 'smallMs' | 'largeMs'> | null {
  let largeMs = once(run, large);
  if (largeMs < FLOOR_MS) return null;
  const smallMs = Math.min(...Array.from({ length: SMALL_REPEATS }, () => once(run, small)));
  for (let repeat = 0; repeat < LARGE_REPEATS; repeat += 1) {
    largeMs = Math.min(largeMs, once(run, large));
    if (largeMs < FLOOR_MS || largeMs / smallMs <= MAX_RATIO) return null;
    if (repeat + 1 >= CLEARLY_SLOW.runs && largeMs > CLEARLY_SLOW.ms && largeMs / smallMs > CLEARLY_SLOW.ratio) break;
  }
  return { smallMs, largeMs };
}

/** The time of one run, or of the faster of two if the first exceeds the limit. */
function shortest(run: Run, text: string, limitMs: number): number {
  const first = once(run, text);
  return first > limitMs ? Math.min(first, once(run, text)) : first;
}

/** CPU milliseconds of this process: a wall clock would count other work of the machine. */
function once(run: Run, text: string): number {
  const before = process.cpuUsage();
  run(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Units whose repetition makes a pattern match in part again and again: each window of its atoms, written with a character that the atom
 * accepts, and each literal word with separators. Prefixes lead into an anchored pattern.
 */
export function attacksOn(pattern: RegExp): { units: string[]; prefixes: string[] } {
  const sources = atomsOf(pattern.source);
  const atoms = sources.map((atom) => charactersOf(atom, pattern.flags));
  const units = new Set<string>();
  for (let start = 0; start < atoms.length; start += 1) {
    for (let end = start + 1; end <= Math.min(atoms.length, start + MAX_WINDOW); end += 1) {
      // windows of letters are covered by the words below
      if (sources.slice(start, end).every((atom) => /^\w$/u.test(atom))) continue;
      for (const variant of [0, 1]) units.add(textOf(atoms.slice(start, end), variant));
    }
  }
  // literal words such as `eyJ` and `http://` are longer than a window
  for (const [word] of pattern.source.replaceAll('\\', '').matchAll(/[^\s()[\]{}|*+?.^$]+/gu)) {
    for (const separator of ['', '-', ' ', 'a', '=', ':']) units.add(word + separator);
  }
  units.delete('');
  const starts = PREFIXES.map((count) => textOf(atoms.slice(0, count), 0));
  // a `^` after `[` negates a class
  const anchored = /(?<![[\\])\^/u.test(pattern.source) && !pattern.flags.includes('m');
  return { units: [...units], prefixes: anchored ? [...new Set(starts)] : ['', textOf(atoms.slice(0, 3), 0)] };
}

const textOf = (atoms: readonly string[][], variant: number): string =>
  atoms.map((characters) => characters[variant] ?? characters[0] ?? '').join('');

/** Characters, escapes and classes in the order of the source, without groups, quantifiers and assertions. */
function atomsOf(source: string): string[] {
  const atom =
    /\\u\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|<[^>]*>|[a-z-]*:)|\{\d+,?\d*\}|[()|*+?^$]|[^]/giu;
  return [...source.matchAll(atom)]
    .map(([text]) => text)
    .filter((text) => !/^(?:\(.*|[)|*+?^$]|\{\d.*|\\[bBk].*)$/u.test(text) && !/^\\\d/u.test(text));
}

/** Up to two sample characters that the atom accepts. */
function charactersOf(atom: string, flags: string): string[] {
  const kept = flags.replaceAll(/[gy]/gu, '');
  const single = new RegExp(`^(?:${atom})$`, kept.includes('s') ? kept : `${kept}s`);
  const accepted = [...SAMPLE_CHARACTERS, ...atom].filter((character) => single.test(character));
  return accepted.length <= 1 ? accepted : [accepted[0] ?? '', accepted.find((character) => !/\w/u.test(character)) ?? accepted[1] ?? ''];
}
