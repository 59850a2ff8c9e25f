import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { checkNode, CommandError, runCommand } from './prepare/command-line.mjs';
import { inRoot, ROOT } from './prepare/paths.mjs';

/** Commands that are a bundled program, and whether that program needs the services and ffmpeg. */
const PROGRAMS = {
  checks: { place: 'tools/checks', media: false },
  trial: { place: 'tools/trials', media: true },
  bench: { place: 'tools/bench', media: true },
};
const SCRIPTS = { images: 'docker/build.mjs', chart: 'charts/check.mjs' };
const PRODUCT = ['demo', 'dev', 'start'];
const LAUNCHER = ['migrate', 'memory', 'env-example'];

await runCommand(async () => {
  checkNode();
  const [command = '', ...argv] = process.argv.slice(2);
  // nothing is imported before the version of Node is known: packages may be missing
  if (PRODUCT.includes(command)) return (await import('./prepare/run-product.mjs')).runProduct(command, argv, process.env);
  if (command === 'test') return (await import('./prepare/run-tests.mjs')).runTests(argv, process.env);
  if (LAUNCHER.includes(command)) return launcherCommand(command, argv);
  if (command === 'prepare') return prepare(argv);
  const { ensurePackages } = await import('./prepare/packages.mjs');
  await ensurePackages(process.env);
  if (PROGRAMS[command]) return runProgram(PROGRAMS[command], argv);
  if (SCRIPTS[command]) return runNode(inRoot(SCRIPTS[command]), argv, process.env);
  const known = [...PRODUCT, 'test', ...Object.keys(PROGRAMS), ...Object.keys(SCRIPTS), 'prepare', ...LAUNCHER].join(', ');
  throw new CommandError(`Unknown command ${command || '(none)'}; known are ${known}.`, 2);
});

/** Installs everything that any command may need: packages, ffmpeg, a browser. */
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
  const { loadLauncher, readDotEnv } = await import('./prepare/run-product.mjs');
  const launcher = await loadLauncher(process.env);
  if (command === 'env-example') return fs.writeFileSync(inRoot('.env.example'), launcher.envExample());
  if (command === 'memory') return launcher.printMemory({ mode: argv.includes('--live') ? 'start' : 'demo', env: process.env, root: ROOT });
  return launcher.migrateCommand({ env: { ...readDotEnv(process.env), ...process.env }, root: ROOT });
}

/** Trials and benchmarks start services as processes, so every program is bundled first. */
async function runProgram({ place, media }, argv) {
  const { bundle, everyPlace } = await import('./bundle.mjs');
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

/** Passes signals on to the program and resolves with its exit code. */
function runNode(file, argv, env) {
  const child = spawn(process.execPath, ['--enable-source-maps', file, ...argv], { cwd: ROOT, env, stdio: 'inherit' });
  // the terminal sends SIGINT to the program as well
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
