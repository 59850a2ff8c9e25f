import { Logger, run, type Task } from 'graphile-worker';
import { CHAIN, CONCURRENCY, following, noRuns, type ChainPeer, type OnLast, type PeerSettings } from './chain-peer';

/** One pool of workers for the four tasks; a job adds the next one before it ends. */
export async function openGraphile({ databaseUrl }: PeerSettings, onLast: OnLast): Promise<ChainPeer> {
  const runs = noRuns();
  let open = 0;
  const taskList = Object.fromEntries(
    CHAIN.map((stage) => {
      const task: Task = async (payload, helpers) => {
        const { item } = payload as { item: string };
        runs[stage] += 1;
        const next = following(stage);
        if (next !== null) {
          open += 1;
          await helpers.addJob(next, { item });
        } else onLast(item);
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
    enter: async (item) => {
      open += 1;
      await runner.addJob('one', { item });
    },
    runs: () => runs,
    isIdle: () => Promise.resolve(open === 0),
    close: () => runner.stop(),
  };
}
