import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

interface Target {
  cwd: string;
  command: string;
  outputs: string[];
}

/** Prints all targets, as Nx infers them. */
const SCRIPT = `
  import { createNodesV2 } from './tools/nx/targets.mjs';
  const [, infer] = createNodesV2;
  const found = infer(JSON.parse(process.argv[1]), {}, { workspaceRoot: process.cwd() });
  const targets = found.flatMap(([, { projects }]) => Object.values(projects)).flatMap(({ targets }) => Object.values(targets));
  console.log(JSON.stringify(targets.map(({ options, command, outputs = [] }) => ({ cwd: options?.cwd ?? '.', command, outputs }))));
`;

let targets: Target[];
beforeAll(() => {
  const files = ['apps', 'libs', 'tools'].flatMap((group) =>
    fs.readdirSync(path.join(ROOT, group)).map((name) => `${group}/${name}/project.json`),
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', SCRIPT, JSON.stringify(files)], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  targets = JSON.parse(stdout) as Target[];
});

it('the targets of every project run scripts that exist', () => {
  expect(targets.length).toBeGreaterThan(100);
  const scripts = targets.map(({ cwd, command }) => path.join(ROOT, cwd, command.split(' ')[1] ?? ''));
  expect([...new Set(scripts)].filter((script) => !fs.existsSync(script))).toEqual([]);
});

it('the results of tests are kept with the cache, because `npm test` counts those of unchanged projects too', () => {
  const tests = targets.filter(({ command }) => command.includes('run.mjs test '));
  expect(tests.length).toBeGreaterThan(30);
  for (const { command, outputs } of tests) {
    const [, part, project] = /--part (\w+) --project ([\w-]+)/.exec(command) ?? [];
    expect(outputs).toEqual([`{workspaceRoot}/.autoposter/test/${project}/${part}.json`]);
  }
});
