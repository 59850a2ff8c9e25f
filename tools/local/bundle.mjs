import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot, ROOT } from './prepare/paths.mjs';

/**
 * Bundles `apps/<x>` and `tools/<x>` (each with `src/main.ts`) into `dist/<place>/main.cjs`: our own code in one file, packages stay in
 * node_modules. The tsconfig is named so that decorators keep their metadata wherever a file lies.
 *
 *   node tools/local/bundle.mjs [apps/gateway tools/simulators …]     (nothing named: all that exist)
 *
 * The launcher runs it as a process of its own: the bundler's memory would stay for as long as the product runs.
 */
export async function bundle(places) {
  const { rolldown } = await import('rolldown');
  for (const place of places) {
    const { input, output: file } = entryOf(place);
    const build = await rolldown({
      input,
      cwd: ROOT,
      platform: 'node',
      tsconfig: inRoot('tsconfig.base.json'),
      external: isPackage,
      logLevel: 'warn',
    });
    try {
      const { output } = await build.generate({
        format: 'cjs',
        keepNames: true,
        sourcemap: true,
        codeSplitting: false,
        entryFileNames: path.basename(file),
      });
      for (const part of output)
        writeIfChanged(path.join(path.dirname(file), part.fileName), part.type === 'chunk' ? part.code : part.source);
    } finally {
      await build.close();
    }
  }
  return places.map((place) => entryOf(place).output);
}

/** A project (`apps/gateway`), or one more program of a project (`tools/local/src/fill-database.ts`). */
function entryOf(place) {
  if (!place.endsWith('.ts')) return { input: inRoot(place, 'src/main.ts'), output: inRoot('dist', place, 'main.cjs') };
  const [kind, name] = place.split('/');
  return { input: inRoot(place), output: inRoot('dist', kind, name, `${path.basename(place, '.ts')}.cjs`) };
}

export const hasEntry = (place) => fs.existsSync(inRoot(place, 'src/main.ts'));

export const everyPlace = () =>
  ['apps', 'tools'].flatMap((kind) => fs.readdirSync(inRoot(kind)).map((name) => `${kind}/${name}`)).filter(hasEntry);

/** The compiler's own helpers are no package of ours; they go into the bundle. */
const BUNDLED = /^(\.|@autoposter\/|@oxc-project\/)/;
const isPackage = (id) => !BUNDLED.test(id) && !id.startsWith('\0') && !path.isAbsolute(id);

/** A running process may be reading the old file: the new one takes its place in one step. */
function writeIfChanged(file, text) {
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, file);
}

/** The same in a child process; returns the bundles' files. */
export function bundleApart(places) {
  const done = spawnSync(process.execPath, [inRoot('tools/local/bundle.mjs'), ...places], { cwd: ROOT, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`The programs could not be bundled:\n${done.stderr}`);
  return places.map((place) => entryOf(place).output);
}

if (process.argv[1] && path.resolve(process.argv[1]) === inRoot('tools/local/bundle.mjs')) {
  const { runEntry } = await import('./prepare/terminal.mjs');
  await runEntry(async () => {
    const asked = process.argv.slice(2);
    for (const file of await bundle(asked.length > 0 ? asked : everyPlace())) process.stdout.write(`${path.relative(ROOT, file)}\n`);
  });
}
