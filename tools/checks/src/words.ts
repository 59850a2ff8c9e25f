import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Violation } from './check';
import type { SourceFile } from './source-files';

/** Words that stand for something else, in names, comments and texts, and the standard terms for them. */
const METAPHORS: Readonly<Record<string, string>> = {
  room: 'stage, or test harness',
  door: 'waiting state, entry, or owner',
  hall: 'test harness',
  desk: 'store, or test context',
  shelf: 'store',
  workshop: 'test harness',
  crew: 'pool',
  studio: 'generator',
  bell: 'notification menu',
  house: 'product, or domain',
  neighbour: 'adjacent element, or sibling',
  deaf: 'stalled',
  patience: 'timeout, or retry budget',
  patiently: 'with retries',
  impatience: 'second request',
  nobody: 'no one, or name the subject',
  somebody: 'another person, or name the subject',
  mend: 'fix',
};

/** Phrases that say less than the standard term. */
const PHRASES: readonly { pattern: RegExp; use: string }[] = [
  { pattern: phrase('by (?:itself|themselves)'), use: 'automatically' },
  { pattern: phrase('for ever'), use: 'permanently, or forever' },
  { pattern: phrase('(?:goes|go|went) on'), use: 'continues' },
  { pattern: phrase('(?:stands|stood)(?! for)'), use: 'is, or exists' },
  { pattern: phrase('(?:is|are|was|were) there(?! (?:a|an|any|no)\\b)'), use: 'exists' },
  { pattern: phrase('(?:take|takes|taken|took) back'), use: 'undo, revoke, or reclaim' },
  { pattern: phrase('fell silent'), use: 'stopped responding' },
  { pattern: phrase('what was left'), use: 'name the subject' },
  { pattern: phrase('(?:look|looks|looked|looking) at'), use: 'check, read, or inspect' },
];

/** A phrase may continue on the next line of a comment. */
function phrase(words: string): RegExp {
  return new RegExp(`\\b${words.replaceAll(' ', '(?:\\s|\\*|//|#)+')}\\b`, 'giu');
}

const METAPHOR = new RegExp(`^(?:${Object.keys(METAPHORS).join('|')})(?:s|es|ed|ing)?$`, 'u');
const PLURALS = new Map([['shelves', 'shelf']]);

/** Texts that the specification or another system fixes, and this list. */
const EXCEPTIONS: readonly { file: RegExp; word?: RegExp; reason: string }[] = [
  { file: /^tools\/checks\/src\/words/, reason: 'contains the list' },
  { file: /^libs\/persistence\/src\/migrations\//, reason: 'a landed migration never changes' },
  { file: /^(package-lock\.json|LICENSE)$/, reason: 'is not written here' },
  {
    file: /^tools\/simulators\/src\/(reddit\/(seed|comments)|language|instagram)/,
    reason: 'contains texts of invented people and of the Graph API',
  },
  { file: /^CHANGELOG\.md$/, word: /^rooms$/, reason: 'is the former name of a field' },
  { file: /^apps\/console\/src\/app\//, word: /^Bell$/, reason: 'is part of the name of an icon' },
  { file: /^libs\/(llm|domain)\/src\/.*\.spec\.ts$|unattended\.int\.spec\.ts$/, reason: 'contains captions of models and stored texts' },
  { file: /^(libs\/embedded-postgres|tools\/local)\/src\//, word: /^nobody$/, reason: 'is the name of an account of the operating system' },
];

const TEXT_FILE = /\.(ts|tsx|mjs|cjs|js|md|ya?ml|tpl|txt|css|html|example|env|sh|Dockerfile)$|^\.ci\/run$/;

export const words = {
  name: 'words',
  async run(root: string): Promise<Violation[]> {
    return trackedTexts(root).flatMap(wordViolations);
  },
};

/** Metaphors and empty phrases of one file, each with its line. */
export function wordViolations({ path: file, text }: SourceFile): Violation[] {
  const exceptions = EXCEPTIONS.filter((exception) => exception.file.test(file));
  const isExcepted = (word: string): boolean => exceptions.some((exception) => exception.word?.test(word) ?? true);
  const violation = (at: number, word: string, use: string): Violation => ({
    file: `${file}:${text.slice(0, at).split('\n').length}`,
    rule: `"${word.replaceAll(/\s+/gu, ' ')}" is not a term of the field`,
    fix: `Write: ${use}.`,
  });
  // a word of an identifier counts as well: `messageRoom`, `ROOM_NAME`, `room-name`
  const singles = [...text.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/gu)].flatMap(({ 0: word, index }) => {
    const stem = stemOf(word.toLowerCase());
    return stem === null || isExcepted(word) ? [] : [violation(index, word, METAPHORS[stem] ?? '')];
  });
  const phrases = PHRASES.flatMap(({ pattern, use }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: found, index }) => (isExcepted(found) ? [] : [violation(index, found, use)])),
  );
  return [...singles, ...phrases];
}

function stemOf(word: string): string | null {
  const irregular = PLURALS.get(word);
  if (irregular !== undefined) return irregular;
  if (!METAPHOR.test(word)) return null;
  return Object.keys(METAPHORS).find((stem) => word.startsWith(stem)) ?? null;
}

function trackedTexts(root: string): SourceFile[] {
  const { status, stdout, stderr } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`git does not list the files:\n${stderr}`);
  return stdout
    .split('\0')
    .filter((file) => TEXT_FILE.test(file) && fs.existsSync(path.join(root, file)))
    .map((file) => ({ path: file, text: fs.readFileSync(path.join(root, file), 'utf8') }));
}
