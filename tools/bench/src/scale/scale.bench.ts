import { v7 as uuidv7 } from 'uuid';
import { requestStage } from '@autoposter/job-engine';
import { BULK_LIMITS, Database } from '@autoposter/persistence';
import { pollUntil } from '@autoposter/testkit';
import { aboutMachine, type BenchArguments, type BenchResult, progress } from '../bench';
import { bundlePeer, measureAutoposter, PeerChild } from '../chain/chain.bench';
import { CONCURRENCY, WORKER_JOB_MS } from '../chain/chain-peer';
import { type BenchPostgres, startPostgres } from '../machine/servers';
import { formatSpread, rounded, spreadOf, tableOf } from '../spread';
import { fillWithFinishedItems } from './finished-items';

const FINISHED_ITEMS = 200_000;
const ROUNDS = 5;
const CHAIN_ITEMS = 600;
const WORKERS = [1, 2, 4];
const JOBS_PER_WORKER = 480;

/** Jobs of 50 ms on several workers, compared with slots that are never idle; and the chain with `n` finished items in the tables, compared with none. */
export async function scale({ n, rounds }: BenchArguments): Promise<BenchResult> {
  const finished = n ?? FINISHED_ITEMS;
  const roundCount = rounds ?? ROUNDS;
  const program = bundlePeer();
  const postgres = await startPostgres();
  try {
    const shares = new Map(WORKERS.map((workers) => [workers, [] as number[]]));
    const sides = [
      { name: 'no finished items', databaseUrl: await postgres.freshDatabase('product'), costs: [] as number[] },
      { name: `${finished} finished items`, databaseUrl: await filledDatabase(postgres, finished), costs: [] as number[] },
    ] as const;
    for (let round = 1; round <= roundCount; round += 1) {
      for (const workers of WORKERS) {
        const share = await shareOfIdeal(workers, program, postgres);
        progress(`round ${round}, ${workers} workers: ${share.toFixed(3)} of ideal`);
        shares.get(workers)?.push(share);
      }
      // alternate the order, because the load of the machine changes over time
      for (const { name, databaseUrl, costs } of round % 2 === 1 ? sides : sides.toReversed()) {
        const cost = await measureAutoposter({ program, items: CHAIN_ITEMS, postgres, databaseUrl });
        progress(`round ${round}, ${name}: ${(cost.own + cost.server).toFixed(2)} CPU ms per item`);
        costs.push(cost.own + cost.server);
      }
    }
    const byWorkers = [...shares].map(([workers, all]) => ({ workers, share: spreadOf(all) }));
    const [empty, filled] = [spreadOf(sides[0].costs), spreadOf(sides[1].costs)];
    return {
      table: tableOf([
        ['jobs of 50 ms', 'share of ideal'],
        ...byWorkers.map(({ workers, share }) => [`${workers} workers`, formatSpread(share, 3)]),
        ['chain', 'CPU ms per item'],
        ['no finished items', formatSpread(empty, 2)],
        [`${finished} finished items`, formatSpread(filled, 2)],
      ]),
      facts: {
        rounds: roundCount,
        workers: byWorkers.map(({ workers, share }) => ({ workers, shareOfIdeal: rounded(share, 3) })),
        finished,
        cpuMsPerItem: { empty: rounded(empty, 2), filled: rounded(filled, 2) },
        ratio: Number((filled.median / empty.median).toFixed(2)),
        machine: aboutMachine(),
      },
    };
  } finally {
    await postgres.stop();
  }
}

/** The time that the jobs need if no slot is ever idle, divided by the time from the first claim to the last end. */
async function shareOfIdeal(workers: number, program: string, postgres: BenchPostgres): Promise<number> {
  const databaseUrl = await postgres.freshDatabase('product');
  const database = await Database.connect({ url: databaseUrl, poolSize: 2, applicationName: 'bench' });
  const children = await Promise.all(
    Array.from({ length: workers }, () => PeerChild.start(program, { peer: 'autoposter-worker', databaseUrl, redisPort: 0 })),
  );
  try {
    const jobs = workers * JOBS_PER_WORKER;
    await database.unitOfWork(async (uow) => {
      for (let job = 0; job < jobs; job += 1) {
        const subjectId = uuidv7();
        await requestStage(uow, { stage: 'download', subjectId, itemId: null, key: subjectId, actor: 'system' });
      }
    });
    await pollUntil(async () => (await database.read.jobs.countUnfinished('download')) === 0, 300_000, 'the jobs', 200);
    const [all] = await database.sql.query<{ ms: number; attempts: number }>(
      `SELECT (extract(epoch FROM max(finished_at) - min(started_at)) * 1000)::float8 AS ms, sum(attempts)::int AS attempts
       FROM stage_jobs WHERE state = 'done'`,
    );
    if (all?.attempts !== jobs) throw new Error(`${all?.attempts ?? 0} attempts of ${jobs} jobs`);
    return (JOBS_PER_WORKER * WORKER_JOB_MS) / CONCURRENCY / all.ms;
  } finally {
    await Promise.all(children.map((child) => child.exit()));
    await database.close();
  }
}

/** Writes all pages to disk (CHECKPOINT) before the chain is measured, so that the bulk insert does not count as work of the chain. */
async function filledDatabase(postgres: BenchPostgres, items: number): Promise<string> {
  const url = await postgres.freshDatabase('product');
  const database = await Database.connect({ url, poolSize: 1, limits: BULK_LIMITS });
  try {
    await fillWithFinishedItems(database, items, progress);
    return url;
  } finally {
    await database.close();
  }
}
