import type { Violation } from './check';
import { readSources, type SourceFile } from './source-files';

const BANNED_NAMES = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'shared', 'misc', 'lib', 'core', 'manager', 'types']);

/** The first entry that fits applies. Tables of data and schemas are long because they list much, not because they do much. */
const LINE_BUDGETS: readonly { what: string; fits: RegExp; lines: number }[] = [
  { what: 'a test', fits: /\.(spec|contract)\.tsx?$/, lines: 500 },
  { what: 'a stage', fits: /\.stage\.ts$/, lines: 150 },
  { what: 'a screen', fits: /\.screen\.tsx$/, lines: 150 },
  {
    what: 'a table of data or schemas',
    fits: /\.(api|sample|schema|table|entity)\.ts$|\/(migrations|samples|presets|seed|text)\//,
    lines: 500,
  },
  { what: 'a source file', fits: /./, lines: 400 },
];

const SUPPRESSIONS: readonly { mark: RegExp; explained: RegExp; name: string }[] = [
  { name: 'eslint-disable', mark: /eslint-disable(-next-line|-line)?\b/, explained: /eslint-disable.* -- .{5,}/ },
  { name: '@ts-expect-error', mark: /@ts-expect-error\b/, explained: /@ts-expect-error[ :-]+.{10,}/ },
  { name: '@ts-ignore', mark: /@ts-(ignore|nocheck)\b/, explained: /^(?!)/ },
];

/** Sizes, names and suppressions of a set of files. */
export const budgetViolations = (files: readonly SourceFile[]): Violation[] =>
  files.flatMap((file) => [...tooLong(file), ...badName(file), ...innerIndex(file), ...unexplained(file)]);

export const budgets = { name: 'budgets', run: async (root: string) => budgetViolations(readSources(root)) };

function tooLong({ path, text }: SourceFile): Violation[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const budget = LINE_BUDGETS.find(({ fits }) => fits.test(path));
  if (budget === undefined || lines <= budget.lines) return [];
  const rule = `${budget.what} has at most ${budget.lines} lines, this one has ${lines}`;
  return [{ file: path, rule, fix: 'Move its second subject to a file of its own.' }];
}

function badName({ path }: SourceFile): Violation[] {
  const words = path.split('/').map((part) => part.replace(/\..*$/, ''));
  const banned = words.find((word) => BANNED_NAMES.has(word.toLowerCase()));
  if (banned === undefined) return [];
  return [
    {
      file: path,
      rule: `the name "${banned}" is not allowed`,
      fix: 'Name it after its subject.',
    },
  ];
}

/** One public entry per library or tool: an inner index causes import cycles. */
function innerIndex({ path }: SourceFile): Violation[] {
  if (!/(^|\/)index\.[mc]?tsx?$/.test(path) || /^(libs|tools)\/[^/]+\/src\/index\.ts$/.test(path)) return [];
  return [
    {
      file: path,
      rule: 'a library has one index.ts',
      fix: 'Remove it and import the files directly.',
    },
  ];
}

function unexplained({ path, text }: SourceFile): Violation[] {
  // this file contains the patterns themselves
  if (path.startsWith('tools/checks/src/budgets')) return [];
  return text.split('\n').flatMap((line, index) =>
    SUPPRESSIONS.filter(({ mark, explained }) => mark.test(line) && !explained.test(line)).map(({ name }) => ({
      file: `${path}:${index + 1}`,
      rule: `${name} needs a reason`,
      fix: 'Write why after " -- ", or fix the cause; @ts-ignore is never allowed.',
    })),
  );
}
