import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { checkNode } from './prepare/node-version.mjs';
import { inRoot, ROOT } from './prepare/paths.mjs';
import { PlainStop, runEntry } from './prepare/terminal.mjs';

/** Commands that are one bundled program: what `npm run <name>` starts and whether it works with media files. */
const PROGRAMS = {
  checks: { place: 'tools/checks', media: false },
  trial: { place: 'tools/trials', media: true },
  bench: { place: 'tools/bench', media: true },
};
/** Commands that are a script of their own. */
const SCRIPTS = { images: 'docker/build.mjs', chart: 'charts/check.mjs' };

await runEntry(async () => {
  checkNode();
  const [command = '', ...argv] = process.argv.slice(2);
  if (['migrate', 'memory', 'env-example'].includes(command)) return launcherCommand(command, argv);
  if (command === 'prepare') return prepare(argv);
  const { ensurePackages } = await import('./prepare/packages.mjs');
  await ensurePackages(process.env);
  if (PROGRAMS[command]) return runProgram(PROGRAMS[command], argv);
  if (SCRIPTS[command]) return runScript(SCRIPTS[command], argv);
  const known = [...Object.keys(PROGRAMS), ...Object.keys(SCRIPTS), 'prepare', 'migrate', 'memory', 'env-example'].join(', ');
  throw new PlainStop(`Unknown command ${command || '(none)'}; known are ${known}.`, 2);
});

/** Fetches everything that any command may need: packages, ffmpeg, a browser. */
async function prepare(argv) {
  const { ensurePackages } = await import('./prepare/packages.mjs');
  const { ensureProgram } = await import('./prepare/install-programs.mjs');
  const { findBrowser, findMediaTools } = await import('./prepare/programs.mjs');
  await ensurePackages(process.env);
  const tools = await ensureProgram('ffmpeg', findMediaTools, { argv, env: process.env });
  const browser = await ensureProgram('browser', findBrowser, { argv, env: process.env });
  process.stdout.write(`${tools.ffmpeg}\n${tools.ffprobe}\n${browser}\n`);
}

async function launcherCommand(command, argv) {
  const { loadLauncher } = await import('./prepare/run-product.mjs');
  const { readDotEnv } = await import('./prepare/dot-env.mjs');
  const launcher = await loadLauncher(process.env);
  if (command === 'env-example') return fs.writeFileSync(inRoot('.env.example'), launcher.envExample());
  if (command === 'memory') return launcher.printMemory({ mode: argv.includes('--live') ? 'start' : 'demo', env: process.env, root: ROOT });
  return launcher.migrateCommand({ env: { ...readDotEnv(process.env), ...process.env }, root: ROOT });
}

/** Trials and benchmarks start the services as processes, so all bundles are made fresh first. */
async function runProgram({ place, media }, argv) {
  const { bundle, everyPlace, hasEntry } = await import('./bundle.mjs');
  if (!hasEntry(place)) throw new PlainStop(`${place} has no src/main.ts in this checkout.`);
  const env = { ...process.env };
  if (media) {
    const { ensureProgram } = await import('./prepare/install-programs.mjs');
    const { findMediaTools } = await import('./prepare/programs.mjs');
    const tools = await ensureProgram('ffmpeg', findMediaTools, { argv, env });
    Object.assign(env, { FFMPEG_PATH: tools.ffmpeg, FFPROBE_PATH: tools.ffprobe });
  }
  await bundle(media ? everyPlace() : [place]);
  return runNode(inRoot('dist', place, 'main.cjs'), argv, env);
}

function runScript(script, argv) {
  if (!fs.existsSync(inRoot(script))) throw new PlainStop(`${script} is not in this checkout.`);
  return runNode(inRoot(script), argv, process.env);
}

/** A signal for us goes on to the program; its exit code becomes ours. */
function runNode(file, argv, env) {
  const child = spawn(process.execPath, ['--enable-source-maps', file, ...argv], { cwd: ROOT, env, stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
