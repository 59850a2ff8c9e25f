import fs from 'node:fs';
import path from 'node:path';
import type { Offence } from './offence';
import { runTool } from './outside-tool';

const COMPILER = 'node_modules/ts7/bin/tsc';

/**
 * Checks the types of every project. Projects with the plain settings are checked as one program, which costs a tenth of checking each
 * alone; one with settings of its own (the console) is checked with them.
 */
export const types = {
  name: 'types',
  async run(root: string): Promise<Offence[]> {
    const projects = ['apps', 'libs', 'tools'].flatMap((kind) => fs.readdirSync(path.join(root, kind)).map((name) => `${kind}/${name}`));
    const withCode = projects.filter((project) => fs.existsSync(path.join(root, project, 'tsconfig.json')));
    const plain = withCode.filter((project) => isPlain(path.join(root, project, 'tsconfig.json')));
    const together = path.join(root, '.nx/checks.tsconfig.json');
    fs.mkdirSync(path.dirname(together), { recursive: true });
    fs.writeFileSync(
      together,
      JSON.stringify({ extends: '../tsconfig.base.json', include: plain.map((project) => `../${project}/src/**/*.ts`) }),
    );
    const own = withCode.filter((project) => !plain.includes(project)).map((project) => path.join(root, project, 'tsconfig.json'));
    const results = [];
    for (const file of [together, ...own]) results.push(await runTool(root, COMPILER, ['-p', file, '--pretty', 'false']));
    return results.flatMap(({ code, output }) => readErrors(code, output));
  },
};

function isPlain(file: string): boolean {
  const settings = JSON.parse(fs.readFileSync(file, 'utf8')) as { compilerOptions?: unknown; include?: string[] };
  return settings.compilerOptions === undefined && settings.include?.length === 1;
}

function readErrors(code: number, output: string): Offence[] {
  const found = [...output.matchAll(/^(.+?)\((\d+),\d+\): error (TS\d+): (.+)$/gm)].map(([, file, line, number, text]) => ({
    file: `${file}:${line}`,
    rule: `${number} ${text}`,
    fix: 'Make the types agree.',
  }));
  return code !== 0 && found.length === 0 ? [{ file: 'tsconfig', rule: output.trim(), fix: 'See the compiler’s words.' }] : found;
}
