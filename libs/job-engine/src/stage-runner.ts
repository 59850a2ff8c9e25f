import { type Stage, STAGE_FACTS } from '@autoposter/contracts';
import type { ClaimedJob, ClaimRequest, StageJob } from '@autoposter/persistence';
import { Poller, withinTime } from '@autoposter/resilience';
import type { BoundStage } from './define-stage';
import { faultPoint } from './fault-point';
import { type Claimant, GroupCommit } from './group-commit';
import { type AttemptSettings, JobAttempt } from './job-attempt';
import type { JobBus, JobMessage, JobSubscription } from './job-bus';
import type { LeaseInstant } from './lease';
import { stageMetrics } from './telemetry';

export interface StageRunnerOptions extends AttemptSettings {
  bus: JobBus;
  /** Concurrent attempts in this process; default: the stage's own limit. */
  slots?: number;
  /** Milliseconds between two polls for jobs without an announcement and for watched ones; default 1000. */
  pollMs?: number;
  /** The shared transactions of this process. */
  commits?: GroupCommit;
  /** Milliseconds of work to claim in advance, so that one claim serves many short jobs; default 100: too little for another worker to wait for. */
  aheadMs?: number;
}

/**
 * What this process knows of a job. `watched`: its messages are held, and another worker runs it or none yet. The others have an attempt here,
 * which excludes the job from claims even after it lost the lease, until it has stopped: `claimed` waits for a slot, `running` has one,
 * `ending` only waits for its commit. An ended job is not listed.
 */
type KnownJob = { state: 'watched'; messages: JobMessage[] } | HeldJob;

interface HeldJob {
  state: 'claimed' | 'running' | 'ending';
  messages: JobMessage[];
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
  private readonly jobs = new Map<string, KnownJob>();
  /** Requests of jobs that ended here, the last ones: request number by job. */
  private readonly ends = new Map<string, number>();
  private readonly recordEnd: ReturnType<typeof stageMetrics>;
  private readonly commits: GroupCommit;
  private readonly poller: Poller;
  private readonly slots: number;
  private readonly pollMs: number;
  private readonly aheadMs: number;
  private subscription: JobSubscription | null = null;
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
    return this.held().length;
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
    for (const one of this.held('claimed')) this.giveBack(one);
    const all = (): Promise<unknown> => Promise.all(this.held().map(({ ended }) => ended));
    await withinTime(all(), deadlineMs, 'the drain').catch(() => undefined);
    for (const { attempt } of this.held()) attempt.drain();
    await all();
    await this.subscription?.drain(Math.max(0, Math.min(until - performance.now(), 1000)));
  }

  private held(...states: HeldJob['state'][]): HeldJob[] {
    return [...this.jobs.values()].filter(
      (job) => job.state !== 'watched' && (states.length === 0 || states.includes(job.state)),
    ) as HeldJob[];
  }

  private async hold(message: JobMessage): Promise<void> {
    const known = this.jobs.get(message.jobId);
    if (message.requestNumber <= (this.ends.get(message.jobId) ?? 0)) return settle([message]);
    if (known === undefined) this.jobs.set(message.jobId, { state: 'watched', messages: [message] });
    else if (known.state !== 'watched' && message.requestNumber < known.job.requestNumber) settle([message]);
    else known.messages.push(message);
    if (known === undefined || known.state === 'watched') this.poller.wake();
    // if the database is unavailable, the next process settles it
    if (this.draining) await this.settleEnded([message.jobId]).catch(() => undefined);
  }

  private async work(): Promise<void> {
    do await this.commits.claim(this);
    while (this.mayHaveMore && this.request(0) !== null);
    if (performance.now() - this.checkedAt < this.pollMs) return;
    this.checkedAt = performance.now();
    await this.settleEnded([...this.jobs].filter(([, { state }]) => state === 'watched').map(([id]) => id));
    for (const one of this.held('claimed').filter(({ claimedAt }) => performance.now() - claimedAt.monotonic > MAX_AHEAD_MS)) {
      // no job is claimed in advance until the next attempt shows how long a job takes
      this.averageMs = Infinity;
      this.giveBack(one);
    }
  }

  /** Claims jobs for the free slots and, if jobs are short, some in advance; when all are taken, jobs that a person waits for, for the extra slots. */
  request(ending: number): ClaimRequest | null {
    const { owner, leaseSeconds } = this.options;
    const { stage, slots } = this;
    const held = this.held();
    const committing = held.filter(({ state }) => state === 'ending').length;
    if (this.draining || committing - ending > slots * MAX_AHEAD_PER_SLOT) return null;
    const freeSlots = slots - (held.length - committing);
    const ahead = this.isExclusive ? 0 : slots * Math.min(MAX_AHEAD_PER_SLOT, Math.floor(this.aheadMs / this.averageMs));
    const peopleOnly = freeSlots + ahead <= 0;
    const wanted = freeSlots + (peopleOnly ? this.slotsForPeople : ahead);
    // two jobs of one account must not be claimed by one statement
    const limit = this.isExclusive ? Math.min(wanted, 1) : wanted;
    const except = held.map(({ job }) => job.id);
    return limit <= 0 ? null : { stage, limit, owner, leaseSeconds, peopleOnly, except };
  }

  take(claimed: readonly ClaimedJob[], { limit }: ClaimRequest, claimedAt: LeaseInstant): void {
    this.mayHaveMore = claimed.length === limit;
    for (const { job, hadLapsed } of claimed) {
      if (hadLapsed) this.options.logger.warn({ jobId: job.id, attempt: job.attempts }, 'took over a job whose lease had expired');
      faultPoint('claim:after');
      const attempt = new JobAttempt(this.bound, job, this.options, this.commits, claimedAt);
      const messages = this.jobs.get(job.id)?.messages ?? [];
      this.jobs.set(job.id, { state: 'claimed', messages, job, attempt, claimedAt, ended: Promise.resolve() });
    }
    this.fillSlots();
  }

  /** Runs claimed jobs while slots are free, first those that people wait for, which may also take the extra slots. */
  private fillSlots(): void {
    let taken = this.held('running').length;
    for (const one of this.held('claimed').sort((a, b) => Number(b.job.forPerson) - Number(a.job.forPerson))) {
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
    this.jobs.delete(job.id);
    if (result !== 'lost') this.rememberEnd(job);
    const ended = result === 'lost' ? [] : held.messages.filter(({ requestNumber }) => requestNumber <= job.requestNumber);
    const open = held.messages.filter((message) => !ended.includes(message));
    if (open.length > 0) this.jobs.set(job.id, { state: 'watched', messages: open });
    settle(ended);
    this.fillSlots();
    this.poller.wake(this.mayHaveMore);
  }

  private rememberEnd({ id, requestNumber }: StageJob): void {
    this.ends.set(id, requestNumber);
    const [oldest] = this.ends.keys();
    if (this.ends.size > REMEMBERED_ENDS && oldest !== undefined) this.ends.delete(oldest);
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

/**
 * Whether the message of this request can be settled: the job was deleted, requested again, or has ended. The row may be older than a later
 * request, and then decides nothing about the message of that request.
 */
function isOver(job: StageJob | undefined, requestNumber: number): boolean {
  if (job === undefined || requestNumber < job.requestNumber) return true;
  return requestNumber === job.requestNumber && !(job.state === 'requested' || job.state === 'running');
}
