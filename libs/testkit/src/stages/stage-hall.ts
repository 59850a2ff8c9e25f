import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allTopics, type Stage } from '@autoposter/contracts';
import { MemoryBroker, MemoryBus } from '@autoposter/messaging';
import { silentLogger } from '@autoposter/observability';
import type { Database, StageJob } from '@autoposter/persistence';
import { fireDue, GROUPS, OutboxRelay, StageRunner, type BoundStage } from '@autoposter/job-engine';
import { eventually } from '../eventually';

/** Real stages over a real database, with a bus in memory: what a worker does, in the process of a test. */
export class StageHall {
  private constructor(
    private readonly database: Database,
    private readonly bus: MemoryBus,
    private readonly relay: OutboxRelay,
    private readonly runners: StageRunner[],
    private readonly workRoot: string,
  ) {}

  static async open(database: Database, stages: readonly BoundStage[]): Promise<StageHall> {
    const workRoot = await mkdtemp(join(tmpdir(), 'autoposter-stages-'));
    const bus = new MemoryBus(new MemoryBroker(), { pollMs: 20, redeliverMs: 20 });
    await bus.ensureTopics(allTopics, GROUPS);
    const relay = new OutboxRelay({ database, bus, sweepMs: 50 });
    relay.start();
    const settings = { database, bus, owner: 'test', leaseSeconds: 30, retrySeconds: 1, workRoot, logger: silentLogger, pollMs: 50 };
    const runners = stages.map((stage) => new StageRunner(stage, settings));
    for (const runner of runners) await runner.start();
    return new StageHall(database, bus, relay, runners, workRoot);
  }

  /** What waits for a date comes due at once. */
  async hurry(): Promise<void> {
    await this.database.sql.query(`UPDATE stage_jobs SET due_at = now() WHERE state IN ('waiting','retrying')`);
    await this.database.unitOfWork((uow) => fireDue(uow));
  }

  /** The newest job of a stage about this subject, once it is in that state; what waits is hurried meanwhile unless it is asked for. */
  jobIn(stage: Stage, subjectId: string, state: StageJob['state'], timeoutMs = 20_000): Promise<StageJob> {
    return eventually(async () => {
      if (state !== 'waiting' && state !== 'retrying') await this.hurry();
      const [row] = await this.database.sql.query<{ id: string }>(
        'SELECT id FROM stage_jobs WHERE stage = $1 AND subject_id = $2 ORDER BY requested_at DESC, id DESC LIMIT 1',
        [stage, subjectId],
      );
      const job = row === undefined ? null : await this.database.read.jobs.find(row.id);
      if (job?.state !== state) throw new Error(`the job is ${job?.state ?? 'not there'}, not ${state}: ${job?.failure?.message ?? ''}`);
      return job;
    }, timeoutMs);
  }

  async close(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.drain(0)));
    await this.relay.stop();
    await this.bus.close();
    await rm(this.workRoot, { recursive: true, force: true });
  }
}
