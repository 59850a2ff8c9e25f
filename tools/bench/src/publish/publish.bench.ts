import { initialQueueSettings, SETTING } from '@autoposter/domain';
import { BULK_LIMITS, Database } from '@autoposter/persistence';
import type { GatewaySettings } from '../../../../apps/gateway/src/bootstrap/settings';
import { MediaReach } from '../../../../apps/gateway/src/instagram/media-reach';
import { SchedulerFence } from '../../../../apps/gateway/src/scheduler/scheduler';
import { PublishDuePostsTask } from '../../../../apps/gateway/src/scheduler/tasks/publish-due-posts.task';
import { StoredSettings } from '../../../../apps/gateway/src/settings/stored-settings';
import { aboutMachine, type BenchArguments, type BenchResult, progress } from '../bench';
import { cpuOfTree } from '../machine/cpu-time';
import { startPostgres } from '../machine/servers';
import { formatSpread, rounded, spreadOf, tableOf } from '../spread';

const FEW = 300;
const MANY = 10_000;
const ROUNDS = 7;
/** A tick takes about one unit of the CPU times in `/proc`. */
const TICKS_PER_ROUND = 40;
const WARM_UP = 20;
/** CPU milliseconds of one tick, of this process and the database server. */
const AT_MOST_MS = 20;
const ACCOUNT_ID = '17841400000000000';

const SETTINGS = {
  instagramAccountId: ACCOUNT_ID,
  instagramMissing: [],
  timeZone: 'UTC',
  schedulersStart: true,
} as unknown as GatewaySettings;

const WAITING_POSTS = `
  INSERT INTO content_items (id, platform, source_id, original_url, title, subreddit, auto_process_stage, state)
  SELECT md5('item' || n)::uuid, 'reddit', 't3_' || n, 'https://www.reddit.com/r/bench/comments/' || n, 'Benchmark post ' || n, 'bench', 'queuePost', 'queued'
  FROM generate_series(1, $1::int) AS n`;

const WAITING_ITEMS = `
  INSERT INTO queue_items (id, item_id, status, priority, caption, queued_by, queued_at)
  SELECT md5('place' || n)::uuid, md5('item' || n)::uuid, 'pending', n % 11, 'A caption.', 'system', now() - n * interval '1 second'
  FROM generate_series(1, $1::int) AS n`;

/** CPU milliseconds of a tick of the planner while 300 and `n` posts wait and none is due. */
export async function publish({ n, rounds }: BenchArguments): Promise<BenchResult> {
  const postgres = await startPostgres();
  const databases: Database[] = [];
  try {
    const measured: { waiting: number; tick: () => Promise<number>; costs: number[] }[] = [];
    for (const waiting of [FEW, n ?? MANY]) {
      const database = await Database.connect({ url: await postgres.freshDatabase('product'), poolSize: 2, limits: BULK_LIMITS });
      databases.push(database);
      measured.push({ waiting, tick: await planner(database, waiting), costs: [] });
    }
    for (let round = 1; round <= (rounds ?? ROUNDS); round += 1)
      for (const { waiting, tick, costs } of measured) {
        costs.push(await tick());
        progress(`round ${round}, ${waiting} waiting posts: ${costs.at(-1)?.toFixed(1) ?? ''} CPU ms per tick`);
      }
    const ticks = measured.map(({ waiting, costs }) => ({ waiting, cost: spreadOf(costs) }));
    const table = tableOf([
      ['waiting posts', 'CPU ms per tick', 'rule', ''],
      ...ticks.map(({ waiting, cost }) => [
        String(waiting),
        formatSpread(cost, 1),
        `<= ${AT_MOST_MS}`,
        cost.median <= AT_MOST_MS ? 'PASS' : 'FAIL',
      ]),
    ]);
    return {
      table,
      facts: {
        rounds: rounds ?? ROUNDS,
        postgres: postgres.version,
        ticks: ticks.map(({ waiting, cost }) => ({ waiting, cpuMs: rounded(cost, 1) })),
        machine: aboutMachine(),
      },
    };
  } finally {
    await Promise.all(databases.map((database) => database.close()));
    await postgres.stop();
  }
}

/** Fills the queue and plans it; resolves with a measurement of several ticks. */
async function planner(database: Database, waiting: number): Promise<() => Promise<number>> {
  const settings = { ...initialQueueSettings('UTC'), running: true };
  await database.unitOfWork(async (uow) => {
    await uow.settings.set(SETTING.queue, settings);
    await uow.settings.set(SETTING.queueAccount, { accountId: ACCOUNT_ID });
  });
  for (const text of [WAITING_POSTS, WAITING_ITEMS]) await database.sql.query(text, [waiting]);
  const task = new PublishDuePostsTask(database, new StoredSettings(database, SETTINGS), new MediaReach(SETTINGS), new SchedulerFence());
  for (let turn = 0; turn < WARM_UP; turn += 1) await task.run();
  // as the gateway does once a minute
  await database.read.queue.foldCounts();
  for (const table of ['content_items', 'queue_items', 'queue_item_counts']) await database.sql.query(`VACUUM (ANALYZE) ${table}`);
  const [planned] = await database.sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM queue_items WHERE scheduled_for IS NOT NULL`,
  );
  if (!(planned && planned.count >= Math.min(waiting, FEW) - 1)) throw new Error(`${planned?.count ?? 0} of ${waiting} posts have a slot`);
  return async () => {
    // the database server is a child of this process
    const before = cpuOfTree(process.pid);
    for (let turn = 0; turn < TICKS_PER_ROUND; turn += 1) await task.run();
    return (cpuOfTree(process.pid) - before) / TICKS_PER_ROUND;
  };
}
