import { setTimeout as pause } from 'node:timers/promises';
import { consumerGroup, type StageRequest, stageRequestSchema, topics } from '@autoposter/contracts';
import type { EventBus, QuarantinedMessage, Received, Subscription } from '@autoposter/messaging';
import type { StageJob } from '@autoposter/persistence';
import { ClaimBatcher, type AttemptSettings } from './claim';
import type { BoundStage } from './define-stage';
import { faultPoint } from './fault-point';
import { JobAttempt } from './job-attempt';
import { stageMetrics, type StageMetrics } from './telemetry';

export interface StageRunnerOptions extends AttemptSettings {
  bus: EventBus;
  /** Concurrent attempts in this process; default: the stage's own limit. */
  slots?: number;
  /** Milliseconds between two polls for watched jobs and expired leases; default 1000. */
  pollMs?: number;
}

/** A job whose messages this process holds until the job ends, here or on another worker. */
interface Watched {
  turn: number;
  settle: (() => void)[];
  /** Whether the job was claimable when last read: it waits for a slot here. */
  claimable: boolean;
}

/** Messages held in addition to the slots: those of jobs that other workers run. */
const WATCH_LIMIT = 64;

/**
 * Runs one stage in one process. A message is only a hint that a job exists: the job is claimed under a lease in the database and runs
 * outside of the bus handler. The message is settled when the job has ended, on whichever worker. Jobs with an expired lease are taken over.
 */
export class StageRunner {
  private readonly watched = new Map<string, Watched>();
  private readonly attempts = new Map<string, { attempt: JobAttempt; ended: Promise<void> }>();
  private readonly metrics: StageMetrics;
  private readonly claims: ClaimBatcher;
  private readonly slots: number;
  private subscription: Subscription | null = null;
  private timer: NodeJS.Timeout | null = null;
  private polling: Promise<void> | null = null;
  /** Jobs with a claim in flight, so that several messages and polls cause one claim. */
  private readonly claiming = new Set<string>();
  /** Jobs with an expired lease that wait for a slot here; claimed before new ones. */
  private orphans: string[] = [];
  /** Requested jobs that a person waits for; claimed before earlier messages. */
  private urgent: string[] = [];
  private paused = false;
  private draining = false;
  private outage = false;

  constructor(
    private readonly bound: BoundStage,
    private readonly options: StageRunnerOptions,
  ) {
    this.slots = options.slots || bound.stage.limits.slots;
    this.claims = new ClaimBatcher(options, bound.stage);
    this.metrics = stageMetrics(bound.stage.name, options.metrics, () => this.attempts.size);
  }

  get running(): number {
    return this.attempts.size;
  }

  async start(): Promise<void> {
    const { name } = this.bound.stage;
    this.subscription = await this.options.bus.subscribe({
      group: consumerGroup(name),
      topic: topics.requested[name].name,
      schema: stageRequestSchema,
      maxInFlight: this.slots + WATCH_LIMIT,
      demand: () => this.freeSlots(),
      handle: (message) => this.handle(message),
      onQuarantine: (raw) => this.quarantine(raw),
    });
    this.schedule();
  }

  /**
   * Claims nothing new, lets running attempts end until the deadline, then stops them and releases their leases without counting the
   * attempt. Settles the messages of ended jobs and leaves the bus.
   */
  async drain(deadlineMs: number): Promise<void> {
    this.draining = true;
    this.subscription?.pause();
    if (this.timer !== null) clearTimeout(this.timer);
    await this.polling;
    // claims in flight become attempts, which are drained below
    while (this.claiming.size > 0) await pause(10);
    const until = performance.now() + deadlineMs;
    const all = (): Promise<unknown> => Promise.all([...this.attempts.values()].map(({ ended }) => ended));
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([all(), new Promise((resolve) => (timer = setTimeout(resolve, deadlineMs)))]);
    clearTimeout(timer);
    for (const { attempt } of this.attempts.values()) attempt.drain();
    await all();
    await this.subscription?.drain(Math.max(0, Math.min(until - performance.now(), 1000)));
  }

  private async handle(message: Received): Promise<void> {
    const { jobId, turn } = (message.envelope as StageRequest).payload;
    if (!this.watched.has(jobId) && !this.draining) return this.takeNew(jobId, turn, () => message.settle());
    const job = await this.options.database.read.jobs.find(jobId);
    if (job === null || isOver(job, turn)) {
      this.settle([() => message.settle()]);
      return;
    }
    const entry = this.watched.get(jobId);
    if (entry && entry.turn >= job.turn) entry.settle.push(() => message.settle());
    else
      this.watched.set(jobId, {
        turn: job.turn,
        settle: [...(entry?.settle ?? []), () => message.settle()],
        claimable: job.state === 'requested',
      });
    if (job.state === 'requested') void this.take(jobId, job.turn);
    this.balance();
  }

  /** Almost always the job is claimable: it is read only if the claim fails, or with the next poll. */
  private async takeNew(jobId: string, turn: number, settle: () => void): Promise<void> {
    this.watched.set(jobId, { turn, settle: [settle], claimable: true });
    try {
      if (this.hasFreeSlot() && !(await this.take(jobId, turn))) await this.check(jobId, await this.options.database.read.jobs.find(jobId));
    } catch (error) {
      // it stays watched, so the next poll reads it again
      this.reportOutage(error);
    }
    this.balance();
  }

  private async quarantine(raw: QuarantinedMessage): Promise<void> {
    const { topic, partition, offset, text, reason } = raw;
    this.options.logger.error({ topic, partition, offset, reason }, 'a message could not be parsed; it is quarantined');
    await this.options.database.read.quarantine.add({ topic, partition, messageOffset: offset, body: text, reason });
  }

  /** Claims and runs a job if a slot is free. Returns whether it runs here now. */
  private async take(jobId: string, turn: number | null, urgent = false): Promise<boolean> {
    if (this.draining || this.attempts.has(jobId) || this.claiming.has(jobId) || !this.hasFreeSlot(urgent)) return false;
    this.claiming.add(jobId);
    try {
      const claimed = await this.claims.claim(jobId, turn);
      if (claimed === null) return false;
      if (claimed.job.fence > 1 && turn === null && !urgent)
        this.options.logger.warn({ jobId, attempt: claimed.job.attempts }, 'took over a job whose lease had expired');
      const attempt = new JobAttempt(this.bound, claimed, this.options);
      const ended = this.follow(attempt, claimed.job);
      this.attempts.set(jobId, { attempt, ended });
      const entry = this.watched.get(jobId);
      if (entry) entry.claimable = false;
      return true;
    } catch (error) {
      this.reportOutage(error);
      return false;
    } finally {
      this.claiming.delete(jobId);
      this.balance();
    }
  }

  private hasFreeSlot(urgent = false): boolean {
    const extra = urgent ? (this.bound.stage.limits.slotsForPeople ?? 0) : 0;
    return this.attempts.size + this.claiming.size < this.slots + extra;
  }

  /** Takes jobs that a person waits for, also into the extra slots. */
  private takeUrgent(): void {
    while (this.urgent.length > 0 && this.hasFreeSlot(true)) void this.take(this.urgent.shift() ?? '', null, true);
  }

  private async follow(attempt: JobAttempt, job: StageJob): Promise<void> {
    const started = performance.now();
    // the caller adds the entry to `attempts`, after this function has returned its promise
    await Promise.resolve();
    const report = await attempt.run();
    this.metrics.ended(report.ended, (performance.now() - started) / 1000);
    this.attempts.delete(job.id);
    const entry = this.watched.get(job.id);
    if (report.ended !== 'lost' && entry && entry.turn <= job.turn) {
      this.watched.delete(job.id);
      this.settle(entry.settle);
    }
    this.balance();
    this.takeNext();
  }

  /** Fills free slots: jobs with an expired lease first, then urgent ones, then watched ones. */
  private takeNext(): void {
    while (this.hasFreeSlot() && this.orphans.length > 0) void this.take(this.orphans.shift() ?? '', null);
    this.takeUrgent();
    for (const [jobId, entry] of this.watched) {
      if (!this.hasFreeSlot()) return;
      if (entry.claimable) void this.take(jobId, entry.turn);
    }
  }

  /** Pauses the subscription while every slot is taken or reserved. */
  private balance(): void {
    if (this.subscription === null || this.draining) return;
    const full = this.freeSlots() <= 0;
    if (full === this.paused) return;
    this.paused = full;
    if (full) this.subscription.pause();
    else this.subscription.resume();
  }

  /** Slots without an attempt, a claim in flight or a held message that waits for them. */
  private freeSlots(): number {
    let waiting = [...this.claiming].filter((jobId) => !this.watched.has(jobId)).length;
    for (const [jobId, entry] of this.watched) if (entry.claimable && !this.attempts.has(jobId)) waiting += 1;
    return this.slots - this.attempts.size - waiting;
  }

  private schedule(): void {
    if (this.draining) return;
    this.timer = setTimeout(() => {
      this.polling = this.poll()
        .catch((error: unknown) => this.reportOutage(error))
        .finally(() => {
          this.polling = null;
          this.schedule();
        });
    }, this.options.pollMs ?? 1000);
    this.timer.unref();
  }

  /** Checks expired leases, urgent jobs and all watched jobs. */
  private async poll(): Promise<void> {
    const { database } = this.options;
    this.orphans = await database.read.jobs.expired(this.bound.stage.name, this.slots);
    while (this.hasFreeSlot() && this.orphans.length > 0) await this.take(this.orphans.shift() ?? '', null);
    this.urgent = await database.read.jobs.requestedForPerson(this.bound.stage.name, this.slots + 1);
    this.takeUrgent();
    const elsewhere = [...this.watched.keys()].filter((jobId) => !this.attempts.has(jobId));
    if (elsewhere.length > 0) {
      const jobs = new Map((await database.read.jobs.findMany(elsewhere)).map((job) => [job.id, job]));
      for (const jobId of elsewhere) await this.check(jobId, jobs.get(jobId) ?? null);
    }
    if (this.outage) this.options.logger.info({ stage: this.bound.stage.name }, 'the database is available again');
    this.outage = false;
    this.balance();
  }

  private async check(jobId: string, job: StageJob | null): Promise<void> {
    const entry = this.watched.get(jobId);
    if (!entry || this.attempts.has(jobId)) return;
    if (job === null || isOver(job, entry.turn)) {
      this.watched.delete(jobId);
      this.settle(entry.settle);
      return;
    }
    entry.claimable = job.state === 'requested';
    if (entry.claimable) await this.take(jobId, entry.turn);
  }

  private settle(settles: readonly (() => void)[]): void {
    faultPoint('settle:before');
    for (const settle of settles) settle();
    faultPoint('settle:after');
  }

  private reportOutage(error: unknown): void {
    if (!this.outage) this.options.logger.warn({ stage: this.bound.stage.name, error }, 'jobs cannot be claimed; retrying');
    this.outage = true;
  }
}

/** Whether a message of this turn can be settled. */
const isOver = (job: StageJob, turn: number): boolean => turn < job.turn || !(job.state === 'requested' || job.state === 'running');
