import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });

/** Calls a generator on the files of the workspace and prints the files that it would write: a tenth of the time of Nx's command. */
const SCRIPT = `
  import fs from 'node:fs';
  import * as generators from './tools/nx/generators.mjs';
  const written = new Map();
  const tree = {
    exists: (file) => written.has(file) || fs.existsSync(file),
    read: (file) => written.get(file) ?? fs.readFileSync(file, 'utf8'),
    write: (file, text) => written.set(file, text),
  };
  const [name, options] = JSON.parse(process.argv[1]);
  await generators[name](tree, options);
  console.log([...written.keys()].join(' '));
`;
const generate = (name: string, options: object) => node('--input-type=module', '--eval', SCRIPT, JSON.stringify([name, options]));

/** A generator fails when a file no longer has the place that it extends. */
describe('generators', () => {
  it.each([
    [
      'resource',
      'planted-posts',
      ['libs/contracts/src/api/planted-posts.api.ts', 'apps/gateway/src/planted-posts/planted-posts.service.ts', 'app.module.ts'],
    ],
    ['screen', 'planted-posts', ['apps/console/src/screens/planted-posts/planted-posts.screen.tsx', 'router.tsx']],
  ])('find every place that a new %s extends', (generator, name, files) => {
    const { status, stdout, stderr } = generate(generator, { name });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    for (const file of files) expect(stdout).toContain(file);
  });

  it('find every place that a new stage extends, as a command of Nx with its defaults', () => {
    const { status, stdout, stderr } = node('node_modules/nx/dist/bin/nx.js', 'g', './tools/nx:stage', 'planted', '--dry-run');
    expect({ status, stderr }).toMatchObject({ status: 0 });
    for (const file of ['apps/ai-worker/src/planted/planted.stage.ts', 'stage-catalogue.ts', 'values.yaml', 'migrations.ts'])
      expect(stdout).toContain(file);
  });

  it('refuse a stage after the last item stage', () => {
    const { status, stderr } = generate('stage', { name: 'planted', app: 'ai-worker', after: 'ai' });
    expect(status).not.toBe(0);
    expect(stderr).toContain('must be an item stage other than the last one');
  });

  it.each([
    ['stage', { name: 'dmca', app: 'ai-worker', after: 'download' }, 'already contains a stage dmca'],
    ['resource', { name: 'content' }, 'libs/contracts/src/api/content.api.ts exists already'],
    ['screen', { name: 'urls' }, 'apps/console/src/screens/urls/urls.screen.tsx exists already'],
  ])('refuse a %s that exists, and overwrite nothing', (generator, options, message) => {
    const { status, stderr } = generate(generator, options);
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
  });

  it('are all registered in Nx', () => {
    const file = fs.readFileSync(path.join(ROOT, 'tools/nx/generators.json'), 'utf8');
    const { generators } = JSON.parse(file) as { generators: Record<string, { factory: string }> };
    expect(Object.entries(generators).map(([name, { factory }]) => [name, factory])).toEqual(
      ['stage', 'resource', 'screen'].map((name) => [name, `./generators.mjs#${name}`]),
    );
  });
});
