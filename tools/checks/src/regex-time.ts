import ts from 'typescript';
import type { SourceFile } from './source-files';

/** A regular expression of the source, with its place. */
export interface FoundPattern {
  place: string;
  pattern: RegExp;
}

/** Text of `size` units that makes a pattern slow, told in short. */
export interface SlowPattern {
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
const MAX_RATIO = 12;
/** Below this a pattern is fast enough at the large size, whatever the ratio: in linear time 20,000 units take about 1 ms, in quadratic 200. */
const FLOOR_MS = 25;
/** A pattern that takes this long for a text this short grows beyond all measure; longer texts are not tried. */
const STEPS = [
  { size: 14, tooLongMs: 60 },
  { size: 20, tooLongMs: 60 },
  { size: 26, tooLongMs: 60 },
  { size: 300, tooLongMs: 120 },
  { size: SMALL, tooLongMs: 500 },
];
const REPEATS = 5;
const MAX_WINDOW = 4;
/** How many atoms lead to the inside of a pattern that is bound to the beginning. */
const PREFIXES = [0, 1, 2, 4, 8];
const SAMPLE_SIGNS = ['a', 'A', '0', '-', ' ', '.', '/', '"', '=', '\n', '<', '@', ':', ',', '#', '\u0301', '\u3042'];
const SUFFIXES = ['', '\u0001', '\n!'];

/** Every literal of the file, read with TypeScript's own parser. */
export function patternsOf({ path, text }: SourceFile): FoundPattern[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const found: FoundPattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ place: `${path}:${line}`, pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Where the file makes a pattern from a text: no literal to measure. */
export function builtPatterns({ path, text }: SourceFile): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const made = ts.isNewExpression(node) || ts.isCallExpression(node) ? node.expression : null;
    if (made !== null && ts.isIdentifier(made) && made.text === 'RegExp') found.push(path);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** How a pattern is applied where it matters: all matches where it is global, else the first. */
export const applying = (pattern: RegExp): Run => {
  const copy = new RegExp(pattern.source, pattern.flags);
  return (text) => {
    copy.lastIndex = 0;
    return copy.global ? text.replace(copy, '') : copy.test(text);
  };
};

/** The first text for which the run takes more than its share; `null` where there is none among those that were tried. */
export function slowTextFor(run: Run, units: readonly string[], prefixes: readonly string[] = ['']): SlowPattern | null {
  for (const unit of units) {
    for (const prefix of prefixes) {
      for (const suffix of SUFFIXES) {
        const text = (size: number) => prefix + unit.repeat(Math.ceil(size / unit.length)) + suffix;
        const blown = STEPS.find(({ size, tooLongMs }) => once(run, text(size)) > tooLongMs && once(run, text(size)) > tooLongMs);
        if (blown) return { unit, prefix, suffix, smallMs: NaN, largeMs: once(run, text(blown.size)) };
        if (once(run, text(LARGE)) < FLOOR_MS) continue;
        const [smallMs, largeMs] = [best(run, text(SMALL)), best(run, text(LARGE))];
        if (largeMs >= FLOOR_MS && largeMs / smallMs > MAX_RATIO) return { unit, prefix, suffix, smallMs, largeMs };
      }
    }
  }
  return null;
}

/** The shortest of several runs is without the compiler and the garbage collector. */
const best = (run: Run, text: string): number => Math.min(...Array.from({ length: REPEATS }, () => once(run, text)));

/** Milliseconds of this process: the machine does other work, too, and a clock on the wall would count that. */
function once(run: Run, text: string): number {
  const before = process.cpuUsage();
  run(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * What to repeat so that a pattern begins to match again and again without getting there: each run of its atoms, written with a sign that
 * the atom takes, alone and with a separator. Prefixes lead to the inside of a pattern that is bound to the beginning.
 */
export function attacksOn(pattern: RegExp): { units: string[]; prefixes: string[] } {
  const sources = atomsOf(pattern.source);
  const atoms = sources.map((atom) => signsOf(atom, pattern.flags));
  const units = new Set<string>();
  for (let start = 0; start < atoms.length; start += 1) {
    for (let end = start + 1; end <= Math.min(atoms.length, start + MAX_WINDOW); end += 1) {
      // what is all letters is among the words below
      if (sources.slice(start, end).every((atom) => /^\w$/u.test(atom))) continue;
      for (const variant of [0, 1]) units.add(textOf(atoms.slice(start, end), variant));
    }
  }
  // literal words such as `eyJ` and `http://` are longer than a window
  for (const [word] of pattern.source.replaceAll('\\', '').matchAll(/[^\s()[\]{}|*+?.^$]+/gu)) {
    for (const separator of ['', '-', ' ', 'a', '=', ':']) units.add(word + separator);
  }
  units.delete('');
  const beginning = PREFIXES.map((count) => textOf(atoms.slice(0, count), 0));
  const bound = pattern.source.includes('^') && !pattern.flags.includes('m');
  return { units: [...units], prefixes: bound ? [...new Set(beginning)] : ['', textOf(atoms.slice(0, 3), 0)] };
}

const textOf = (atoms: readonly string[][], variant: number): string => atoms.map((signs) => signs[variant] ?? signs[0] ?? '').join('');

/** Signs, escapes and classes in the order of the source; groups, quantifiers and assertions are left out. */
function atomsOf(source: string): string[] {
  const atom =
    /\\u\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[pP]\{[^}]*\}|\\k<[^>]*>|\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!]|<[^>]*>|[a-z-]*:)|\{\d+,?\d*\}|[()|*+?^$]|[^]/giu;
  return [...source.matchAll(atom)]
    .map(([text]) => text)
    .filter((text) => !/^(?:\(.*|[)|*+?^$]|\{\d.*|\\[bBk].*)$/u.test(text) && !/^\\\d/u.test(text));
}

/** Two signs that the atom takes, as far as the samples have them. */
function signsOf(atom: string, flags: string): string[] {
  const kept = flags.replaceAll(/[gy]/gu, '');
  const single = new RegExp(`^(?:${atom})$`, kept.includes('s') ? kept : `${kept}s`);
  const taken = [...SAMPLE_SIGNS, ...atom].filter((sign) => single.test(sign));
  return taken.length <= 1 ? taken : [taken[0] ?? '', taken.find((sign) => !/\w/u.test(sign)) ?? taken[1] ?? ''];
}
