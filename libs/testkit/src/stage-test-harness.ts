import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stage } from '@autoposter/contracts';
import {
  fireDue,
  type JobBus,
  messageJobBus,
  postgresJobBus,
  requestStage,
  StageRunner,
  type AnyStage,
  type BoundStage,
  type StageCommit,
  type StageRunnerOptions,
  type Step,
} from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';
import type { ContentItem, Database, StageJob } from '@autoposter/persistence';
import { advance, failItem } from '@autoposter/workflow';
import { anItem } from './builders';
import { MemoryBroker, MemoryBus } from './memory-bus';
import { pollUntil } from './poll-until';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test's steps may have any input, output and tools
type AnyTestStep = Step<any, any, any>;

interface TestStage {
  name?: Stage;
  steps: AnyTestStep[];
  slots?: number;
  timeoutMs?: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  commit?: Partial<StageCommit<any, any>>;
}

/** The `download` stage with a test's own steps. Appends each call of its commit functions to `log`. */
export function testStage(plan: TestStage, log: string[] = []): AnyStage {
  return {
    name: plan.name ?? 'download',
    limits: { timeoutMs: plan.timeoutMs ?? 30_000, slots: plan.slots ?? 2 },
    load: (uow, job) => uow.items.find(job.itemId ?? ''),
    steps: plan.steps,
    commit: {
      started: () => Promise.resolve(void log.push('started')),
      async done(uow, item: ContentItem, _output, job) {
        log.push('done');
        await advance(uow, item, { by: 'stage', finished: 'download' }, { actor: 'system', correlationId: job.correlationId });
      },
      skipped: (_uow, _item, reason) => Promise.resolve(void log.push(`skipped ${reason}`)),
      async failed(uow, item: ContentItem, failure, step) {
        log.push(`failed ${failure.kind} at ${step}`);
        await failItem(uow, item, 'download', failure, step);
      },
      waiting: (_uow, _item, _until, reason) => Promise.resolve(void log.push(`waiting ${reason}`)),
      intended: () => Promise.resolve(void log.push('intended')),
      unknown: (_uow, _item, failure) => Promise.resolve(void log.push(`unknown ${failure.kind}`)),
      ...plan.commit,
    },
  };
}

/** Runs real stages over a real database in the process of a test; with an in-memory bus if the database publishes requests. */
export class StageTestHarness {
  readonly broker = new MemoryBroker();
  private readonly buses: JobBus[] = [];
  private readonly runners: StageRunner[] = [];

  private constructor(
    private readonly database: Database,
    private readonly workRoot: string,
  ) {}

  static async open(database: Database, stages: readonly BoundStage[] = []): Promise<StageTestHarness> {
    const harness = new StageTestHarness(database, await mkdtemp(join(tmpdir(), 'autoposter-stages-')));
    const bus = harness.bus();
    await bus.prepare();
    bus.start();
    for (const { stage, ...tools } of stages) await harness.startRunner(stage, tools);
    return harness;
  }

  bus(): JobBus {
    const { database, broker } = this;
    const bus = database.publishing.requests
      ? messageJobBus(new MemoryBus(broker), database, silentLogger, { sweepMs: 50 })
      : postgresJobBus(database);
    this.buses.push(bus);
    return bus;
  }

  async startRunner(stage: AnyStage, options: Partial<StageRunnerOptions> & Partial<Omit<BoundStage, 'stage'>> = {}): Promise<StageRunner> {
    const { tools = {}, toolsFor, discard, ...rest } = options;
    const runner = new StageRunner(
      { stage, tools, ...(toolsFor && { toolsFor }), ...(discard && { discard }) },
      {
        database: this.database,
        bus: this.bus(),
        owner: `worker ${this.runners.length + 1}`,
        leaseSeconds: 30,
        retrySeconds: 1,
        workRoot: this.workRoot,
        logger: silentLogger,
        pollMs: 50,
        ...rest,
      },
    );
    await runner.start();
    this.runners.push(runner);
    return runner;
  }

  /** Creates an item in `downloading` and requests its download job. */
  requestDownload({ maxAttempts = 3, burstPlace = 0 } = {}): Promise<{ item: ContentItem; job: StageJob }> {
    return this.database.unitOfWork(async (uow) => {
      const item = await anItem(uow, { state: 'downloading' });
      const request = {
        stage: 'download',
        subjectId: item.id,
        itemId: item.id,
        key: item.id,
        maxAttempts,
        burstPlace,
        actor: 'test',
      } as const;
      const asked = await requestStage(uow, request);
      if (!asked.accepted) throw new Error('the download request was not accepted');
      return { item, job: asked.job };
    });
  }

  /** Makes waiting and retrying jobs due now and requests them. */
  async fireWaitingJobs(): Promise<void> {
    // times are stored in whole milliseconds, so that the present may be rounded into the future
    await this.database.sql.query(`UPDATE stage_jobs SET due_at = now() - interval '1 second' WHERE state IN ('waiting','retrying')`);
    await this.database.unitOfWork((uow) => fireDue(uow));
  }

  job(id: string): Promise<StageJob> {
    return this.database.read.jobs.find(id).then((job) => job ?? Promise.reject(new Error(`no job ${id}`)));
  }

  /** Waits until the job is in `state`. */
  jobInState(id: string, state: StageJob['state'], timeoutMs?: number): Promise<StageJob> {
    return pollUntil(async () => inState(await this.job(id), state), timeoutMs);
  }

  /** Waits until the subject's newest job of `stage` is in `state`. Fires waiting jobs meanwhile, unless `state` is a waiting one. */
  latestJob(stage: Stage, subjectId: string, state: StageJob['state'], timeoutMs = 45_000): Promise<StageJob> {
    return pollUntil(async () => {
      if (state !== 'waiting' && state !== 'retrying') await this.fireWaitingJobs();
      const [row] = await this.database.sql.query<{ id: string }>(
        'SELECT id FROM stage_jobs WHERE stage = $1 AND subject_id = $2 ORDER BY requested_at DESC, id DESC LIMIT 1',
        [stage, subjectId],
      );
      if (row === undefined) throw new Error(`no ${stage} job for ${subjectId}`);
      return inState(await this.job(row.id), state);
    }, timeoutMs);
  }

  lag(): Promise<number> {
    return this.bus().lag('download');
  }

  async close(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.drain(0)));
    await Promise.all(this.buses.map((bus) => bus.close()));
    await rm(this.workRoot, { recursive: true, force: true });
  }
}

function inState(job: StageJob, state: StageJob['state']): StageJob {
  if (job.state !== state) throw new Error(`the job is ${job.state}, not ${state}: ${job.failure?.message ?? ''}`);
  return job;
}

/** A promise that a test resolves. */
export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** Runs `work` with the process's `Date` off by `ms`. Timers, `performance.now()` and the database are not affected. */
export async function withWrongClock<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const real = Date;
  const wrong = class extends real {
    constructor(...of: unknown[]) {
      if (of.length === 0) super(real.now() + ms);
      else super(...(of as [number]));
    }
    static override now = () => real.now() + ms;
  };
  global.Date = wrong as DateConstructor;
  try {
    return await work();
  } finally {
    global.Date = real;
  }
}
