import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import { type KafkaServer, noEngineReason, startKafka } from '@autoposter/testkit';
import { aboutMachine, type BenchArguments, type BenchResult, progress, ROOT } from '../bench';
import { cpuOfTree } from '../machine/cpu-time';
import { type BenchPostgres, type BenchRedis, type DatabaseWork, startPostgres, startRedis } from '../machine/servers';
import { formatSpread, rounded, spreadOf, tableOf } from '../spread';
import { CHAIN, type ChainRun, CONCURRENCY, type PeerCommand, type PeerMessage, type PeerStart } from './chain-peer';
import { PEERS_FOLDER } from './queue-peers';

const ITEMS = 300;
const ROUNDS = 3;
const WARM_UP = 60;
/** Maximum work of the database for one item in all four stages. */
const LIMITS: DatabaseWork = { statements: 8, transactions: 2, rowWrites: 28 };
const PROGRAM = 'tools/bench/src/chain/peer-process.ts';

interface Measured {
  /** CPU milliseconds per item of the peer's process and of its database server. */
  own: number;
  server: number;
  itemsPerSecond: number;
}

interface Side {
  name: string;
  peer: string;
  server: 'PostgreSQL' | 'Redis';
  /** Announces jobs through Kafka; the CPU time of the broker is not counted. */
  onKafka?: true;
  content: 'empty' | 'product';
}

const OURS: Side = { name: 'Autoposter', peer: 'autoposter', server: 'PostgreSQL', content: 'product' };
const SIDES: readonly Side[] = [
  OURS,
  { ...OURS, name: 'Autoposter, Kafka', onKafka: true },
  { name: 'BullMQ 6.7', peer: 'bullmq', server: 'Redis', content: 'empty' },
  { name: 'pg-boss 10.4', peer: 'pg-boss', server: 'PostgreSQL', content: 'empty' },
  { name: 'graphile-worker 0.17', peer: 'graphile-worker', server: 'PostgreSQL', content: 'empty' },
];

/** CPU time per item of four empty stages, compared with three job queues measured alternately in the same run. */
export async function chain({ n, rounds }: BenchArguments): Promise<BenchResult> {
  const items = n ?? ITEMS;
  const roundCount = rounds ?? ROUNDS;
  const program = bundlePeer();
  installPeers();
  const redis = await startRedis();
  const kafka = await startBroker();
  try {
    const postgres = await startPostgres();
    try {
      const sides = SIDES.filter(({ server, onKafka }) => (server !== 'Redis' || redis !== null) && (!onKafka || kafka !== null));
      const skipped = SIDES.filter((side) => !sides.includes(side)).map(({ name }) => name);
      const all = new Map(sides.map(({ name }) => [name, [] as Measured[]]));
      for (let round = 1; round <= roundCount; round += 1) {
        for (const side of sides) {
          const measured = await measure(side, { program, items, postgres, redis, kafka });
          progress(`round ${round}, ${side.name}: ${(measured.own + measured.server).toFixed(2)} CPU ms per item`);
          all.get(side.name)?.push(measured);
        }
      }
      const work = new Map<string, DatabaseWork>();
      for (const side of sides.filter(({ server }) => server === 'PostgreSQL')) {
        work.set(side.name, await countWork(side, { program, items, postgres, kafka }));
        progress(`${side.name}: ${JSON.stringify(work.get(side.name))} per item`);
      }
      const exceeded = exceededBy(work.get(OURS.name) ?? LIMITS);
      if (exceeded.length > 0) throw new Error(`Autoposter needs ${exceeded.join(', ')}`);
      return resultOf(all, work, {
        leftOut: skipped,
        items,
        rounds: roundCount,
        postgres: postgres.version,
        redis: redis?.version ?? null,
      });
    } finally {
      await postgres.stop();
    }
  } finally {
    await kafka?.stop();
    await redis?.stop();
  }
}

interface Setup {
  program: string;
  items: number;
  postgres: BenchPostgres;
  redis: BenchRedis | null;
  kafka: KafkaServer | null;
  /** By default a new one. */
  databaseUrl?: string;
}

export const measureAutoposter = (setup: Omit<Setup, 'redis' | 'kafka'>): Promise<Measured> =>
  measure(OURS, { ...setup, redis: null, kafka: null });

const brokersOf = ({ onKafka }: Side, kafka: KafkaServer | null) => (onKafka && kafka ? { brokers: kafka.brokers } : {});

async function measure(side: Side, { program, items, postgres, redis, kafka, ...given }: Setup): Promise<Measured> {
  const databaseUrl = given.databaseUrl ?? (await postgres.freshDatabase(side.content));
  const start = { peer: side.peer, databaseUrl, redisPort: redis?.port ?? 0, ...brokersOf(side, kafka) };
  const child = await PeerChild.start(program, start);
  const server = side.server === 'Redis' ? (redis?.pid ?? 0) : postgres.pid;
  try {
    assertComplete(side, WARM_UP, await child.run(WARM_UP));
    const before = { own: cpuOfTree(child.pid), server: cpuOfTree(server) };
    const result = await child.run(items);
    const after = { own: cpuOfTree(child.pid), server: cpuOfTree(server) };
    assertComplete(side, items, result);
    return {
      own: (after.own - before.own) / items,
      server: (after.server - before.server) / items,
      itemsPerSecond: items / result.seconds,
    };
  } finally {
    await child.exit();
  }
}

/** The work of the database per item. Measured in separate runs of two sizes, so that the work of the start is subtracted. */
async function countWork(side: Side, { program, items, postgres, kafka }: Omit<Setup, 'redis'>): Promise<DatabaseWork> {
  const databaseUrl = await postgres.freshDatabase(side.content);
  await postgres.countStatements(databaseUrl);
  const after = async (count: number): Promise<DatabaseWork> => {
    // polls depend on the time that the items take; with Kafka they also settle messages that arrive after their job has ended
    const polls = side.onKafka ? {} : { pollMs: 60_000 };
    const child = await PeerChild.start(program, { peer: side.peer, databaseUrl, redisPort: 0, ...polls, ...brokersOf(side, kafka) });
    try {
      assertComplete(side, count, await child.run(count));
    } finally {
      await child.exit();
    }
    return postgres.workIn(databaseUrl);
  };
  const first = await after(WARM_UP);
  const second = await after(WARM_UP + items);
  const perItem = (name: keyof DatabaseWork): number => Math.round(((second[name] - 2 * first[name]) / items) * 10) / 10;
  return { statements: perItem('statements'), transactions: perItem('transactions'), rowWrites: perItem('rowWrites') };
}

/** Counts over their limits. They vary with the number of attempts that end together, so only repeated excess is significant. */
const exceededBy = (work: DatabaseWork): string[] =>
  (['statements', 'transactions', 'rowWrites'] as const)
    .filter((kind) => work[kind] > LIMITS[kind])
    .map((kind) => `${work[kind]} ${kind} per item instead of at most ${LIMITS[kind]}`);

/** Every item must pass every stage exactly once; otherwise the measurement is invalid. */
function assertComplete({ name }: Side, items: number, { runs, distinct }: ChainRun): void {
  const wrong = CHAIN.filter((stage) => runs[stage] !== items);
  if (wrong.length > 0 || distinct !== items) {
    throw new Error(`${name}: ${distinct} of ${items} items passed the chain with ${JSON.stringify(runs)} runs per stage`);
  }
}

function resultOf(
  all: ReadonlyMap<string, readonly Measured[]>,
  work: ReadonlyMap<string, DatabaseWork>,
  about: Record<string, unknown>,
): BenchResult {
  const rows = [...all].map(([name, measured]) => ({
    name,
    total: spreadOf(measured.map(({ own, server }) => own + server)),
    own: spreadOf(measured.map(({ own }) => own)),
    server: spreadOf(measured.map(({ server }) => server)),
    itemsPerSecond: spreadOf(measured.map(({ itemsPerSecond }) => itemsPerSecond)),
  }));
  const ours = rows[0]?.total.median ?? 0;
  const head = [
    'four empty stages',
    'CPU ms per item',
    'own process',
    'its server',
    'items/s',
    'ours ÷ theirs',
    'statements',
    'transactions',
    'row writes',
  ];
  const lines = rows.map(({ name, total, own, server, itemsPerSecond }) => [
    name,
    formatSpread(total, 2),
    own.median.toFixed(2),
    server.median.toFixed(2),
    formatSpread(itemsPerSecond, 0),
    (ours / total.median).toFixed(2),
    ...(['statements', 'transactions', 'rowWrites'] as const).map((kind) => work.get(name)?.[kind].toFixed(1) ?? ''),
  ]);
  const sides = Object.fromEntries(
    rows.map(({ name, total, own, server, itemsPerSecond }) => [
      name,
      {
        cpuMsPerItem: rounded(total, 2),
        ownMsPerItem: rounded(own, 2),
        serverMsPerItem: rounded(server, 2),
        itemsPerSecond: rounded(itemsPerSecond, 0),
        ...(work.has(name) ? { perItem: work.get(name) } : {}),
      },
    ]),
  );
  return { table: tableOf([head, ...lines]), facts: { ...about, concurrency: CONCURRENCY, sides, machine: aboutMachine() } };
}

/** Installs the peers' packages where they are missing or outdated; other commands never need them. */
function installPeers(): void {
  const { dependencies } = readJson<{ dependencies: Record<string, string> }>(PEERS_FOLDER, 'package.json');
  const isInstalled = ([name, version]: [string, string]): boolean => {
    const folder = path.join(PEERS_FOLDER, 'node_modules', name);
    return fs.existsSync(folder) && readJson<{ version: string }>(folder, 'package.json').version === version;
  };
  if (Object.entries(dependencies).every(isInstalled)) return;
  progress(`installing ${Object.keys(dependencies).join(', ')} into ${path.relative(ROOT, PEERS_FOLDER)} (npm ci)`);
  const { environment } = readProcessSettings();
  const { status, error, stderr } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: PEERS_FOLDER,
    env: environment,
    encoding: 'utf8',
  });
  if (status === 0) return;
  const reason = (error?.message ?? stderr).trim().split('\n').slice(-5).join('\n');
  throw new Error(`the peers could not be installed; run "npm ci" in ${PEERS_FOLDER} with access to the npm registry:\n${reason}`);
}

const readJson = <T>(folder: string, name: string): T => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as T;

export function bundlePeer(): string {
  const bundled = spawnSync(process.execPath, ['tools/local/bundle.mjs', PROGRAM], { cwd: ROOT, encoding: 'utf8' });
  if (bundled.status !== 0) throw new Error(`the peer process could not be bundled: ${bundled.stderr}`);
  return path.join(ROOT, bundled.stdout.trim());
}

/** A broker where a container engine runs, otherwise `null`. */
async function startBroker(): Promise<KafkaServer | null> {
  const missing = noEngineReason();
  // with the compiler that brokers of tests do without
  if (missing === null) return startKafka({ environment: { KAFKA_OPTS: '' } });
  progress(`${missing}; skipping Kafka`);
  return null;
}

/** A peer as a separate process, so that its CPU time can be measured. */
export class PeerChild {
  private constructor(private readonly child: ChildProcess) {}

  static async start(program: string, start: PeerStart): Promise<PeerChild> {
    const child = fork(program, [JSON.stringify(start)], { execArgv: [] });
    const peer = new PeerChild(child);
    const kill = (): void => void child.kill('SIGKILL');
    process.on('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    await peer.nextMessage();
    return peer;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Sends items through all four stages; resolves when the peer is idle again. */
  async run(items: number): Promise<ChainRun> {
    this.child.send({ items } satisfies PeerCommand);
    const message = await this.nextMessage();
    if (message === 'ready' || 'error' in message) throw new Error('the peer returned no result');
    return message;
  }

  async exit(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.send('exit' satisfies PeerCommand);
    const timeout = setTimeout(() => this.child.kill('SIGKILL'), 20_000);
    await exited;
    clearTimeout(timeout);
  }

  private async nextMessage(): Promise<PeerMessage> {
    const listening = new AbortController();
    const { signal } = listening;
    try {
      const [message] = (await Promise.race([
        once(this.child, 'message', { signal }),
        once(this.child, 'exit', { signal }).then(([code, by]) => Promise.reject(new Error(`the peer exited (${String(by ?? code)})`))),
      ])) as [PeerMessage];
      if (typeof message === 'object' && 'error' in message) throw new Error(message.error);
      return message;
    } finally {
      listening.abort();
    }
  }
}
