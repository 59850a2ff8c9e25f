import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { runTool, type Violation } from './check';

const COMPILER = 'node_modules/ts7/bin/tsc';
const KNIP = 'node_modules/knip/bin/knip.js';
const ESLINT = 'node_modules/eslint/bin/eslint.js';
const LINT_TEXTS = 'tools/checks/src/lint-texts.mjs';
const NX = 'node_modules/nx/dist/bin/nx.js';
const PRETTIER = 'node_modules/prettier/bin/prettier.cjs';

/**
 * Checks the types of every project. Projects with the default settings are checked as one program, which costs a tenth of checking each
 * alone; the console has settings of its own.
 */
export const types = {
  name: 'types',
  async run(root: string): Promise<Violation[]> {
    const projects = ['apps', 'libs', 'tools'].flatMap((kind) => fs.readdirSync(path.join(root, kind)).map((name) => `${kind}/${name}`));
    const withCode = projects.filter((project) => fs.existsSync(path.join(root, project, 'tsconfig.json')));
    const plain = withCode.filter((project) => hasDefaultSettings(path.join(root, project, 'tsconfig.json')));
    const together = path.join(root, '.nx/checks.tsconfig.json');
    fs.mkdirSync(path.dirname(together), { recursive: true });
    fs.writeFileSync(
      together,
      JSON.stringify({ extends: '../tsconfig.base.json', include: plain.map((project) => `../${project}/src/**/*.ts`) }),
    );
    const own = withCode.filter((project) => !plain.includes(project)).map((project) => path.join(root, project, 'tsconfig.json'));
    const results = [];
    for (const file of [together, ...own]) results.push(await runTool(root, COMPILER, ['-p', file, '--pretty', 'false']));
    return results.flatMap(({ code, output }) => readTypeErrors(code, output));
  },
};

function hasDefaultSettings(file: string): boolean {
  const settings = JSON.parse(fs.readFileSync(file, 'utf8')) as { compilerOptions?: unknown; include?: string[] };
  return settings.compilerOptions === undefined && settings.include?.length === 1;
}

function readTypeErrors(code: number, output: string): Violation[] {
  const found = [...output.matchAll(/^(.+?)\((\d+),\d+\): error (TS\d+): (.+)$/gm)].map(([, file, line, number, text]) => ({
    file: `${file}:${line}`,
    rule: `${number} ${text}`,
    fix: 'Make the types agree.',
  }));
  return code !== 0 && found.length === 0 ? [{ file: 'tsconfig', rule: output.trim(), fix: 'See the output of the compiler.' }] : found;
}

/** The rule on module boundaries reads Nx's cached project graph and passes without one, so the graph is created first. */
export async function refreshProjectGraph(root: string): Promise<void> {
  const { code, output } = await runTool(root, NX, ['graph', '--file=.nx/graph.json']);
  if (code !== 0) throw new Error(`The project graph cannot be created:\n${output}`);
}

/** One process each: ESLint keeps the types of every project that it has seen, and of all together they exceed the heap of Node. */
const LINTED = [['apps'], ['libs'], ['.', '--ignore-pattern', 'apps', '--ignore-pattern', 'libs']];

export const lint = {
  name: 'lint',
  async run(root: string): Promise<Violation[]> {
    await refreshProjectGraph(root);
    const found: Violation[] = [];
    for (const files of LINTED) found.push(...readLintResults(root, await runTool(root, ESLINT, ['--format', 'json', ...files])));
    return found;
  },
};

/** Lints each text as the content of its file, in one process. Rules that need types are off, because they load the whole project of a file. */
export const lintTexts = async (root: string, texts: readonly { file: string; text: string }[]): Promise<Violation[]> =>
  readLintResults(root, await runTool(root, LINT_TEXTS, [], JSON.stringify(texts)));

interface LintResult {
  filePath: string;
  messages: { ruleId: string | null; message: string; line?: number }[];
}

function readLintResults(root: string, { code, output }: { code: number; output: string }): Violation[] {
  const start = output.indexOf('[{');
  if (code > 1 || start === -1) throw new Error(`ESLint did not run:\n${output}`);
  if (output.includes('No cached ProjectGraph'))
    throw new Error('ESLint ran without the project graph, so module boundaries were not checked.');
  const results = JSON.parse(output.slice(start, output.lastIndexOf(']') + 1)) as LintResult[];
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ ruleId, message, line }) => ({
      file: `${filePath.replace(`${root}/`, '')}:${line ?? 1}`,
      rule: ruleId ?? 'lint',
      fix: message.split('\n')[0] ?? message,
    })),
  );
}

const FORMATTED = ['apps', 'libs', 'tools', 'docker', 'charts', 'k8s', 'docs', '*.{json,mjs,md,yaml,yml}'];

export const format = {
  name: 'format',
  async run(root: string): Promise<Violation[]> {
    const { output } = await runTool(root, PRETTIER, [
      '--list-different',
      '--ignore-unknown',
      '--no-error-on-unmatched-pattern',
      ...FORMATTED,
    ]);
    return output
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((file) => ({ file, rule: 'formatted by prettier', fix: `npx prettier --write ${file}` }));
  },
};

/** Files and packages that nothing imports, and exports that no other file uses; `knip.json` lists the programs where imports begin. */
export const unused = {
  name: 'unused',
  async run(root: string): Promise<Violation[]> {
    const { code, output } = await runTool(root, KNIP, ['--no-progress', '--no-config-hints', '--reporter', 'json']);
    const start = output.indexOf('{"issues"');
    if (code > 1 || start === -1) throw new Error(`knip did not run:\n${output}`);
    const { issues } = JSON.parse(output.slice(start)) as { issues: ({ file: string } & Record<string, unknown>)[] };
    return issues.flatMap(({ file, owners: _owners, ...kinds }) =>
      Object.entries(kinds).flatMap(([kind, found]) =>
        (found as { name: string; line?: number }[]).map(({ name, line }) => ({
          file: line === undefined ? file : `${file}:${line}`,
          rule: `no ${kind} without a user: ${name}`,
          fix: 'Remove it or its "export", or name the program that starts it in knip.json.',
        })),
      ),
    );
  },
};

const COMMITLINT = 'node_modules/@commitlint/cli/cli.js';
/** Older commits were checked when they were new. */
const CHECKED_COMMITS = 50;

/** The messages of the newest commits, for those that were made without the git hook. */
export const commits = {
  name: 'commits',
  async run(root: string): Promise<Violation[]> {
    const { status, stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error('git does not count the commits.');
    const depth = Math.min(CHECKED_COMMITS, Number(stdout) - 1);
    if (depth < 1) return [];
    const { code, output } = await runTool(root, COMMITLINT, ['--from', `HEAD~${depth}`, '--to', 'HEAD', '--color', 'false']);
    return code === 0 ? [] : [{ file: 'git log', rule: output.trim(), fix: 'Write type(scope): imperative summary.' }];
  },
};
