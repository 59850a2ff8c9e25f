import PgBoss from 'pg-boss';
import { CHAIN, following, noRuns, type ChainPeer, type ChainStage, type OnLast, type PeerSettings } from './chain-peer';

/** It takes a batch per poll and polls at most twice a second: a small batch would measure the poll. */
const BATCH = 200;

/** One queue and one worker per stage; a job sends the next one before it ends. */
export async function openPgBoss({ databaseUrl }: PeerSettings, onLast: OnLast): Promise<ChainPeer> {
  const boss = new PgBoss({ connectionString: databaseUrl, max: 10 });
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  await boss.start();
  const runs = noRuns();
  for (const stage of CHAIN) await boss.createQueue(stage);
  const work = async (stage: ChainStage, item: string): Promise<void> => {
    runs[stage] += 1;
    const next = following(stage);
    if (next !== null) await boss.send(next, { item });
    else onLast(item);
  };
  for (const stage of CHAIN) {
    await boss.work<{ item: string }>(stage, { batchSize: BATCH, pollingIntervalSeconds: 0.5 }, async (jobs) => {
      await Promise.all(jobs.map((job) => work(stage, job.data.item)));
    });
  }
  return {
    enter: async (item) => void (await boss.send('one', { item })),
    runs: () => runs,
    isIdle: async () => {
      const sizes = await Promise.all(CHAIN.map((stage) => boss.getQueueSize(stage, { before: 'completed' })));
      return sizes.every((size) => size === 0);
    },
    close: () => boss.stop({ graceful: true, wait: true, timeout: 10_000 }),
  };
}
