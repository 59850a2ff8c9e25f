import fs from 'node:fs';
import path from 'node:path';
import { inRoot, ROOT } from './prepare/paths.mjs';

/**
 * Bundles `apps/<x>` and `tools/<x>` (each with `src/main.ts`) into `dist/<place>/main.cjs`: our own code in one file, packages stay in
 * node_modules. The tsconfig is named so that decorators keep their metadata wherever a file lies.
 *
 *   node tools/local/bundle.mjs [apps/gateway tools/simulators …]     (nothing named: all that exist)
 */
export async function bundle(places) {
  const { rolldown } = await import('rolldown');
  for (const place of places) {
    const input = inRoot(place, 'src/main.ts');
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
        entryFileNames: 'main.cjs',
      });
      for (const part of output) writeIfChanged(inRoot('dist', place, part.fileName), part.type === 'chunk' ? part.code : part.source);
    } finally {
      await build.close();
    }
  }
  return places.map((place) => inRoot('dist', place, 'main.cjs'));
}

export const hasEntry = (place) => fs.existsSync(inRoot(place, 'src/main.ts'));

export const everyPlace = () =>
  ['apps', 'tools'].flatMap((kind) => fs.readdirSync(inRoot(kind)).map((name) => `${kind}/${name}`)).filter(hasEntry);

const isPackage = (id) => !id.startsWith('.') && !path.isAbsolute(id) && !id.startsWith('@autoposter/');

/** A running process may be reading the old file: the new one takes its place in one step. */
function writeIfChanged(file, text) {
  if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, file);
}

if (process.argv[1] && path.resolve(process.argv[1]) === inRoot('tools/local/bundle.mjs')) {
  const { runEntry } = await import('./prepare/terminal.mjs');
  await runEntry(async () => {
    const asked = process.argv.slice(2);
    for (const file of await bundle(asked.length > 0 ? asked : everyPlace())) process.stdout.write(`${path.relative(ROOT, file)}\n`);
  });
}
