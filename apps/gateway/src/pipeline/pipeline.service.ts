import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  APP_OF_STAGE,
  consumerGroup,
  STAGES,
  topics,
  type Pipeline,
  type PipelineStage,
  type QuarantineQuery,
  type Stage,
} from '@autoposter/contracts';
import { Database, type QuarantinedMessage } from '@autoposter/persistence';
import { BUS, type BusLag } from '../wiring/systems';
import { presentWorker } from './pipeline.presenter';

/** The page does not wait longer for a bus that does not answer. */
const LAG_WITHIN_MS = 3_000;
const QUIET = { waiting: 0, running: 0, postponed: 0, retrying: 0, oldestWaitingSeconds: null };

/** What each stage has to do, who does it, and what got stuck on the way. */
@Injectable()
export class PipelineService {
  constructor(
    private readonly database: Database,
    @Inject(BUS) private readonly bus: BusLag,
  ) {}

  async now(): Promise<Pipeline> {
    const { read } = this.database;
    const [pressures, notices, runs, workers, dead, outbox, quarantined, measuredAt, lags] = await Promise.all([
      read.jobs.pressure(),
      this.notices(),
      read.jobs.running(),
      read.heartbeats.list(),
      read.deadLetters.counts(),
      read.outbox.backlog(),
      read.quarantine.countAll(),
      read.now(),
      Promise.all(STAGES.map((stage) => this.lagOf(stage))),
    ]);
    const stages = STAGES.map((stage, index): PipelineStage => {
      const { waiting, running, postponed, retrying, oldestWaitingSeconds } = pressures.find((one) => one.stage === stage) ?? QUIET;
      const ours = runs.filter((run) => run.stage === stage);
      return {
        stage,
        app: APP_OF_STAGE[stage],
        waiting,
        running,
        postponed,
        retrying,
        deadLetters: dead[stage] ?? 0,
        lag: lags[index] ?? null,
        oldestWaitingSeconds: oldestWaitingSeconds === null ? null : Math.max(0, oldestWaitingSeconds),
        notice: notices[stage] ?? null,
        workers: workers.filter((worker) => worker.stages.includes(stage)).map((worker) => presentWorker(worker, ours)),
      };
    });
    return { stages, outbox, quarantined, measuredAt: measuredAt.toISOString() };
  }

  async quarantine({ page, limit }: QuarantineQuery): Promise<{ rows: QuarantinedMessage[]; total: number }> {
    const { quarantine } = this.database.read;
    const [rows, total] = await Promise.all([quarantine.list(limit, (page - 1) * limit), quarantine.countAll()]);
    return { rows, total };
  }

  /** What workers found out about their outside systems before a post could fail at it. */
  private async notices(): Promise<Partial<Record<Stage, string>>> {
    const models = await this.database.read.workerReports.find<{ available: boolean; message: string }[]>('ai-models');
    const missing = (models?.report ?? []).filter(({ available }) => !available);
    return missing.length === 0 ? {} : { ai: missing.map(({ message }) => message).join(' ') };
  }

  private async lagOf(stage: Stage): Promise<number | null> {
    const giveUp = new AbortController();
    const asked = this.bus.lag(consumerGroup(stage), topics.requested[stage].name).catch(() => null);
    const late = pause(LAG_WITHIN_MS, null, { signal: giveUp.signal }).catch(() => null);
    return Promise.race([asked, late]).finally(() => giveUp.abort());
  }
}
