import { BULK_LIMITS, Database } from '@autoposter/persistence';
import { MediaReach } from '../../../../apps/gateway/src/instagram/media-reach';
import { SchedulerFence } from '../../../../apps/gateway/src/scheduler/scheduler';
import { PublishDuePostsTask } from '../../../../apps/gateway/src/scheduler/tasks/publish-due-posts.task';
import { StoredSettings } from '../../../../apps/gateway/src/settings/stored-settings';
import { progress } from '../bench';
import { cpuOfTree } from '../machine/cpu-time';
import type { BenchPostgres } from '../machine/servers';
import { formatSpread, rounded, spreadOf } from '../spread';
import { fillQueues, SETTINGS, tidyQueues } from './filled-queues';

const FEW = 300;
/** A tick takes about one unit of the CPU times in `/proc`. */
const TICKS_PER_ROUND = 40;
const WARM_UP = 20;
/** CPU milliseconds of one tick, of this process and the database server. */
const AT_MOST_MS = 20;
/** Published posts stay in the queue's table. */
const POSTED = 100_000;

interface Case {
  accounts: number;
  waiting: number;
  posted: number;
}

/** CPU milliseconds of a tick of the planner while posts wait and none is due. */
export async function planner(
  postgres: BenchPostgres,
  { waiting, accounts, rounds }: { waiting: number; accounts: number; rounds: number },
) {
  const cases: Case[] = [
    { accounts: 1, waiting: Math.min(FEW, waiting), posted: 0 },
    { accounts: 1, waiting, posted: POSTED },
    { accounts, waiting, posted: POSTED },
  ];
  const databases: Database[] = [];
  try {
    const measured: (Case & { tick: () => Promise<number>; costs: number[] })[] = [];
    for (const one of cases) {
      const database = await Database.connect({ url: await postgres.freshDatabase('product'), poolSize: 2, limits: BULK_LIMITS });
      databases.push(database);
      measured.push({ ...one, tick: await prepare(database, one), costs: [] });
    }
    for (let round = 1; round <= rounds; round += 1)
      for (const { tick, costs, ...one } of measured) {
        costs.push(await tick());
        progress(`round ${round}, ${one.waiting} posts of ${one.accounts} accounts: ${costs.at(-1)?.toFixed(1) ?? ''} CPU ms per tick`);
      }
    const ticks = measured.map(({ tick: _tick, costs, ...one }) => ({ ...one, cost: spreadOf(costs) }));
    return {
      rows: [
        ['accounts', 'waiting posts', 'published posts', 'CPU ms per tick', 'rule', ''],
        ...ticks.map(({ accounts: count, waiting: posts, posted, cost }) => [
          ...[String(count), String(posts), String(posted), formatSpread(cost, 1), `<= ${AT_MOST_MS}`],
          cost.median <= AT_MOST_MS ? 'PASS' : 'FAIL',
        ]),
      ],
      facts: { rounds, ticks: ticks.map(({ cost, ...one }) => ({ ...one, cpuMs: rounded(cost, 1) })) },
    };
  } finally {
    await Promise.all(databases.map((database) => database.close()));
  }
}

/** Fills the queues and plans them; resolves with a measurement of several ticks. */
async function prepare(database: Database, sizes: Case): Promise<() => Promise<number>> {
  await fillQueues(database, sizes);
  const task = new PublishDuePostsTask(database, new StoredSettings(database, SETTINGS), new MediaReach(SETTINGS), new SchedulerFence());
  await tidyQueues(database);
  for (let turn = 0; turn < WARM_UP; turn += 1) await task.run();
  await tidyQueues(database);
  const [planned] = await database.sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM queue_items WHERE scheduled_for IS NOT NULL`,
  );
  const expected = sizes.accounts * (Math.min(Math.floor(sizes.waiting / sizes.accounts), FEW) - 1);
  if (!(planned && planned.count >= expected)) throw new Error(`${planned?.count ?? 0} of ${sizes.waiting} posts have a slot`);
  return async () => {
    // the database server is a child of this process
    const before = cpuOfTree(process.pid);
    for (let turn = 0; turn < TICKS_PER_ROUND; turn += 1) await task.run();
    return (cpuOfTree(process.pid) - before) / TICKS_PER_ROUND;
  };
}
