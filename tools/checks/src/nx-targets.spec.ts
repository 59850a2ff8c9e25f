import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

/** Prints the commands of all targets, as Nx infers them. */
const SCRIPT = `
  import { createNodesV2 } from './tools/nx/targets.mjs';
  const [, infer] = createNodesV2;
  const found = infer(JSON.parse(process.argv[1]), {}, { workspaceRoot: process.cwd() });
  const projects = found.flatMap(([, { projects }]) => Object.values(projects));
  console.log(JSON.stringify(projects.flatMap(({ root, targets }) => Object.values(targets).map((target) => [target.options?.cwd ?? '.', target.command]))));
`;

it('the targets of every project run scripts that exist', () => {
  const files = ['apps', 'libs', 'tools'].flatMap((group) =>
    fs.readdirSync(path.join(ROOT, group)).map((name) => `${group}/${name}/project.json`),
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', SCRIPT, JSON.stringify(files)], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const commands = JSON.parse(stdout) as [cwd: string, command: string][];
  expect(commands.length).toBeGreaterThan(100);
  const scripts = commands.map(([cwd, command]) => path.join(ROOT, cwd, command.split(' ')[1] ?? ''));
  expect([...new Set(scripts)].filter((script) => !fs.existsSync(script))).toEqual([]);
});
