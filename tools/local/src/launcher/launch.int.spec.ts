import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { SERVICES } from '@autoposter/config';
import { isAlive } from '../../prepare/lock-file.mjs';
import { freePorts } from '../processes/free-port';
import type { RunState } from './run-state';

/** The launcher as a program with fake services: the tests cover starting, supervising and stopping. */
const ROOT = path.resolve(__dirname, '../../../..');
const LAUNCHER = path.join(ROOT, 'dist/tools/local/main.cjs');
const SERVICE = `
for (const port of [process.env.METRICS_PORT, process.env.PORT].filter(Boolean)) {
  const answer = port === process.env.PORT ? 'public' : 'management';
  require('node:http').createServer((request, response) => response.end(answer)).listen(Number(port), process.env.HOST);
}
process.on('SIGTERM', () => process.exit(0));
console.log('listening for ' + process.env.EVENT_BUS + ' on ' + process.env.HOST);
console.log('secrets: ' + ['JWT_SECRET', 'SEALING_KEY'].filter((name) => process.env[name]).join());
`;
const SIMULATORS = `
console.log(JSON.stringify({ ready: true, urls: { MEDIA_ORIGIN: 'http://127.0.0.1:1' }, credentials: { ADMIN_EMAILS: 'a@b.c' }, controlUrl: 'http://127.0.0.1:1' }));
setInterval(() => {}, 1000);
`;
const ENTRY = `
process.on('SIGUSR2', () => { throw new Error('a defect of the launcher'); });
require(process.argv[1])
  .launch({ mode: process.argv[3], argv: process.argv.slice(4), env: process.env, root: process.argv[2], print: (text) => process.stderr.write(text + '\\n') })
  .then((code) => (process.exitCode = code), (error) => { console.log(error.name === 'CommandError' ? error.message : error.stack); process.exitCode = 1; });
`;

interface Run {
  child: ChildProcess;
  output: () => string;
  code: Promise<number | null>;
}

const logOf = (name: string): string => fs.readFileSync(path.join(root, `.autoposter/demo/logs/${name}-out.log`), 'utf8');

let root: string;
let port: number;
let runs: Run[];

beforeAll(() => {
  const bundled = spawnSync(process.execPath, ['tools/local/bundle.mjs', 'tools/local', 'tools/local/src/seed/fill-database.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (bundled.status !== 0) throw new Error(bundled.stderr);
});

beforeEach(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'launch-'));
  fs.chmodSync(root, 0o755);
  for (const name of ['node_modules', 'tools']) fs.symlinkSync(path.join(ROOT, name), path.join(root, name));
  write('apps/console/index.html', '<p>The console</p>');
  for (const name of SERVICES) write(`dist/apps/${name}/main.cjs`, SERVICE);
  write('dist/tools/simulators/main.cjs', SIMULATORS);
  fs.mkdirSync(path.join(root, 'dist/tools/local'), { recursive: true });
  fs.symlinkSync(path.join(ROOT, 'dist/tools/local/fill-database.cjs'), path.join(root, 'dist/tools/local/fill-database.cjs'));
  port = (await freePorts(['gateway'], {})).gateway;
  runs = [];
});

afterEach(async () => {
  for (const { child, code } of runs) {
    child.kill('SIGTERM');
    await code;
  }
  fs.rmSync(root, { recursive: true });
});

it('starts every process once, restarts a crashed one, and leaves no process behind', async () => {
  const run = launch();
  const state = await whenReady(run);
  expect(state.processes.map(({ name }) => name)).toEqual(['postgres', 'simulators', ...SERVICES]);
  // the state is written just before the message
  await pollUntil(() => run.output().includes(`Autoposter is running at http://127.0.0.1:${port}`));
  expect(await (await fetch(state.address)).text()).toBe('public');
  expect(await (await fetch(`http://127.0.0.1:${state.ports['gateway-management']}/readyz`)).text()).toBe('management');

  const second = launch();
  expect(await second.code).toBe(1);
  expect(second.output()).toMatch(/^The demo is already running from .* as process \d+: stop it there with Ctrl-C.*\n$/);

  const worker = pidOf(state, 'ai-worker');
  process.kill(worker, 'SIGKILL');
  await pollUntil(() => (readState()?.processes ?? []).some(({ name, pid }) => name === 'ai-worker' && pid !== worker));
  expect(run.output()).toContain('ai-worker ended unexpectedly (signal SIGKILL) and restarts in 0.5 s');
  expect(logOf('ai-worker')).toContain('listening for postgres on 127.0.0.1');
  const secrets = SERVICES.map((name) => [name, /secrets: (.*)/u.exec(logOf(name))?.[1]]);
  expect(Object.fromEntries(secrets)).toEqual({
    gateway: 'JWT_SECRET',
    downloader: 'SEALING_KEY',
    'dmca-worker': '',
    'ai-worker': '',
    'instagram-poster': 'JWT_SECRET',
  });

  const all = readState()?.processes.map(({ pid }) => pid) ?? [];
  run.child.kill('SIGINT');
  expect(await run.code).toBe(0);
  expect(all.filter(isAlive)).toEqual([]);
  expect(readState()).toBeNull();
});

it('stops every process and exits with code 1 after an uncaught error', async () => {
  const run = launch();
  await whenReady(run);
  const all = readState()?.processes.map(({ pid }) => pid) ?? [];
  run.child.kill('SIGUSR2');
  expect(await run.code).toBe(1);
  expect(run.output()).toContain('fatal error; the process drains and ends: Error: a defect of the launcher');
  expect(all.filter(isAlive)).toEqual([]);
  expect(readState()).toBeNull();
});

it('cleans up after a killed launcher and keeps its data', async () => {
  const killed = launch();
  const before = await whenReady(killed);
  killed.child.kill('SIGKILL');
  await killed.code;
  expect(isAlive(pidOf(before, 'postgres'))).toBe(true);

  const next = launch();
  const after = await whenReady(next);
  expect(next.output()).toContain('Stopping the database server of a killed run.');
  expect(before.processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
  expect(after.databaseUrl).toBe(before.databaseUrl);
});

it('reports a taken port', async () => {
  const other = net.createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  const run = launch();
  expect(await run.code).toBe(1);
  expect(run.output()).toBe(
    `Port ${port} is taken by another program: end that one, or choose another port with PORT=3001 npm run demo.\n`,
  );
  other.close();
});

it('reports the output of a service that does not start', async () => {
  write('dist/apps/downloader/main.cjs', `console.error('REDDIT_API_URL must be an origin'); process.exit(1);`);
  const run = launch();
  expect(await run.code).toBe(1);
  expect(run.output()).toMatch(/downloader does not start:\nREDDIT_API_URL must be an origin/);
  expect(readState()).toBeNull();
});

it.each([
  ['the services', 'apps/gateway', 'Starting the services.'],
  ['the simulators', 'tools/simulators', 'Building the console.'],
])('stops while %s are starting', async (_what, place, words) => {
  write(`dist/${place}/main.cjs`, 'setInterval(() => {}, 1000);');
  const run = launch();
  await pollUntil(() => run.output().includes(words), run.output);
  run.child.kill('SIGINT');
  // what starts here would be waited for longer than a test may take
  expect(await run.code).toBe(0);
  expect(readState()).toBeNull();
});

it('keeps running when nobody reads its output any more, and stops with all processes', async () => {
  const run = launch();
  const worker = pidOf(await whenReady(run), 'ai-worker');
  run.child.stdout?.destroy();
  run.child.stderr?.destroy();
  process.kill(worker, 'SIGKILL');
  await pollUntil(() => (readState()?.processes ?? []).some(({ name, pid }) => name === 'ai-worker' && pid !== worker));
  const all = readState()?.processes.map(({ pid }) => pid) ?? [];
  run.child.kill('SIGTERM');
  expect(await run.code).toBe(0);
  expect(all.filter(isAlive)).toEqual([]);
});

it('removes the data of former runs with --reset', async () => {
  const first = launch();
  const { databaseUrl } = await whenReady(first);
  first.child.kill('SIGTERM');
  await first.code;
  write('.autoposter/demo/objects/kept', 'x');
  const anew = await whenReady(launch('--reset'));
  expect(anew.databaseUrl).not.toBe(databaseUrl);
  expect(fs.existsSync(path.join(root, '.autoposter/demo/objects'))).toBe(false);
});

it('develops with the console after the gateway alone had the public port', async () => {
  fs.rmSync(path.join(root, 'tools'));
  write('tools/local/bundle.mjs', 'setInterval(() => {}, 1000);');
  fs.symlinkSync(path.join(ROOT, 'tools/local/exit-with-launcher.cjs'), path.join(root, 'tools/local/exit-with-launcher.cjs'));
  const alone = launchAs('dev', 'gateway');
  expect((await whenReady(alone, 'dev')).ports.gateway).toBe(port);
  alone.child.kill('SIGTERM');
  await alone.code;
  const { address, ports } = await whenReady(launchAs('dev', 'gateway', 'console'), 'dev');
  expect(await (await fetch(address)).text()).toContain('The console');
  expect(await (await fetch(`http://127.0.0.1:${ports.gateway}`)).text()).toBe('public');
});

const launch = (...args: string[]): Run => launchAs('demo', ...args);

function launchAs(mode: 'demo' | 'dev', ...args: string[]): Run {
  const env = { PATH: process.env.PATH, HOME: root, PORT: String(port), FFMPEG_PATH: 'ffmpeg' };
  const child = spawn(process.execPath, ['-e', ENTRY, LAUNCHER, root, mode, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const run = { child, output: () => output, code: once(child, 'close').then(([code]) => code as number | null) };
  runs.push(run);
  return run;
}

async function whenReady(run: Run, mode = 'demo'): Promise<RunState> {
  await pollUntil(() => readState(mode)?.pid === run.child.pid && typeof readState(mode)?.readyAt === 'string', run.output);
  return readState(mode) as RunState;
}

function readState(mode = 'demo'): RunState | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(root, `.autoposter/${mode}/run/state.json`), 'utf8')) as RunState;
  } catch {
    return null;
  }
}

const pidOf = (state: RunState, wanted: string): number => state.processes.find(({ name }) => name === wanted)?.pid ?? 0;

function write(place: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(root, place)), { recursive: true });
  fs.writeFileSync(path.join(root, place), text);
}

async function pollUntil(condition: () => boolean, explain: () => string = () => ''): Promise<void> {
  for (const end = Date.now() + 40_000; !condition();) {
    if (Date.now() > end) throw new Error(`not within 40 s: ${condition.toString()}\n${explain()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
