import { Queue, Worker } from 'bullmq';
import { CHAIN, CONCURRENCY, following, noRuns, type ChainPeer, type ChainStage, type OnLast, type PeerSettings } from './chain-peer';

/** One queue and one worker per stage; a job adds the next one before it ends. */
export async function openBullmq({ redisPort }: PeerSettings, onLast: OnLast): Promise<ChainPeer> {
  const connection = { host: '127.0.0.1', port: redisPort, maxRetriesPerRequest: null };
  const runs = noRuns();
  const queues = new Map(CHAIN.map((stage) => [stage, new Queue(stage, { connection, defaultJobOptions: { attempts: 3 } })] as const));
  const add = async (stage: ChainStage, item: string): Promise<void> => void (await queues.get(stage)?.add(stage, { item }));
  const workers = CHAIN.map((stage) => {
    const work = async ({ data }: { data: { item: string } }): Promise<void> => {
      runs[stage] += 1;
      const next = following(stage);
      if (next !== null) await add(next, data.item);
      else onLast(data.item);
    };
    return new Worker(stage, work, { connection, concurrency: CONCURRENCY });
  });
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  return {
    enter: (item) => add('one', item),
    runs: () => runs,
    isIdle: async () => {
      const counts = await Promise.all([...queues.values()].map((queue) => queue.getJobCounts('wait', 'active', 'delayed', 'failed')));
      return counts.every((count) => Object.values(count).every((one) => one === 0));
    },
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
