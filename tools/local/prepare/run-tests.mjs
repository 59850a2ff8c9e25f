import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ensureProgram } from './install-programs.mjs';
import { ensurePackages } from './packages.mjs';
import { inRoot, ROOT } from './paths.mjs';
import { findBrowser, findMediaTools } from './programs.mjs';
import { takeLock } from './single-run.mjs';
import { closingLine, readResult } from './test-result.mjs';
import { PlainStop, say } from './terminal.mjs';

/** Parts of `npm test`. Containers and browsers want the machine for themselves, so those parts run one file after the other. */
export const PARTS = {
  unit: { args: ['--selectProjects', 'node', 'console', '--maxWorkers=2', '--workerIdleMemoryLimit=800MB'], needsBrowser: false },
  int: { args: ['--selectProjects', 'int', '--maxWorkers=1'], needsBrowser: false },
  e2e: { args: ['--config', 'tools/e2e/jest.config.mjs', '--maxWorkers=1'], needsBrowser: true },
};

/** `node tools/local/test.mjs [--part unit|int|e2e] [PATTERN]`: the last line is `N passed, N failed`. */
export async function runTests(argv, env) {
  const { parts, rest } = readArguments(argv);
  const folder = inRoot('.autoposter/test');
  const lock = takeLock(path.join(folder, 'lock'));
  if (typeof lock !== 'function') throw new PlainStop(`Tests are already running here as process ${lock.pid}; wait for them or end them.`);
  try {
    await ensurePackages(env);
    const tools = await ensureProgram('ffmpeg', findMediaTools, { argv, env });
    const own = { ...env, FFMPEG_PATH: tools.ffmpeg, FFPROBE_PATH: tools.ffprobe, DATA_DIR: path.join(folder, 'data'), PORT: '' };
    if (parts.some((part) => PARTS[part].needsBrowser)) own.CHROME_PATH = await ensureProgram('browser', findBrowser, { argv, env });
    const results = [];
    for (const part of parts) results.push(await runPart(part, rest, own, folder));
    return conclude(results, { ci: env.CI === 'true' });
  } finally {
    lock();
  }
}

export function readArguments(argv) {
  const at = argv.indexOf('--part');
  const asked = at === -1 ? Object.keys(PARTS) : [argv[at + 1]];
  if (asked.some((part) => !Object.hasOwn(PARTS, part ?? ''))) {
    throw new PlainStop(`Unknown part ${asked.join(' ')}; known are ${Object.keys(PARTS).join(', ')}.`, 2);
  }
  const rest = argv.filter((word, index) => word !== '--yes' && (at === -1 || (index !== at && index !== at + 1)));
  return { parts: asked, rest };
}

async function runPart(part, rest, env, folder) {
  say(`\n── ${part} ──`);
  const file = path.join(folder, `${part}.json`);
  fs.rmSync(file, { force: true });
  const { args } = PARTS[part];
  const jest = inRoot('node_modules/jest/bin/jest.js');
  const code = await run([jest, ...args, '--json', `--outputFile=${file}`, '--passWithNoTests', ...rest], env);
  return readResult(part, fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null, code, ROOT);
}

/** Jest's progress goes to the terminal; its JSON on stdout is dropped, because the file has it. */
function run(args, env) {
  const child = spawn(process.execPath, ['--enable-source-maps', ...args], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 2] });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // Ctrl-C reaches Jest by itself; we stay to say how it ended
  process.on('SIGINT', () => undefined);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function conclude(results, { ci }) {
  for (const { part, skippedSuites } of results) {
    for (const suite of skippedSuites) say(`skipped (${part}): ${suite}`);
  }
  const { line, failed } = closingLine(results, { ci });
  process.stdout.write(`${line}\n`);
  return failed > 0 ? 1 : 0;
}
