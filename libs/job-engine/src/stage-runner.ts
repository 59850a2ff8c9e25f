import { type Stage, STAGE_FACTS } from '@autoposter/contracts';
import type { Subscription } from '@autoposter/messaging';
import type { ClaimedJob, ClaimRequest, StageJob } from '@autoposter/persistence';
import { Poller, withinTime } from '@autoposter/resilience';
import type { BoundStage } from './define-stage';
import { faultPoint } from './fault-point';
import { type Claimant, GroupCommit } from './group-commit';
import { type AttemptSettings, JobAttempt } from './job-attempt';
import type { JobBus, JobMessage } from './job-bus';
import type { LeaseInstant } from './lease';
import { stageMetrics } from './telemetry';

export interface StageRunnerOptions extends AttemptSettings {
  bus: JobBus;
  /** Concurrent attempts in this process; default: the stage's own limit. */
  slots?: number;
  /** Milliseconds between two polls for jobs without an announcement, and for those of messages that are held; default 1000. */
  pollMs?: number;
  /** The shared transactions of this process. */
  commits?: GroupCommit;
  /** Milliseconds of work to claim in advance, so that one claim serves many short jobs; default 100: too little for another worker to wait for. */
  aheadMs?: number;
}

/**
 * A job with an attempt here, which excludes it from claims even after it lost the lease, until the attempt has stopped: `claimed` waits for a
 * slot, `running` has one, `ending` only waits for its commit.
 */
interface HeldJob {
  state: 'claimed' | 'running' | 'ending';
  job: StageJob;
  attempt: JobAttempt;
  claimedAt: LeaseInstant;
  ended: Promise<void>;
}

/** Jobs that are requested within this time are claimed together. */
const CLAIM_GAP_MS = 20;
const MAX_AHEAD_PER_SLOT = 3;
/** A job that waits longer than this for a slot is given back: the jobs before it take longer than those before them did. */
const MAX_AHEAD_MS = 1_000;
/** Messages held in addition to the slots: those of jobs that other workers run. */
const WATCH_LIMIT = 64;
/** Ended jobs whose messages are expected: a message of a short job arrives after its end. */
const REMEMBERED_ENDS = 1_000;

/**
 * Runs one stage in one process. The rows of the jobs are the queue: with free slots, jobs are claimed under a lease, first those whose lease
 * has expired, then those that a person waits for, then the oldest. An announcement is only a hint to claim now; its message is settled when the
 * job has ended, on whichever worker.
 */
export class StageRunner implements Claimant {
  private readonly held = new Map<string, HeldJob>();
  /** Unsettled messages by job. Another worker runs a job that is not held here, or none yet. */
  private readonly messages = new Map<string, JobMessage[]>();
  /** Requests of jobs that ended here, the last ones: request number by job. */
  private readonly ends = new Map<string, number>();
  private readonly recordEnd: ReturnType<typeof stageMetrics>;
  private readonly commits: GroupCommit;
  private readonly poller: Poller;
  private readonly slots: number;
  private readonly pollMs: number;
  private readonly aheadMs: number;
  private subscription: Subscription | null = null;
  private checkedAt = 0;
  private draining = false;
  /** Average duration of the last attempts without their commit, milliseconds. */
  private averageMs = Infinity;
  mayHaveMore = false;

  constructor(
    private readonly bound: BoundStage,
    private readonly options: StageRunnerOptions,
  ) {
    this.slots = options.slots || bound.stage.limits.slots;
    this.pollMs = options.pollMs ?? 1000;
    this.aheadMs = options.aheadMs ?? 100;
    this.commits = options.commits ?? new GroupCommit(options.database);
    this.poller = new Poller({
      work: () => this.work(),
      everyMs: () => this.pollMs,
      gapMs: () => CLAIM_GAP_MS,
      problem: `${this.stage} jobs cannot be claimed; retrying`,
      logger: options.logger,
    });
    this.recordEnd = stageMetrics(bound.stage.name, options.metrics, () => this.running);
  }

  get stage(): Stage {
    return this.bound.stage.name;
  }

  get isExclusive(): boolean {
    return STAGE_FACTS.oneJobPerKey.includes(this.stage);
  }

  get running(): number {
    return this.held.size;
  }

  async start(): Promise<void> {
    this.subscription = await this.options.bus.subscribe(this.bound.stage.name, {
      onRequested: () => this.poller.wake(),
      onMessage: (message) => this.receive(message),
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
    for (const one of this.inState('claimed')) this.giveBack(one);
    const all = (): Promise<unknown> => Promise.all([...this.held.values()].map(({ ended }) => ended));
    await withinTime(all(), deadlineMs, 'the drain').catch(() => undefined);
    for (const { attempt } of this.held.values()) attempt.drain();
    await all();
    await this.subscription?.drain(Math.max(0, Math.min(until - performance.now(), 1000)));
  }

  private inState(state: HeldJob['state']): HeldJob[] {
    return [...this.held.values()].filter((one) => one.state === state);
  }

  private async receive(message: JobMessage): Promise<void> {
    const { jobId, requestNumber } = message;
    const held = this.held.get(jobId);
    const lastEnd = Math.max(this.ends.get(jobId) ?? 0, (held?.job.requestNumber ?? 0) - 1);
    this.messages.set(jobId, [...(this.messages.get(jobId) ?? []), message]);
    if (requestNumber <= lastEnd) return this.settle(jobId, (request) => request <= lastEnd);
    if (held === undefined) this.poller.wake();
    // if the database is unavailable, the next process settles it
    if (this.draining) await this.settleEnded([jobId]).catch(() => undefined);
  }

  private async work(): Promise<void> {
    do await this.commits.claim(this);
    while (this.mayHaveMore && this.request(0) !== null);
    if (performance.now() - this.checkedAt < this.pollMs) return;
    this.checkedAt = performance.now();
    await this.settleEnded([...this.messages.keys()].filter((id) => !this.held.has(id)));
    for (const one of this.inState('claimed').filter(({ claimedAt }) => performance.now() - claimedAt.monotonic > MAX_AHEAD_MS)) {
      // no job is claimed in advance until the next attempt shows how long a job takes
      this.averageMs = Infinity;
      this.giveBack(one);
    }
  }

  /** Claims jobs for the free slots and, if jobs are short, some in advance; when all are taken, jobs that a person waits for, for the extra slots. */
  request(ending: number): ClaimRequest | null {
    const { owner, leaseSeconds } = this.options;
    const { stage, slots } = this;
    const committing = this.inState('ending').length;
    if (this.draining || committing - ending > slots * MAX_AHEAD_PER_SLOT) return null;
    const freeSlots = slots - (this.held.size - committing);
    const ahead = this.isExclusive ? 0 : slots * Math.min(MAX_AHEAD_PER_SLOT, Math.floor(this.aheadMs / this.averageMs));
    const peopleOnly = freeSlots + ahead <= 0;
    const wanted = freeSlots + (peopleOnly ? this.slotsForPeople : ahead);
    // two jobs of one account must not be claimed by one statement
    const limit = this.isExclusive ? Math.min(wanted, 1) : wanted;
    const except = [...this.held.keys()];
    return limit <= 0 ? null : { stage, limit, owner, leaseSeconds, peopleOnly, except };
  }

  take(claimed: readonly ClaimedJob[], { limit }: ClaimRequest, claimedAt: LeaseInstant): void {
    this.mayHaveMore = claimed.length === limit;
    for (const { job, hadLapsed } of claimed) {
      if (hadLapsed) this.options.logger.warn({ jobId: job.id, attempt: job.attempts }, 'took over a job whose lease had expired');
      faultPoint('claim:after');
      const attempt = new JobAttempt(this.bound, job, this.options, this.commits, claimedAt);
      this.held.set(job.id, { state: 'claimed', job, attempt, claimedAt, ended: Promise.resolve() });
    }
    this.fillSlots();
  }

  /** Runs claimed jobs while slots are free, first those that people wait for, which may also take the extra slots. */
  private fillSlots(): void {
    let taken = this.inState('running').length;
    for (const one of this.inState('claimed').sort((a, b) => Number(b.job.forPerson) - Number(a.job.forPerson))) {
      if (taken >= this.slots + (one.job.forPerson ? this.slotsForPeople : 0)) return;
      taken += 1;
      one.state = 'running';
      one.ended = this.follow(one);
    }
  }

  /** Ends a claimed job before its attempt begins, so that neither an attempt nor a start is recorded. */
  private giveBack(held: HeldJob): void {
    held.attempt.drain();
    held.state = 'ending';
    held.ended = this.follow(held);
  }

  private get slotsForPeople(): number {
    return this.bound.stage.limits.slotsForPeople ?? 0;
  }

  private async follow(held: HeldJob): Promise<void> {
    const { attempt, job } = held;
    const started = performance.now();
    const result = await attempt.run(() => {
      if (held.state !== 'running') return;
      held.state = 'ending';
      const ms = performance.now() - started;
      this.averageMs = this.averageMs === Infinity ? ms : 0.8 * this.averageMs + 0.2 * ms;
      this.fillSlots();
    });
    this.recordEnd(result, (performance.now() - started) / 1000);
    this.held.delete(job.id);
    if (result !== 'lost') this.rememberEnd(job);
    this.fillSlots();
    this.poller.wake(this.mayHaveMore);
  }

  private rememberEnd({ id, requestNumber }: StageJob): void {
    this.ends.set(id, requestNumber);
    const [oldest] = this.ends.keys();
    if (this.ends.size > REMEMBERED_ENDS && oldest !== undefined) this.ends.delete(oldest);
    this.settle(id, (request) => request <= requestNumber);
  }

  /** Settles the messages of these jobs whose request is over. */
  private async settleEnded(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const found = new Map((await this.options.database.read.jobs.findMany(ids)).map((job) => [job.id, job]));
    for (const id of ids) this.settle(id, (request) => isOver(found.get(id), request));
  }

  private settle(jobId: string, isEnded: (requestNumber: number) => boolean): void {
    const messages = this.messages.get(jobId) ?? [];
    const ended = messages.filter(({ requestNumber }) => isEnded(requestNumber));
    if (ended.length === 0) return;
    const open = messages.filter((message) => !ended.includes(message));
    if (open.length === 0) this.messages.delete(jobId);
    else this.messages.set(jobId, open);
    faultPoint('settle:before');
    for (const message of ended) message.settle();
    faultPoint('settle:after');
  }
}

/**
 * Whether the message of this request can be settled: the job was deleted, requested again, or has ended. The row may be older than a later
 * request, and then decides nothing about the message of that request.
 */
function isOver(job: StageJob | undefined, requestNumber: number): boolean {
  if (job === undefined || requestNumber < job.requestNumber) return true;
  return requestNumber === job.requestNumber && !(job.state === 'requested' || job.state === 'running');
}
