import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '@autoposter/config';
import { createMetrics, Health, type HealthCheck, HealthServer, type Logger, type Metrics } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { retry } from '@autoposter/resilience';
import type { BoundStage } from './define-stage';
import { proveWiring } from './prove-wiring';
import { GroupCommit } from './group-commit';
import { StageRunner } from './stage-runner';
import { checksOf, createBus, createObjectStore, openDatabase, processName, REQUIRED_SYSTEMS, type Systems } from './systems';
import { startHeartbeat } from './worker-heartbeat';

export interface WorkerHostOptions {
  config: Config;
  logger: Logger;
  /** Binds the stages to their tools once the systems are connected. Background work that it starts must stop with `signal`. */
  bindStages(systems: Systems, signal: AbortSignal): Promise<readonly BoundStage[]> | readonly BoundStage[];
  /** The consumer of the bus stalled repeatedly: the process must exit. */
  onStalled(reason: string): void;
}

/** A worker process: connects the systems, runs the stages, serves health, shuts down. */
export class WorkerHost {
  private readonly stopping = new AbortController();
  private readonly metrics: Metrics;
  private readonly health: Health;
  private readonly management: HealthServer;
  private state: HealthCheck = { ok: false, detail: 'Starting.' };
  private systems: Systems | null = null;
  private stopHeartbeat: (() => Promise<void>) | null = null;
  private runners: StageRunner[] = [];

  constructor(private readonly options: WorkerHostOptions) {
    const { http, service } = options.config;
    this.metrics = createMetrics(service);
    this.health = new Health({ checks: { stages: () => Promise.resolve(this.state) }, needs: REQUIRED_SYSTEMS });
    this.health.record(this.metrics);
    this.management = new HealthServer({
      port: http.metricsPort,
      host: http.host,
      health: this.health,
      metrics: () => this.metrics.text(),
    });
  }

  /**
   * Serves health at once, then waits for its systems without limit. Resolves with the port when the stages accept jobs; rejects if the
   * process must not run.
   */
  async start(): Promise<number> {
    const { config, logger } = this.options;
    const port = await this.management.listen();
    logger.info({ port }, 'serving health checks');
    const systems = await this.connect();
    const workRoot = await prepareWorkRoot(resolve(config.dataDir, 'work'));
    const bound = await this.options.bindStages(systems, this.stopping.signal);
    const defined = bound.map(({ stage }) => stage);
    proveWiring(defined, config.service);
    await this.whenAvailable('the event bus', () => systems.bus.prepare());
    await this.startRunners(systems, bound, workRoot);
    const stages = defined.map(({ name }) => name);
    this.stopHeartbeat = startHeartbeat(systems.database, processName(config.service), stages, logger);
    this.state = { ok: true, detail: `Running ${stages.join(' and ')}.` };
    logger.info({ stages }, 'ready for work');
    return port;
  }

  /** Drains: accepts no new jobs, finishes or releases running ones, leaves bus and database. */
  async stop(): Promise<void> {
    const { config, logger } = this.options;
    this.health.drain();
    this.stopping.abort();
    logger.info({ running: this.runners.reduce((sum, runner) => sum + runner.running, 0) }, 'draining');
    await Promise.all(this.runners.map((runner) => runner.drain(config.stage.drainSeconds * 1000)));
    await this.stopHeartbeat?.();
    await this.systems?.bus.close();
    await this.systems?.database.close();
    await this.management.close();
    logger.info({}, 'stopped');
  }

  private async connect(): Promise<Systems> {
    const { config, logger, onStalled } = this.options;
    const database = await this.whenAvailable('the database', () => openReady(config, logger));
    this.systems = {
      config,
      database,
      bus: createBus(config, database, logger, onStalled),
      objects: createObjectStore(config),
      storageType: config.objects.kind === 'minio' ? 'cdn' : 'local',
      logger,
      metrics: this.metrics,
    };
    this.stopping.signal.throwIfAborted();
    this.health.add(checksOf(this.systems));
    return this.systems;
  }

  private async startRunners({ database, bus }: Systems, bound: readonly BoundStage[], workRoot: string): Promise<void> {
    const { config, logger } = this.options;
    bus.start();
    const owner = processName(config.service);
    const settings = { ...config.stage, database, bus, logger, metrics: this.metrics, owner, workRoot, commits: new GroupCommit(database) };
    this.runners = bound.map((one) => new StageRunner(one, settings));
    for (const runner of this.runners) await this.whenAvailable('the event bus', () => runner.start());
  }

  /** Repeats `work` until it succeeds or the process stops. Until then the process is not ready. */
  private whenAvailable<T>(system: string, work: () => Promise<T>): Promise<T> {
    return retry(work, {
      signal: this.stopping.signal,
      onRetry: (error) => {
        const detail = error instanceof Error ? error.message : 'unknown';
        if (detail !== this.state.detail) this.options.logger.warn({ error }, `waiting for ${system}`);
        this.state = { ok: false, detail };
      },
    });
  }
}

/** The database, if it answers and has a schema that this program runs on. */
async function openReady(config: Config, logger: Logger): Promise<Database> {
  const database = await openDatabase(config, logger).catch((cause: unknown) => {
    throw new Error(`PostgreSQL cannot be reached: ${(cause as Error).message}`, { cause });
  });
  const { ok, detail } = await database.health();
  if (ok) return database;
  await database.close();
  throw new Error(detail);
}

/** Creates the work folder and removes the folders of dead processes. */
async function prepareWorkRoot(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const pid = Number(/^run\.(\d+)\./u.exec(name)?.[1]);
    if (Number.isInteger(pid) && (pid === process.pid || !isAlive(pid))) await rm(join(folder, name), { recursive: true, force: true });
  }
  return folder;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
