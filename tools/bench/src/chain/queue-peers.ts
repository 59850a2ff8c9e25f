import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../bench';
import { CHAIN, type ChainPeer, type ChainStage, CONCURRENCY, nextStageOf, noRuns, type OnFinished, type PeerSettings } from './chain-peer';

// The packages are not dependencies of the workspace, so the few members in use are declared here.

type Job = { data: { item: string } };

interface BullMq {
  Queue: new (
    name: string,
    options: object,
  ) => {
    add(name: string, data: Job['data']): Promise<unknown>;
    getJobCounts(...states: string[]): Promise<Record<string, number>>;
    close(): Promise<void>;
  };
  Worker: new (
    name: string,
    work: (job: Job) => Promise<void>,
    options: object,
  ) => { waitUntilReady(): Promise<unknown>; close(): Promise<void> };
}

interface GraphileWorker {
  Logger: new (factory: () => () => void) => object;
  run(options: object): Promise<{
    addJob(task: string, payload: object): Promise<unknown>;
    stop(): Promise<void>;
    events: { on(event: 'job:complete', listener: () => void): unknown };
  }>;
}
type GraphileTask = (payload: Job['data'], helpers: { addJob(task: string, payload: object): Promise<unknown> }) => Promise<void>;

type PgBoss = new (options: object) => {
  on(event: 'error', listener: (error: Error) => void): unknown;
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  createQueue(name: string): Promise<void>;
  send(name: string, data: Job['data']): Promise<unknown>;
  work(name: string, options: object, handler: (jobs: Job[]) => Promise<void>): Promise<unknown>;
  getQueueSize(name: string, options: object): Promise<number>;
};

export const PEERS_FOLDER = path.join(ROOT, 'tools/bench/peers');

const load = <T>(name: string): T => createRequire(path.join(PEERS_FOLDER, 'package.json'))(name) as T;

/** One queue and one worker per stage; each job adds the next one before it ends. */
export async function openBullmq({ redisPort }: PeerSettings, onFinished: OnFinished): Promise<ChainPeer> {
  const { Queue, Worker } = load<BullMq>('bullmq');
  const connection = { host: '127.0.0.1', port: redisPort, maxRetriesPerRequest: null };
  const runs = noRuns();
  const queues = new Map(CHAIN.map((stage) => [stage, new Queue(stage, { connection, defaultJobOptions: { attempts: 3 } })] as const));
  const add = async (stage: ChainStage, item: string): Promise<void> => void (await queues.get(stage)?.add(stage, { item }));
  const workers = CHAIN.map((stage) => {
    const work = async ({ data }: Job): Promise<void> => {
      runs[stage] += 1;
      const next = nextStageOf(stage);
      if (next !== null) await add(next, data.item);
      else onFinished(data.item);
    };
    return new Worker(stage, work, { connection, concurrency: CONCURRENCY });
  });
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  return {
    add: (item) => add('one', item),
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

/** One worker pool for the four tasks; each job adds the next one before it ends. */
export async function openGraphile({ databaseUrl }: PeerSettings, onFinished: OnFinished): Promise<ChainPeer> {
  const { Logger, run } = load<GraphileWorker>('graphile-worker');
  const runs = noRuns();
  let open = 0;
  const taskList = Object.fromEntries(
    CHAIN.map((stage) => {
      const task: GraphileTask = async ({ item }, helpers) => {
        runs[stage] += 1;
        const next = nextStageOf(stage);
        if (next !== null) {
          open += 1;
          await helpers.addJob(next, { item });
        } else onFinished(item);
      };
      return [stage, task] as const;
    }),
  );
  const runner = await run({
    connectionString: databaseUrl,
    concurrency: CONCURRENCY * CHAIN.length,
    maxPoolSize: 10,
    noHandleSignals: true,
    taskList,
    logger: new Logger(() => () => undefined),
  });
  runner.events.on('job:complete', () => (open -= 1));
  return {
    add: async (item) => {
      open += 1;
      await runner.addJob('one', { item });
    },
    runs: () => runs,
    isIdle: () => Promise.resolve(open === 0),
    close: () => runner.stop(),
  };
}

/** pg-boss polls at most twice a second and takes one batch per poll: a small batch would measure the polling interval. */
const BATCH = 200;

/** One queue and one worker per stage; each job sends the next one before it ends. */
export async function openPgBoss({ databaseUrl }: PeerSettings, onFinished: OnFinished): Promise<ChainPeer> {
  const boss = new (load<PgBoss>('pg-boss'))({ connectionString: databaseUrl, max: 10 });
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
  await boss.start();
  const runs = noRuns();
  for (const stage of CHAIN) await boss.createQueue(stage);
  const work = async (stage: ChainStage, item: string): Promise<void> => {
    runs[stage] += 1;
    const next = nextStageOf(stage);
    if (next !== null) await boss.send(next, { item });
    else onFinished(item);
  };
  for (const stage of CHAIN) {
    await boss.work(stage, { batchSize: BATCH, pollingIntervalSeconds: 0.5 }, async (jobs) => {
      await Promise.all(jobs.map((job) => work(stage, job.data.item)));
    });
  }
  return {
    add: async (item) => void (await boss.send('one', { item })),
    runs: () => runs,
    isIdle: async () => {
      const sizes = await Promise.all(CHAIN.map((stage) => boss.getQueueSize(stage, { before: 'completed' })));
      return sizes.every((size) => size === 0);
    },
    close: () => boss.stop({ graceful: true, wait: true, timeout: 10_000 }),
  };
}
