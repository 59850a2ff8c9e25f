import { setTimeout as pause } from 'node:timers/promises';
import {
  APP_OF_STAGE,
  CAPTION_STAGE,
  STAGES,
  type Pipeline,
  type PipelineStage,
  type QuarantineQuery,
  type Stage,
  isItemStage,
  type DeadLetterEntry,
  type PipelineWorker,
  type QuarantinedEntry,
  type RunningJob,
} from '@autoposter/contracts';
import { cutText } from '@autoposter/domain';
import { SILENT_AFTER_SECONDS } from '@autoposter/job-engine';
import { Database, type QuarantinedMessage, type DeadLetterRow, type RunningJobRow, type WorkerHeartbeat } from '@autoposter/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { BUS, type BusLag } from '../bootstrap/systems';

/** Limit for an event bus that does not respond. */
const LAG_TIMEOUT_MS = 3_000;
/** Sources of a stage that are listed. */
const SOURCES_SHOWN = 5;
const NO_JOBS = { waiting: 0, running: 0, postponed: 0, retrying: 0, oldestWaitingSeconds: null };

/** Backlog, workers and dead letters of each stage. */
@Injectable()
export class PipelineService {
  constructor(
    private readonly database: Database,
    @Inject(BUS) private readonly bus: BusLag,
  ) {}

  async now(): Promise<Pipeline> {
    const { read } = this.database;
    const [pressures, sources, notices, runs, workers, dead, outbox, quarantined, measuredAt, lags] = await Promise.all([
      read.jobCounts.pressure(),
      read.jobCounts.waitingBySource(SOURCES_SHOWN),
      this.notices(),
      read.jobCounts.running(),
      read.heartbeats.list(),
      read.deadLetters.counts(),
      read.outbox.backlog(),
      read.quarantine.countAll(),
      read.now(),
      Promise.all(STAGES.map((stage) => this.lagOf(stage))),
    ]);
    const stages = STAGES.map((stage, index): PipelineStage => {
      const { waiting, running, postponed, retrying, oldestWaitingSeconds } = pressures.find((one) => one.stage === stage) ?? NO_JOBS;
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
        waitingBySource: sources.filter((one) => one.stage === stage).map(({ stage: _stage, ...one }) => one),
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

  /** Problems that workers reported about their external systems before a post failed. */
  private async notices(): Promise<Partial<Record<Stage, string>>> {
    const models = await this.database.read.workerReports.find<{ available: boolean; message: string }[]>('ai-models');
    const missing = (models?.report ?? []).filter(({ available }) => !available);
    return missing.length === 0 ? {} : { [CAPTION_STAGE]: missing.map(({ message }) => message).join(' ') };
  }

  private async lagOf(stage: Stage): Promise<number | null> {
    const timeout = new AbortController();
    const lag = this.bus.lag(stage).catch(() => null);
    const expired = pause(LAG_TIMEOUT_MS, null, { signal: timeout.signal }).catch(() => null);
    return Promise.race([lag, expired]).finally(() => timeout.abort());
  }
}

/** Maximum displayed length of a quarantined message, in characters. */
const TEXT_LIMIT = 2000;

export const presentDeadLetter = (row: DeadLetterRow): DeadLetterEntry => ({
  id: row.id,
  stage: row.stage,
  subject: { itemId: row.itemId, title: row.title ?? 'Untitled' },
  kind: row.failure?.kind ?? 'internal',
  message: row.failure?.message ?? 'Unknown error',
  side: row.failure?.side ?? 'ours',
  nextAction: row.failure?.nextAction ?? 'Check the server log of that time.',
  attempts: row.attempts,
  diedAt: row.diedAt.toISOString(),
  replayable: isItemStage(row.stage),
});

export const presentQuarantined = ({
  id,
  topic,
  partition,
  messageOffset,
  body,
  reason,
  receivedAt,
}: QuarantinedMessage): QuarantinedEntry => ({
  id,
  topic,
  partition,
  offset: messageOffset,
  reason,
  text: cutText(body, TEXT_LIMIT),
  receivedAt: receivedAt.toISOString(),
});

/** A worker with its jobs of one stage. */
const presentWorker = (worker: WorkerHeartbeat & { silentSeconds: number }, runs: readonly RunningJobRow[]): PipelineWorker => ({
  id: worker.id,
  alive: worker.silentSeconds <= SILENT_AFTER_SECONDS,
  aliveSince: worker.since.toISOString(),
  lastSeenAt: worker.seenAt.toISOString(),
  workingOn: runs.filter((run) => run.leaseOwner === worker.id).map(presentRun),
});

const presentRun = (run: RunningJobRow): RunningJob => ({
  jobId: run.id,
  stage: run.stage,
  itemId: run.itemId,
  title: run.title,
  attempt: Math.max(1, run.attempts),
  startedAt: run.startedAt.toISOString(),
});
