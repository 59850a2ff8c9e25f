import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot, ROOT } from './prepare/paths.mjs';

/**
 * Bundles `apps/<x>` and `tools/<x>` (each with `src/main.ts`) into `dist/<place>/main.cjs`: the workspace's code in one file, packages
 * stay in node_modules. The tsconfig is explicit so that decorators emit metadata wherever a file lies.
 *
 *   node tools/local/bundle.mjs [--watch] [apps/gateway tools/simulators …]     (without a place: everything with a main.ts)
 *
 * `--watch` bundles again on every change and prints `{"changed":"apps/gateway"}` for a bundle that differs, `{"error":"…"}` for a
 * source that cannot be bundled.
 */
export async function bundle(places) {
  const { rolldown } = await import('rolldown');
  for (const place of places) {
    const { output: file, ...options } = optionsOf(place);
    const build = await rolldown(options.input);
    try {
      const { output } = await build.generate(options.generate);
      for (const part of output)
        writeIfChanged(path.join(path.dirname(file), part.fileName), part.type === 'chunk' ? part.code : part.source);
    } finally {
      await build.close();
    }
  }
  return places.map((place) => optionsOf(place).output);
}

async function watchPlaces(places) {
  const { watch } = await import('rolldown');
  const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
  for (const place of places) {
    const { input, generate, output } = optionsOf(place);
    const read = () => (fs.existsSync(output) ? fs.readFileSync(output, 'utf8') : '');
    let before = read();
    const watcher = watch({ ...input, output: { ...generate, dir: path.dirname(output) }, watch: { clearScreen: false } });
    watcher.on('event', async (event) => {
      if (event.code === 'ERROR') print({ error: String(event.error?.message ?? event.error) });
      if (event.code !== 'BUNDLE_END') return;
      const now = read();
      if (now !== before) print({ changed: place });
      before = now;
      await event.result.close();
    });
  }
}

/** The bundle of a project (`apps/gateway`), or of another program of a project (`tools/local/src/seed/fill-database.ts`). */
function optionsOf(place) {
  const isFile = place.endsWith('.ts');
  const output = isFile
    ? inRoot('dist', ...place.split('/').slice(0, 2), `${path.basename(place, '.ts')}.cjs`)
    : inRoot('dist', place, 'main.cjs');
  return {
    output,
    input: {
      input: isFile ? inRoot(place) : inRoot(place, 'src/main.ts'),
      cwd: ROOT,
      platform: 'node',
      tsconfig: inRoot('tsconfig.base.json'),
      external: isPackage,
      logLevel: 'warn',
    },
    generate: { format: 'cjs', keepNames: true, sourcemap: true, codeSplitting: false, entryFileNames: path.basename(output) },
  };
}

export const hasEntry = (place) => fs.existsSync(inRoot(place, 'src/main.ts'));

export const everyPlace = () =>
  ['apps', 'tools'].flatMap((kind) => fs.readdirSync(inRoot(kind)).map((name) => `${kind}/${name}`)).filter(hasEntry);

/** The compiler's runtime helpers are not an installed package, so they are bundled too. */
const BUNDLED = /^(\.|@autoposter\/|@oxc-project\/)/;
const isPackage = (id) => !BUNDLED.test(id) && !id.startsWith('\0') && !path.isAbsolute(id);

/** Replaces the file atomically: a running process may be reading the old one. */
function writeIfChanged(file, text) {
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, file);
}

/** The launcher bundles in a child process, because the bundler's memory would stay as long as the product runs. */
export function bundleInChildProcess(places) {
  const done = spawnSync(process.execPath, [inRoot('tools/local/bundle.mjs'), ...places], { cwd: ROOT, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`The programs could not be bundled:\n${done.stderr}`);
  return places.map((place) => optionsOf(place).output);
}

if (process.argv[1] && path.resolve(process.argv[1]) === inRoot('tools/local/bundle.mjs')) {
  const { runCommand } = await import('./prepare/command-line.mjs');
  await runCommand(async () => {
    const named = process.argv.slice(2).filter((word) => word !== '--watch');
    const places = named.length > 0 ? named : everyPlace();
    if (process.argv.includes('--watch')) return watchPlaces(places);
    for (const file of await bundle(places)) process.stdout.write(`${path.relative(ROOT, file)}\n`);
  });
}
