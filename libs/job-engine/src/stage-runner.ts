import { type Stage, STAGE_FACTS } from '@autoposter/contracts';
import type { ClaimedJob, ClaimRequest, StageJob } from '@autoposter/persistence';
import type { BoundStage } from './define-stage';
import { faultPoint } from './fault-point';
import { type Claimant, GroupCommit } from './group-commit';
import { type AttemptSettings, JobAttempt } from './job-attempt';
import type { JobBus, JobMessage, JobSubscription } from './job-bus';
import type { LeaseInstant } from './lease';
import { Poller } from './poller';
import { stageMetrics, type StageMetrics } from './telemetry';

export interface StageRunnerOptions extends AttemptSettings {
  bus: JobBus;
  /** Concurrent attempts in this process; default: the stage's own limit. */
  slots?: number;
  /** Milliseconds between two polls for jobs without an announcement and for watched ones; default 1000. */
  pollMs?: number;
  /** The shared transactions of this process. */
  commits?: GroupCommit;
}

/**
 * What this process knows of a job. `watched`: its messages are held, and another worker runs it or none yet. `running`: an attempt is here,
 * and it keeps its slot and excludes the job from claims even after it lost the lease, until it has stopped. An ended job is not listed.
 */
type KnownJob =
  { state: 'watched'; messages: JobMessage[] } | { state: 'running'; messages: JobMessage[]; attempt: JobAttempt; ended: Promise<void> };

/** Jobs that are requested within this time are claimed together. */
const CLAIM_GAP_MS = 20;
/** Messages held in addition to the slots: those of jobs that other workers run. */
const WATCH_LIMIT = 64;

/**
 * Runs one stage in one process. The rows of the jobs are the queue: with free slots, jobs are claimed under a lease, first those whose lease
 * has expired, then those that a person waits for, then the oldest. An announcement is only a hint to claim now; its message is settled when the
 * job has ended, on whichever worker.
 */
export class StageRunner implements Claimant {
  private readonly jobs = new Map<string, KnownJob>();
  private readonly metrics: StageMetrics;
  private readonly commits: GroupCommit;
  private readonly poller: Poller;
  private readonly slots: number;
  private readonly pollMs: number;
  private subscription: JobSubscription | null = null;
  private checkedAt = 0;
  private draining = false;
  private outage = false;
  mayHaveMore = false;

  constructor(
    private readonly bound: BoundStage,
    private readonly options: StageRunnerOptions,
  ) {
    this.slots = options.slots || bound.stage.limits.slots;
    this.pollMs = options.pollMs ?? 1000;
    this.commits = options.commits ?? new GroupCommit(options.database);
    this.poller = new Poller(
      () => this.work(),
      () => this.pollMs,
      CLAIM_GAP_MS,
    );
    this.metrics = stageMetrics(bound.stage.name, options.metrics, () => this.running);
  }

  get stage(): Stage {
    return this.bound.stage.name;
  }

  get running(): number {
    return this.attempts().length;
  }

  async start(): Promise<void> {
    this.subscription = await this.options.bus.subscribe(this.bound.stage.name, {
      onRequested: () => this.poller.wake(),
      onMessage: (message) => this.hold(message),
      maxMessages: this.slots + WATCH_LIMIT,
    });
    this.commits.join(this);
    this.poller.start();
    this.poller.wake();
  }

  /**
   * Claims nothing new, lets running attempts end until the deadline, then stops them and releases their leases without counting the
   * attempt. Settles the messages of ended jobs and leaves the bus.
   */
  async drain(deadlineMs: number): Promise<void> {
    this.draining = true;
    await this.poller.stop();
    await this.commits.leave(this);
    const until = performance.now() + deadlineMs;
    const all = (): Promise<unknown> => Promise.all(this.attempts().map(({ ended }) => ended));
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([all(), new Promise((resolve) => (timer = setTimeout(resolve, deadlineMs)))]);
    clearTimeout(timer);
    for (const { attempt } of this.attempts()) attempt.drain();
    await all();
    await this.subscription?.drain(Math.max(0, Math.min(until - performance.now(), 1000)));
  }

  private attempts(): Extract<KnownJob, { state: 'running' }>[] {
    return [...this.jobs.values()].filter((job) => job.state === 'running');
  }

  private idsIn(state: KnownJob['state']): string[] {
    return [...this.jobs].filter(([, job]) => job.state === state).map(([id]) => id);
  }

  private async hold(message: JobMessage): Promise<void> {
    const known = this.jobs.get(message.jobId);
    if (known) known.messages.push(message);
    else this.jobs.set(message.jobId, { state: 'watched', messages: [message] });
    this.poller.wake();
    // a repeated message may be for an earlier request; if the database is unavailable, the next poll settles it
    if (known || this.draining) await this.settleEnded([message.jobId]).catch(() => undefined);
  }

  /** Never rejects. */
  private async work(): Promise<void> {
    try {
      do await this.commits.claim(this);
      while (this.mayHaveMore && this.request(0) !== null);
      if (performance.now() - this.checkedAt >= this.pollMs) {
        this.checkedAt = performance.now();
        await this.settleEnded(this.idsIn('watched'));
      }
      if (this.outage) this.options.logger.info({ stage: this.stage }, 'the database is available again');
      this.outage = false;
    } catch (error) {
      if (!this.outage) this.options.logger.warn({ stage: this.bound.stage.name, error }, 'jobs cannot be claimed; retrying');
      this.outage = true;
    }
  }

  /** Fills the free slots; when all are taken, the extra slots with jobs that a person waits for. */
  request(ending: number): ClaimRequest | null {
    const { owner, leaseSeconds } = this.options;
    const { stage } = this;
    const except = this.idsIn('running');
    const free = this.slots - except.length + ending;
    const most = free > 0 ? free : free + (this.bound.stage.limits.slotsForPeople ?? 0);
    // two jobs of one account must not be claimed by one statement
    const limit = STAGE_FACTS.oneJobPerKey.includes(stage) ? Math.min(most, 1) : most;
    return limit <= 0 || this.draining ? null : { stage, limit, owner, leaseSeconds, peopleOnly: free <= 0, except };
  }

  take(claimed: readonly ClaimedJob[], { limit }: ClaimRequest, requestedAt: LeaseInstant): void {
    this.mayHaveMore = claimed.length === limit;
    for (const { job, hadLapsed } of claimed) {
      if (hadLapsed) this.options.logger.warn({ jobId: job.id, attempt: job.attempts }, 'took over a job whose lease had expired');
      faultPoint('claim:after');
      const attempt = new JobAttempt(this.bound, job, this.options, this.commits, requestedAt);
      const messages = this.jobs.get(job.id)?.messages ?? [];
      this.jobs.set(job.id, { state: 'running', messages, attempt, ended: this.follow(attempt, job) });
    }
  }

  private async follow(attempt: JobAttempt, job: StageJob): Promise<void> {
    const started = performance.now();
    const report = await attempt.run();
    this.metrics.ended(report.ended, (performance.now() - started) / 1000);
    const messages = this.jobs.get(job.id)?.messages ?? [];
    this.jobs.delete(job.id);
    const ended = report.ended === 'lost' ? [] : messages.filter(({ requestNumber }) => requestNumber <= job.requestNumber);
    const open = messages.filter((message) => !ended.includes(message));
    if (open.length > 0) this.jobs.set(job.id, { state: 'watched', messages: open });
    settle(ended);
    this.poller.wake(this.mayHaveMore);
  }

  /** Settles the messages among these jobs whose request is over. */
  private async settleEnded(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const found = new Map((await this.options.database.read.jobs.findMany(ids)).map((job) => [job.id, job]));
    for (const id of ids) {
      const known = this.jobs.get(id);
      if (!known) continue;
      const ended = known.messages.filter(({ requestNumber }) => isOver(found.get(id), requestNumber));
      known.messages = known.messages.filter((message) => !ended.includes(message));
      if (known.state === 'watched' && known.messages.length === 0) this.jobs.delete(id);
      settle(ended);
    }
  }
}

function settle(messages: readonly JobMessage[]): void {
  if (messages.length === 0) return;
  faultPoint('settle:before');
  for (const message of messages) message.settle();
  faultPoint('settle:after');
}

/** Whether a message of this request can be settled; also if the job was deleted. */
const isOver = (job: StageJob | undefined, requestNumber: number): boolean =>
  job === undefined || requestNumber < job.requestNumber || !(job.state === 'requested' || job.state === 'running');
