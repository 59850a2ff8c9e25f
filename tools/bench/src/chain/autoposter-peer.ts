import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessSettings } from '@autoposter/config';
import type { ItemStage } from '@autoposter/contracts';
import type { Trigger } from '@autoposter/domain';
import { KafkaBus } from '@autoposter/messaging';
import { createLogger, createMetrics } from '@autoposter/observability';
import { Database, newContentItem, type ContentItem, type UnitOfWork } from '@autoposter/persistence';
import {
  bindStage,
  defineStage,
  defineStep,
  done,
  GroupCommit,
  type JobBus,
  messageJobBus,
  postgresJobBus,
  requestStage,
  StageRunner,
  type StageCommit,
} from '@autoposter/job-engine';
import { advance } from '@autoposter/workflow';
import { CONCURRENCY, noRuns, WORKER_JOB_MS, type ChainPeer, type ChainStage, type OnFinished, type PeerSettings } from './chain-peer';

const CHAIN_STAGE: Record<'collect' | ItemStage, ChainStage> = { collect: 'one', download: 'two', dmca: 'three', ai: 'four' };

/**
 * Four of the product's stages with an empty step each, on the product's engine: claims under a lease, attempts, history, the item's state
 * machine, metrics, and PostgreSQL or Kafka as the bus.
 */
export async function openAutoposter({ databaseUrl, brokers, pollMs }: PeerSettings, onFinished: OnFinished): Promise<ChainPeer> {
  const { database, settings, close } = await connect(databaseUrl, brokers);
  const runs = noRuns();
  const advanceItem = async (uow: UnitOfWork, stage: 'collect' | ItemStage, item: ContentItem, correlationId: string): Promise<void> => {
    const trigger: Trigger = stage === 'collect' ? { by: 'person', wants: 'download' } : { by: 'stage', finished: stage };
    const { outcome } = await advance(uow, item, trigger, { actor: 'system', correlationId });
    if (outcome !== (stage === 'ai' ? 'waiting' : 'entered')) throw new Error(`after ${stage} the item is ${outcome}`);
  };
  const stageOf = (name: 'collect' | ItemStage) => {
    const commit: StageCommit<ContentItem, ContentItem> = {
      async done(uow, item, _output, job) {
        await advanceItem(uow, name, item, job.correlationId);
        if (name === 'ai') onFinished(item.sourceId);
      },
      skipped: () => Promise.reject(new Error('no step skips an item')),
      failed: (_uow, _item, failure) => Promise.reject(new Error(failure.message)),
    };
    const noop = defineStep<ContentItem, ContentItem>({
      name: 'noop',
      effect: 'pure',
      run: (item) => {
        runs[CHAIN_STAGE[name]] += 1;
        return Promise.resolve(done(item));
      },
    });
    const load = (uow: UnitOfWork, job: { subjectId: string }): Promise<ContentItem | null> => uow.items.find(job.subjectId);
    return defineStage({ name, limits: { timeoutMs: 60_000, slots: CONCURRENCY }, load, steps: [noop], commit });
  };
  const stages: ('collect' | ItemStage)[] = ['collect', 'download', 'dmca', 'ai'];
  const runners = stages.map(
    (name) => new StageRunner(bindStage(stageOf(name), {}), pollMs === undefined ? settings : { ...settings, pollMs }),
  );
  for (const runner of runners) await runner.start();
  return {
    add: (item) =>
      database.unitOfWork(async (uow) => {
        const originalUrl = `https://www.reddit.com/r/bench/comments/${item}/`;
        const made = newContentItem({ platform: 'reddit', sourceId: item, originalUrl, autoProcessStage: 'processedContent' });
        const request = { stage: 'collect' as const, subjectId: made.id, itemId: made.id, key: made.id, actor: 'system' };
        const { accepted } = await requestStage(uow, request, uow.items.insertionStatement(made));
        if (!accepted) throw new Error('the item already exists');
      }),
    runs: () => runs,
    isIdle: async () => {
      const lags = await Promise.all(stages.map((name) => settings.bus.lag(name)));
      return lags.every((lag) => lag === 0);
    },
    close: () => close(runners),
  };
}

/** One stage whose jobs take 50 ms; another process requests them. */
export async function openWorker({ databaseUrl }: PeerSettings): Promise<ChainPeer> {
  const { settings, close } = await connect(databaseUrl);
  const work = defineStep<object, object>({
    name: 'work',
    effect: 'pure',
    run: (input) => new Promise((resolve) => setTimeout(() => resolve(done(input)), WORKER_JOB_MS)),
  });
  const refuse = (): Promise<never> => Promise.reject(new Error('no job of this stage is skipped or fails'));
  const stage = defineStage({
    name: 'download',
    limits: { timeoutMs: 60_000, slots: CONCURRENCY },
    load: () => Promise.resolve<object>({}),
    steps: [work],
    commit: { done: () => Promise.resolve(), skipped: refuse, failed: refuse },
  });
  const runner = new StageRunner(bindStage(stage, {}), settings);
  await runner.start();
  return { add: refuse, runs: noRuns, isIdle: () => Promise.resolve(runner.running === 0), close: () => close([runner]) };
}

async function connect(url: string, brokers?: readonly string[]) {
  const logger = createLogger({ service: 'bench', level: 'warn' });
  const database = await Database.connect({
    url,
    poolSize: 5,
    applicationName: 'bench',
    logger,
    publishing: { requests: brokers !== undefined, facts: false },
  });
  const bus: JobBus = brokers
    ? messageJobBus(new KafkaBus({ brokers, clientId: 'bench' }, undefined, logger), database, logger)
    : postgresJobBus(database);
  await bus.prepare();
  bus.start();
  const workRoot = mkdtempSync(join(readProcessSettings().temporaryFolder, 'autoposter-bench-work-'));
  const commits = new GroupCommit(database);
  const owner = `bench ${process.pid}`;
  return {
    database,
    settings: { database, bus, logger, metrics: createMetrics('bench'), owner, leaseSeconds: 30, retrySeconds: 1, workRoot, commits },
    close: async (runners: readonly StageRunner[]): Promise<void> => {
      await Promise.all(runners.map((runner) => runner.drain(1_000)));
      await bus.close();
      await database.close();
      rmSync(workRoot, { recursive: true, force: true });
    },
  };
}
