import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT, tell, type BenchArguments, type BenchResult } from '../bench';
import { aboutMachine } from '../machine/about';
import { cpuOfTree } from '../machine/cpu-time';
import { startPostgres, type BenchPostgres } from '../machine/postgres';
import { startRedis, type BenchRedis } from '../machine/redis';
import { inWords, rounded, spreadOf, tableOf } from '../spread';
import { PeerChild, type Through } from './peer-child';
import { CHAIN, CONCURRENCY } from './peers/chain-peer';

const ITEMS = 300;
const ROUNDS = 3;
const WARM_UP = 60;
const PROGRAM = 'tools/bench/src/chain/peer-process.ts';

interface Measured {
  /** CPU milliseconds per item, of the side's own process and of its server. */
  own: number;
  server: number;
  itemsPerSecond: number;
}

interface Side {
  name: string;
  peer: string;
  server: 'PostgreSQL' | 'Redis';
  content: 'empty' | 'product';
}

const SIDES: readonly Side[] = [
  { name: 'Autoposter', peer: 'autoposter', server: 'PostgreSQL', content: 'product' },
  { name: 'BullMQ 6.7', peer: 'bullmq', server: 'Redis', content: 'empty' },
  { name: 'pg-boss 10.4', peer: 'pg-boss', server: 'PostgreSQL', content: 'empty' },
  { name: 'graphile-worker 0.17', peer: 'graphile-worker', server: 'PostgreSQL', content: 'empty' },
];

/** CPU time per item over four stages that do nothing, beside three job queues that do the same, in turn, in one run. */
export async function chain({ n, rounds }: BenchArguments): Promise<BenchResult> {
  const items = n ?? ITEMS;
  const turns = rounds ?? ROUNDS;
  const program = bundlePeer();
  const redis = hasRedisClient() ? await startRedis() : null;
  try {
    const postgres = await startPostgres();
    try {
      const sides = SIDES.filter(({ server }) => server !== 'Redis' || redis !== null);
      const leftOut = SIDES.filter((side) => !sides.includes(side)).map(({ name }) => name);
      const all = new Map(sides.map(({ name }) => [name, [] as Measured[]]));
      for (let round = 1; round <= turns; round += 1) {
        for (const side of sides) {
          const measured = await measure(side, { program, items, postgres, redis });
          tell(`round ${round}, ${side.name}: ${(measured.own + measured.server).toFixed(2)} CPU ms per item`);
          all.get(side.name)?.push(measured);
        }
      }
      return resultOf(all, { leftOut, items, rounds: turns, postgres: postgres.version, redis: redis?.version ?? null });
    } finally {
      await postgres.stop();
    }
  } finally {
    await redis?.stop();
  }
}

interface Place {
  program: string;
  items: number;
  postgres: BenchPostgres;
  redis: BenchRedis | null;
}

async function measure(side: Side, { program, items, postgres, redis }: Place): Promise<Measured> {
  const start = { peer: side.peer, databaseUrl: await postgres.freshDatabase(side.content), redisPort: redis?.port ?? 0 };
  const child = await PeerChild.start(program, start);
  const server = side.server === 'Redis' ? (redis?.pid ?? 0) : postgres.pid;
  try {
    correct(side, WARM_UP, await child.send(WARM_UP));
    const before = { own: cpuOfTree(child.pid), server: cpuOfTree(server) };
    const through = await child.send(items);
    const after = { own: cpuOfTree(child.pid), server: cpuOfTree(server) };
    correct(side, items, through);
    return {
      own: (after.own - before.own) / items,
      server: (after.server - before.server) / items,
      itemsPerSecond: items / through.seconds,
    };
  } finally {
    await child.end();
  }
}

/** Cheap and wrong is not cheap: every item went through every stage once, or nothing is told at all. */
function correct({ name }: Side, items: number, { runs, distinct }: Through): void {
  const wrong = CHAIN.filter((stage) => runs[stage] !== items);
  if (wrong.length > 0 || distinct !== items) {
    throw new Error(`${name}: ${distinct} of ${items} items came through, with ${JSON.stringify(runs)} runs per stage`);
  }
}

function resultOf(all: ReadonlyMap<string, readonly Measured[]>, about: Record<string, unknown>): BenchResult {
  const rows = [...all].map(([name, measured]) => ({
    name,
    total: spreadOf(measured.map(({ own, server }) => own + server)),
    own: spreadOf(measured.map(({ own }) => own)),
    server: spreadOf(measured.map(({ server }) => server)),
    itemsPerSecond: spreadOf(measured.map(({ itemsPerSecond }) => itemsPerSecond)),
  }));
  const ours = rows[0]?.total.median ?? 0;
  const head = ['four empty stages', 'CPU ms per item', 'own process', 'its server', 'items/s', 'ours ÷ theirs'];
  const lines = rows.map(({ name, total, own, server, itemsPerSecond }) => [
    name,
    inWords(total, 2),
    own.median.toFixed(2),
    server.median.toFixed(2),
    inWords(itemsPerSecond, 0),
    (ours / total.median).toFixed(2),
  ]);
  const sides = Object.fromEntries(
    rows.map(({ name, total, own, server, itemsPerSecond }) => [
      name,
      {
        cpuMsPerItem: rounded(total, 2),
        ownMsPerItem: rounded(own, 2),
        serverMsPerItem: rounded(server, 2),
        itemsPerSecond: rounded(itemsPerSecond, 0),
      },
    ]),
  );
  return { table: tableOf([head, ...lines]), facts: { ...about, concurrency: CONCURRENCY, sides, machine: aboutMachine() } };
}

/** BullMQ leaves the choice of its Redis client to whoever uses it. */
function hasRedisClient(): boolean {
  try {
    createRequire(path.join(ROOT, 'package.json')).resolve('ioredis');
    return true;
  } catch {
    tell('the package ioredis is missing, BullMQ is left out');
    return false;
  }
}

/** Each side is a process with a program of its own. */
function bundlePeer(): string {
  const made = spawnSync(process.execPath, ['tools/local/bundle.mjs', PROGRAM], { cwd: ROOT, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`the program of the sides could not be bundled: ${made.stderr}`);
  return path.join(ROOT, made.stdout.trim());
}
