import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allTopics, type Stage } from '@autoposter/contracts';
import {
  GROUPS,
  OutboxRelay,
  requestStage,
  StageRunner,
  type AnyStage,
  type StageCommit,
  type StageRunnerOptions,
  type Step,
} from '@autoposter/job-engine';
import { MemoryBroker, MemoryBus } from '@autoposter/messaging';
import { silentLogger } from '@autoposter/observability';
import type { ContentItem, Database, StageJob } from '@autoposter/persistence';
import { advance, failItem } from '@autoposter/workflow';
import { anItem } from '../builders/content';
import { eventually } from '../eventually';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- steps of tests take what they like
export type AnyTestStep = Step<any, any, any>;

export interface Plan {
  name?: Stage;
  steps: AnyTestStep[];
  attempts?: number;
  slots?: number;
  timeoutMs?: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  commit?: Partial<StageCommit<any, any>>;
}

/** The `download` stage over items with steps of a test's own. What was committed is told in `told`. */
export function stageOf(plan: Plan, told: string[] = []): AnyStage {
  return {
    name: plan.name ?? 'download',
    limits: { attempts: plan.attempts ?? 3, timeoutMs: plan.timeoutMs ?? 30_000, slots: plan.slots ?? 2 },
    load: (uow, job) => uow.items.find(job.itemId ?? ''),
    steps: plan.steps,
    commit: {
      started: () => Promise.resolve(void told.push('started')),
      async done(uow, item: ContentItem, _output, job) {
        told.push('done');
        await advance(uow, item, { by: 'stage', finished: 'download' }, { actor: 'system', correlationId: job.correlationId });
      },
      skipped: (_uow, _item, reason) => Promise.resolve(void told.push(`skipped ${reason}`)),
      async failed(uow, item: ContentItem, failure, step) {
        told.push(`failed ${failure.kind} at ${step}`);
        await failItem(uow, item, 'download', failure, step);
      },
      waiting: (_uow, _item, _until, reason) => Promise.resolve(void told.push(`waiting ${reason}`)),
      intended: () => Promise.resolve(void told.push('intended')),
      unknown: (_uow, _item, failure) => Promise.resolve(void told.push(`unknown ${failure.kind}`)),
      ...plan.commit,
    },
  };
}

/** A bus in memory, a relay, and as many runners as a test wants, over one database. */
export class Workshop {
  readonly broker = new MemoryBroker();
  private readonly buses: MemoryBus[] = [];
  private readonly runners: StageRunner[] = [];
  private readonly relays: OutboxRelay[] = [];
  private folder = '';

  constructor(readonly database: Database) {}

  async open(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'autoposter-workshop-'));
    const bus = this.bus();
    await bus.ensureTopics(allTopics, GROUPS);
    const relay = new OutboxRelay({ database: this.database, bus, sweepMs: 100 });
    relay.start();
    this.relays.push(relay);
  }

  bus(): MemoryBus {
    const bus = new MemoryBus(this.broker, { pollMs: 50, redeliverMs: 50 });
    this.buses.push(bus);
    return bus;
  }

  async runner(stage: AnyStage, options: Partial<StageRunnerOptions> & { tools?: unknown } = {}): Promise<StageRunner> {
    const { tools = {}, ...rest } = options;
    const runner = new StageRunner(
      { stage, tools },
      {
        database: this.database,
        bus: this.bus(),
        owner: `worker ${this.runners.length + 1}`,
        leaseSeconds: 30,
        retrySeconds: 1,
        workRoot: this.folder,
        logger: silentLogger,
        pollMs: 50,
        ...rest,
      },
    );
    await runner.start();
    this.runners.push(runner);
    return runner;
  }

  /** An item that is about to be downloaded, with its job. */
  async order(maxAttempts = 3): Promise<{ item: ContentItem; job: StageJob }> {
    return this.database.unitOfWork(async (uow) => {
      const item = await anItem(uow, { state: 'downloading' });
      const asked = await requestStage(uow, {
        stage: 'download',
        subjectId: item.id,
        itemId: item.id,
        key: item.id,
        maxAttempts,
        actor: 'test',
      });
      if (!asked.accepted) throw new Error('not accepted');
      return { item, job: asked.job };
    });
  }

  job(id: string): Promise<StageJob> {
    return this.database.read.jobs.find(id).then((job) => job ?? Promise.reject(new Error('no such job')));
  }

  jobIn(id: string, state: StageJob['state'], timeoutMs?: number): Promise<StageJob> {
    return eventually(async () => {
      const job = await this.job(id);
      if (job.state !== state) throw new Error(`the job is ${job.state}, not ${state}`);
      return job;
    }, timeoutMs);
  }

  lag(): Promise<number> {
    return this.bus().lag('downloader.download', 'pipeline.download.requested.v1');
  }

  async close(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.drain(0)));
    await Promise.all(this.relays.map((relay) => relay.stop()));
    await Promise.all(this.buses.map((bus) => bus.close()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A promise that a test resolves when it likes. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
