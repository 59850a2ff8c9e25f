import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import fs from 'node:fs';
import { readProcessSettings } from '@autoposter/config';
import { freePort } from '@autoposter/testkit';
import { tell } from '../bench';

export interface BenchRedis {
  pid: number;
  port: number;
  version: string;
  stop(): Promise<void>;
}

/** How each package manager brings `redis-server`; the first one found is used. */
const MANAGERS = [
  {
    program: 'apt-get',
    commands: [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', 'redis-server'],
    ],
  },
  { program: 'dnf', commands: [['install', '-y', '-q', 'redis']] },
  { program: 'apk', commands: [['add', '--quiet', 'redis']] },
  { program: 'brew', commands: [['install', '--quiet', 'redis']] },
];

/** A Redis that keeps nothing on disk, on a port of its own. `null`, with words, where the machine has none and none can be fetched. */
export async function startRedis(): Promise<BenchRedis | null> {
  const program = onPath('redis-server') ?? fetchRedis();
  if (program === null) return null;
  const port = await freePort();
  const server = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp'], {
    stdio: 'ignore',
  });
  const endNow = (): void => void server.kill('SIGKILL');
  process.on('exit', endNow);
  const gone = once(server, 'exit');
  await answers(port);
  const version = /v=(\S+)/u.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? 'unknown';
  return {
    pid: server.pid ?? 0,
    port,
    version,
    stop: async () => {
      process.off('exit', endNow);
      server.kill('SIGTERM');
      await gone;
    },
  };
}

function fetchRedis(): string | null {
  const manager = MANAGERS.find(({ program }) => onPath(program) !== null);
  const asRoot = process.getuid?.() === 0 || manager?.program === 'brew';
  const words = manager?.commands.map((args) => [manager.program, ...args].join(' ')).join(' && ');
  if (manager === undefined || !asRoot) {
    tell(`redis-server is missing, BullMQ is left out; to have it: ${words === undefined ? 'install redis-server' : `sudo ${words}`}`);
    return null;
  }
  tell(`redis-server is missing, installing it: ${words}`);
  for (const args of manager.commands) {
    const done = spawnSync(manager.program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (done.status !== 0) {
      tell('redis-server could not be installed, BullMQ is left out');
      return null;
    }
  }
  return onPath('redis-server');
}

function onPath(name: string): string | null {
  const files = readProcessSettings()
    .path.split(path.delimiter)
    .filter(Boolean)
    .map((folder) => path.join(folder, name));
  return files.find((file) => fs.existsSync(file)) ?? null;
}

async function answers(port: number): Promise<void> {
  for (const until = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const there = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
      socket.once('error', () => resolve(false));
    });
    if (there) return;
    if (Date.now() > until) throw new Error('redis-server did not come up');
  }
}
