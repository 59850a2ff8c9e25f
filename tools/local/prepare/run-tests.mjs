import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureProgram } from './install-programs.mjs';
import { ensurePackages } from './packages.mjs';
import { inRoot, ROOT } from './paths.mjs';
import { findBrowser, findMediaTools } from './programs.mjs';
import { takeLock } from './lock-file.mjs';
import { CommandError, print } from './command-line.mjs';

/** Enough for the difference between two values and the line of the test; the whole message is where the test ran. */
const REASON_LINES = 40;

const NX = inRoot('node_modules/nx/dist/bin/nx.js');

/**
 * Parts of `npm test`: how Jest runs a part, and the Nx target of a part whose results depend on sources only, so that Nx may reuse them.
 * Integration tests share database servers, and wait for brokers and processes, so three workers keep two processors busy. Two browser
 * specs run at a time, each with a product of its own. A worker of Jest is replaced before its memory grows without bound.
 */
const PARTS = {
  unit: { target: 'test', args: ['--selectProjects', 'node', 'console', '--maxWorkers=2', '--workerIdleMemoryLimit=800MB'] },
  int: { args: ['--selectProjects', 'int', '--maxWorkers=3', '--workerIdleMemoryLimit=800MB'], sharesServers: true },
  e2e: { args: ['--config', 'tools/e2e/jest.config.mjs', '--maxWorkers=2'], needsBrowser: true },
};

/**
 * The arguments of Jest. Nx runs the unit tests of two projects at a time: one process for each, except for the console, whose specs take
 * as long as all others together. They wait for debounced input and closing dialogs, so three workers keep two processors busy.
 */
const argumentsOf = (part, project) =>
  part !== 'unit' || project === null
    ? PARTS[part].args
    : project === 'console'
      ? ['--selectProjects', 'console', '--maxWorkers=3', '--workerIdleMemoryLimit=800MB']
      : ['--selectProjects', 'node', '--runInBand'];

/**
 * `npm test -- [--part unit|int|e2e] [--project NAME | PATTERN]`: the last line is `N passed, N failed`. Without a project or
 * a pattern the unit tests run through Nx, which repeats only what changed.
 */
export async function runTests(argv, env) {
  const { parts, project, rest } = readArguments(argv);
  const folder = inRoot('.autoposter/test', project ?? '');
  const lock = takeLock(path.join(folder, 'lock'));
  if (typeof lock !== 'function') throw new CommandError(`Tests already run here as process ${lock.pid}: wait for them or stop them.`);
  try {
    await ensurePackages(env);
    const tools = await ensureProgram('ffmpeg', findMediaTools, { argv, env });
    const own = { ...env, FFMPEG_PATH: tools.ffmpeg, FFPROBE_PATH: tools.ffprobe, DATA_DIR: path.join(folder, 'data'), PORT: '' };
    if (parts.some((part) => PARTS[part].needsBrowser)) own.CHROME_PATH = await ensureProgram('browser', findBrowser, { argv, env });
    const results = [];
    for (const part of parts) {
      print(`\n── ${part} ──`);
      const usesNx = PARTS[part].target !== undefined && project === null && rest.length === 0;
      const ofPart = usesNx ? await runAllProjects(part, own) : [await runJest(part, project, rest, own)];
      // a whole part without any test is a defect of this command
      const isEmpty = project === null && rest.length === 0 && ofPart.every(({ passed, failed }) => passed + failed === 0);
      results.push(...(isEmpty ? [readResult(part, null, 1, ROOT)] : ofPart));
    }
    return conclude(results, { ci: env.CI === 'true' });
  } finally {
    lock();
  }
}

export function readArguments(argv) {
  const rest = argv.filter((word) => word !== '--yes');
  const part = takeOption(rest, '--part');
  const project = takeOption(rest, '--project');
  const parts = part === null ? Object.keys(PARTS) : [part];
  if (part !== null && !Object.hasOwn(PARTS, part)) {
    throw new CommandError(`Unknown part ${part}; known are ${Object.keys(PARTS).join(', ')}.`, 2);
  }
  return { parts, project, rest };
}

/** Removes `name VALUE` from the words and returns the value, `null` where the option is absent. */
function takeOption(words, name) {
  const at = words.indexOf(name);
  if (at === -1) return null;
  const [, value] = words.splice(at, 2);
  if (value === undefined) throw new CommandError(`${name} needs a value.`, 2);
  return value;
}

const resultFile = (project, part) => inRoot('.autoposter/test', project, `${part}.json`);

async function runAllProjects(part, env) {
  const { target } = PARTS[part];
  const projects = projectsWith(target, env);
  // none is removed here: Nx keeps the results of unchanged projects, and the run of a changed one begins by removing its own
  const code = await run([NX, 'run-many', '-t', target, '--parallel=2', '--outputStyle=stream'], env);
  const results = projects.map((project) => readResult(part, readJson(resultFile(project, part)), 0, ROOT));
  return code !== 0 && results.every(({ failed }) => failed === 0) ? [...results, readResult(part, null, code, ROOT)] : results;
}

function projectsWith(target, env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [NX, 'show', 'projects', '--with-target', target, '--json'], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Nx does not list the projects:\n${stderr}`);
  return JSON.parse(stdout);
}

async function runJest(part, project, rest, env) {
  const file = resultFile(project ?? '', part);
  fs.rmSync(file, { force: true });
  const only = project === null ? [] : [`/(apps|libs|tools)/${project}/`];
  const args = [...only, ...rest, ...argumentsOf(part, project), '--json', `--outputFile=${file}`, '--passWithNoTests'];
  const servers = PARTS[part].sharesServers ? await startSharedServers() : null;
  try {
    const code = await run(['--enable-source-maps', inRoot('node_modules/jest/bin/jest.js'), ...args], { ...env, ...servers?.env });
    return readResult(part, readJson(file), code, ROOT);
  } finally {
    await servers?.stop();
  }
}

async function startSharedServers() {
  const { bundleInChildProcess } = await import('../bundle.mjs');
  const [file] = bundleInChildProcess(['libs/testkit/src/postgres/shared-servers.ts']);
  return createRequire(import.meta.url)(file).startSharedServers();
}

const readJson = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null);

/** Progress goes to the terminal; JSON on stdout is dropped, because the file has it. */
function run(args, env) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', args[0] === NX ? 2 : 'ignore', 2] });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // Ctrl-C reaches the child directly; this process stays to report how it ended
  process.on('SIGINT', () => undefined);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * The result of one Jest run. A suite that does not load counts as one failure, and so does a run that ended with an error but reports
 * no failed test.
 */
export function readResult(part, json, code, root) {
  if (json === null) return { part, passed: 0, failed: 1, skippedSuites: [], failures: [] };
  const failed = json.numFailedTests + (json.numRuntimeErrorTestSuites ?? 0);
  const skippedSuites = json.testResults
    .filter(({ assertionResults }) => assertionResults.length > 0 && assertionResults.every(({ status }) => status === 'pending'))
    .map(({ name }) => path.relative(root, name));
  const failures = json.testResults.flatMap((suite) => failuresOf(suite, path.relative(root, suite.name)));
  return { part, passed: json.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed, skippedSuites, failures };
}

/** The failed tests of a suite, or the suite itself if it does not load: each with its reason, which Jest colours and follows by a stack. */
function failuresOf({ assertionResults, status, message }, file) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [{ name: file, reason: shortened(message ?? '') }] : [];
  return failed.map((test) => ({ name: `${file}: ${test.fullName}`, reason: shortened(test.failureMessages.join('\n')) }));
}

const shortened = (message) => stripVTControlCharacters(message).split('\n').slice(0, REASON_LINES).join('\n');

/** The last line of `npm test`. In CI a skipped container or browser suite is a failure. */
export function closingLine(results, { ci }) {
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const forbiddenSkips = results.filter(({ part }) => ci && part !== 'unit').flatMap(({ skippedSuites }) => skippedSuites);
  const failed = results.reduce((sum, result) => sum + result.failed, 0) + forbiddenSkips.length;
  return { line: `${passed} passed, ${failed} failed`, failed };
}

function conclude(results, { ci }) {
  for (const { part, skippedSuites, failures } of results) {
    for (const suite of skippedSuites) print(`skipped (${part}): ${suite}`);
    for (const { name, reason } of failures) print(`\nfailed (${part}): ${name}\n${reason.replace(/^/gm, '  | ')}`);
  }
  const { line, failed } = closingLine(results, { ci });
  process.stdout.write(`${line}\n`);
  return failed > 0 ? 1 : 0;
}
