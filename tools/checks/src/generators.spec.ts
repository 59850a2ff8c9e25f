import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });

type Options = Record<string, string>;
const EXTENDING: readonly [generator: string, name: string, files: readonly string[]][] = [
  [
    'resource',
    'planted-posts',
    ['libs/contracts/src/api/planted-posts.api.ts', 'apps/gateway/src/planted-posts/planted-posts.service.ts', 'app.module.ts'],
  ],
  ['screen', 'planted-posts', ['apps/console/src/screens/planted-posts/planted-posts.screen.tsx', 'router.tsx']],
];
const REFUSED: readonly [generator: string, options: Options, message: string][] = [
  ['stage', { name: 'planted', app: 'ai-worker', after: 'ai' }, 'must be an item stage other than the last one'],
  ['stage', { name: 'dmca', app: 'ai-worker', after: 'download' }, 'already contains a stage dmca'],
  ['resource', { name: 'content' }, 'libs/contracts/src/api/content.api.ts exists already'],
  ['screen', { name: 'urls' }, 'apps/console/src/screens/urls/urls.screen.tsx exists already'],
];

/** Calls generators on the files of the workspace and prints the files that each would write, or why not: a tenth of the time of Nx's command. */
const SCRIPT = `
  import fs from 'node:fs';
  import * as generators from './tools/nx/generators.mjs';
  const outcomes = [];
  for (const [name, options] of JSON.parse(process.argv[1])) {
    const written = new Map();
    const tree = {
      exists: (file) => written.has(file) || fs.existsSync(file),
      read: (file) => written.get(file) ?? fs.readFileSync(file, 'utf8'),
      write: (file, text) => written.set(file, text),
    };
    try {
      await generators[name](tree, options);
      outcomes.push({ written: [...written.keys()].join(' '), refused: '' });
    } catch (error) {
      outcomes.push({ written: [...written.keys()].join(' '), refused: error.message });
    }
  }
  console.log(JSON.stringify(outcomes));
`;

/** A generator fails when a file no longer has the place that it extends. */
describe('generators', () => {
  let outcomes: { written: string; refused: string }[];
  beforeAll(() => {
    const calls = [
      ...EXTENDING.map(([generator, name]) => [generator, { name }]),
      ...REFUSED.map(([generator, options]) => [generator, options]),
    ];
    const { status, stdout, stderr } = node('--input-type=module', '--eval', SCRIPT, JSON.stringify(calls));
    expect({ status, stderr }).toMatchObject({ status: 0 });
    outcomes = JSON.parse(stdout) as typeof outcomes;
  });

  it.each(EXTENDING.map((row, index) => [row[0], index, row[2]] as const))(
    'find every place that a new %s extends',
    (_generator, index, files) => {
      const { written, refused } = outcomes[index]!;
      expect(refused).toBe('');
      for (const file of files) expect(written).toContain(file);
    },
  );

  it.each(REFUSED.map(([generator, options, message], index) => [generator, options, message, EXTENDING.length + index] as const))(
    'refuse a %s of %j and write nothing: %s',
    (_generator, _options, message, index) => {
      expect(outcomes[index]).toEqual({ written: '', refused: expect.stringContaining(message) });
    },
  );

  it('find every place that a new stage extends, as a command of Nx with its defaults', () => {
    const { status, stdout, stderr } = node('node_modules/nx/dist/bin/nx.js', 'g', './tools/nx:stage', 'planted', '--dry-run');
    expect({ status, stderr }).toMatchObject({ status: 0 });
    for (const file of ['apps/ai-worker/src/planted/planted.stage.ts', 'stage-catalogue.ts', 'values.yaml', 'migrations.ts'])
      expect(stdout).toContain(file);
  });

  it('are all registered in Nx', () => {
    const file = fs.readFileSync(path.join(ROOT, 'tools/nx/generators.json'), 'utf8');
    const { generators } = JSON.parse(file) as { generators: Record<string, { factory: string }> };
    expect(Object.entries(generators).map(([name, { factory }]) => [name, factory])).toEqual(
      ['stage', 'resource', 'screen'].map((name) => [name, `./generators.mjs#${name}`]),
    );
  });
});
