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
  /** Runs at a time in this process; what the stage says unless given. */
  slots?: number;
  /** Milliseconds between two looks at jobs that are watched and at leases that are over; 1000 unless given. */
  pollMs?: number;
}

/** A job whose messages this process holds until the job has ended, here or elsewhere. */
interface Watched {
  turn: number;
  settle: (() => void)[];
  /** Whether the job could be had when last looked at: it waits for a slot here. */
  claimable: boolean;
}

/** Messages that may be held beside the runs: those of jobs that other workers run. */
const WATCH_ROOM = 64;

/**
 * Runs one stage in one process. A message is only the hint that a job is there: the job is taken under a lease in the database, run
 * outside of the bus, and the message is settled when the job has ended, wherever it ran. Jobs whose worker fell silent are taken over.
 */
export class StageRunner {
  private readonly watched = new Map<string, Watched>();
  private readonly runs = new Map<string, { run: JobAttempt; ended: Promise<void> }>();
  private readonly metrics: StageMetrics;
  private readonly claims: ClaimBatcher;
  private readonly slots: number;
  private subscription: Subscription | null = null;
  private timer: NodeJS.Timeout | null = null;
  private polling: Promise<void> | null = null;
  /** Jobs whose claim is on its way to the database: asked for once, however many messages and looks name them. */
  private readonly claiming = new Set<string>();
  /** Jobs of silent workers that wait for a slot here: they go before new ones. */
  private orphans: string[] = [];
  /** Requested jobs that a person waits for: they go before the messages that came earlier. */
  private urgent: string[] = [];
  private paused = false;
  private draining = false;
  private away = false;

  constructor(
    private readonly bound: BoundStage,
    private readonly options: StageRunnerOptions,
  ) {
    this.slots = options.slots || bound.stage.limits.slots;
    this.claims = new ClaimBatcher(options, bound.stage);
    this.metrics = stageMetrics(bound.stage.name, options.metrics, () => this.runs.size);
  }

  get running(): number {
    return this.runs.size;
  }

  async start(): Promise<void> {
    const { name } = this.bound.stage;
    this.subscription = await this.options.bus.subscribe({
      group: consumerGroup(name),
      topic: topics.requested[name].name,
      schema: stageRequestSchema,
      maxInFlight: this.slots + WATCH_ROOM,
      demand: () => this.freeSlots(),
      handle: (message) => this.handle(message),
      onQuarantine: (raw) => this.quarantine(raw),
    });
    this.schedule();
  }

  /**
   * Takes nothing new, lets runs end until the deadline, then stops them and gives their leases back without counting the attempt, settles
   * what has ended and leaves the bus.
   */
  async drain(deadlineMs: number): Promise<void> {
    this.draining = true;
    this.subscription?.pause();
    if (this.timer !== null) clearTimeout(this.timer);
    await this.polling;
    // claims that are on their way become runs, and those are drained
    while (this.claiming.size > 0) await pause(10);
    const until = performance.now() + deadlineMs;
    const all = (): Promise<unknown> => Promise.all([...this.runs.values()].map(({ ended }) => ended));
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([all(), new Promise((resolve) => (timer = setTimeout(resolve, deadlineMs)))]);
    clearTimeout(timer);
    for (const { run } of this.runs.values()) run.drain();
    await all();
    await this.subscription?.drain(Math.max(0, Math.min(until - performance.now(), 1000)));
  }

  private async handle(message: Received): Promise<void> {
    const { jobId, turn } = (message.envelope as StageRequest).payload;
    if (!this.watched.has(jobId) && !this.draining) return this.takeUnseen(jobId, turn, () => message.settle());
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

  /** Nearly always the job is there for the taking: it is looked at only where it cannot be had, or with the next poll. */
  private async takeUnseen(jobId: string, turn: number, settle: () => void): Promise<void> {
    this.watched.set(jobId, { turn, settle: [settle], claimable: true });
    try {
      if (this.hasRoom() && !(await this.take(jobId, turn))) await this.look(jobId, await this.options.database.read.jobs.find(jobId));
    } catch (error) {
      // watched as it is, it is looked at again with the next poll
      this.noteAway(error);
    }
    this.balance();
  }

  private async quarantine(raw: QuarantinedMessage): Promise<void> {
    const { topic, partition, offset, text, reason } = raw;
    this.options.logger.error({ topic, partition, offset, reason }, 'a message could not be read; it is kept in quarantine');
    await this.options.database.read.quarantine.add({ topic, partition, messageOffset: offset, body: text, reason });
  }

  /** Claims and runs a job if a slot is free. Answers whether it runs here now. */
  private async take(jobId: string, turn: number | null, urgent = false): Promise<boolean> {
    if (this.draining || this.runs.has(jobId) || this.claiming.has(jobId) || !this.hasRoom(urgent)) return false;
    this.claiming.add(jobId);
    try {
      const begun = await this.claims.claim(jobId, turn);
      if (begun === null) return false;
      if (begun.job.fence > 1 && turn === null && !urgent)
        this.options.logger.warn({ jobId, attempt: begun.job.attempts }, 'a job was taken over from a silent worker');
      const run = new JobAttempt(this.bound, begun, this.options);
      const ended = this.follow(run, begun.job);
      this.runs.set(jobId, { run, ended });
      const entry = this.watched.get(jobId);
      if (entry) entry.claimable = false;
      return true;
    } catch (error) {
      this.noteAway(error);
      return false;
    } finally {
      this.claiming.delete(jobId);
      this.balance();
    }
  }

  private hasRoom(urgent = false): boolean {
    const kept = urgent ? (this.bound.stage.limits.slotsForPeople ?? 0) : 0;
    return this.runs.size + this.claiming.size < this.slots + kept;
  }

  /** Takes what people wait for, also into the slots that the stage keeps for them. */
  private takeUrgent(): void {
    while (this.urgent.length > 0 && this.hasRoom(true)) void this.take(this.urgent.shift() ?? '', null, true);
  }

  private async follow(run: JobAttempt, job: StageJob): Promise<void> {
    const started = performance.now();
    // the entry in `runs` is made by the caller, after this function has returned its promise
    await Promise.resolve();
    const report = await run.run();
    this.metrics.ended(report.ended, (performance.now() - started) / 1000);
    this.runs.delete(job.id);
    const entry = this.watched.get(job.id);
    if (report.ended !== 'lost' && entry && entry.turn <= job.turn) {
      this.watched.delete(job.id);
      this.settle(entry.settle);
    }
    this.balance();
    this.takeNext();
  }

  /** A slot is free: the next one that waits for it, those of silent workers first. */
  private takeNext(): void {
    while (this.hasRoom() && this.orphans.length > 0) void this.take(this.orphans.shift() ?? '', null);
    this.takeUrgent();
    for (const [jobId, entry] of this.watched) {
      if (!this.hasRoom()) return;
      if (entry.claimable) void this.take(jobId, entry.turn);
    }
  }

  /** Nothing new is taken from the bus while all slots are taken or spoken for. */
  private balance(): void {
    if (this.subscription === null || this.draining) return;
    const full = this.freeSlots() <= 0;
    if (full === this.paused) return;
    this.paused = full;
    if (full) this.subscription.pause();
    else this.subscription.resume();
  }

  /** Slots that no run has, no claim is on its way for and no held message waits for. */
  private freeSlots(): number {
    let waiting = [...this.claiming].filter((jobId) => !this.watched.has(jobId)).length;
    for (const [jobId, entry] of this.watched) if (entry.claimable && !this.runs.has(jobId)) waiting += 1;
    return this.slots - this.runs.size - waiting;
  }

  private schedule(): void {
    if (this.draining) return;
    this.timer = setTimeout(() => {
      this.polling = this.poll()
        .catch((error: unknown) => this.noteAway(error))
        .finally(() => {
          this.polling = null;
          this.schedule();
        });
    }, this.options.pollMs ?? 1000);
    this.timer.unref();
  }

  /** Looks at leases that are over, and at all watched jobs at once. */
  private async poll(): Promise<void> {
    const { database } = this.options;
    this.orphans = await database.read.jobs.expired(this.bound.stage.name, this.slots);
    while (this.hasRoom() && this.orphans.length > 0) await this.take(this.orphans.shift() ?? '', null);
    this.urgent = await database.read.jobs.requestedForPerson(this.bound.stage.name, this.slots + 1);
    this.takeUrgent();
    const elsewhere = [...this.watched.keys()].filter((jobId) => !this.runs.has(jobId));
    if (elsewhere.length > 0) {
      const jobs = new Map((await database.read.jobs.findMany(elsewhere)).map((job) => [job.id, job]));
      for (const jobId of elsewhere) await this.look(jobId, jobs.get(jobId) ?? null);
    }
    if (this.away) this.options.logger.info({ stage: this.bound.stage.name }, 'the database answers again');
    this.away = false;
    this.balance();
  }

  private async look(jobId: string, job: StageJob | null): Promise<void> {
    const entry = this.watched.get(jobId);
    if (!entry || this.runs.has(jobId)) return;
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

  private noteAway(error: unknown): void {
    if (!this.away) this.options.logger.warn({ stage: this.bound.stage.name, error }, 'jobs cannot be taken now; it is tried again');
    this.away = true;
  }
}

/** Whether a message of this turn has nothing more to wait for. */
const isOver = (job: StageJob, turn: number): boolean => turn < job.turn || !(job.state === 'requested' || job.state === 'running');
