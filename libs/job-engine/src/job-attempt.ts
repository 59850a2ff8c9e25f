import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, failureOf, toFailure } from '@autoposter/domain';
import type { Logger, Metrics } from '@autoposter/observability';
import type { Database, JobEnd, StageJob, UnitOfWork } from '@autoposter/persistence';
import { retry, settleOrAbort } from '@autoposter/resilience';
import { attemptEnd, type AttemptOutcome, attemptStart, type EndedAttempt, endOf, hasToStart } from './attempt-commits';
import type { AnyStep, BoundStage } from './define-stage';
import { checkpointKey, type Skipped, type StepResult, type Waits } from './define-step';
import { faultPoint } from './fault-point';
import type { GroupCommit } from './group-commit';
import { type LeaseInstant, LeaseKeeper, LostLease, leaseInstant } from './lease';
import { inAttemptSpan, inStepSpan } from './telemetry';

export interface AttemptSettings {
  database: Database;
  /** The name under which this process holds leases. */
  owner: string;
  leaseSeconds: number;
  /** Delay before the first automatic retry. */
  retrySeconds: number;
  /** Parent folder of the attempts' work folders. */
  workRoot: string;
  logger: Logger;
  metrics?: Metrics | undefined;
}

type Stop = 'lost' | 'drain' | 'timeout' | 'crash';

/** The state in which the attempt left its job; `lost` if another worker owned the job by then. */
type AttemptResult = JobEnd['state'] | 'lost';

/** How long the result of an irreversible call is retried while the database is unavailable. */
const KEEP_RESULT_MS = 600_000;
/** Tries to commit the end of an attempt: as it is, as a failure, and for a dead job without the stage. */
const END_TRIES = 3;
/** How long an aborted step may clean up. */
const CLEAN_UP_MS = 5000;
/** Pauses between two tries while the database is unavailable: short, because a lease is running. */
const PAUSES = { firstPauseMs: 100, longestPauseMs: 2_000 };

/** Places at which a reliability trial may kill the process, before and after a step. */
const FAULTS = { pure: null, read: null, idempotent: 'store', irreversible: 'call' } as const;

const currentAttempt = new AsyncLocalStorage<JobAttempt>();

/** Fails the attempt whose code threw outside of its awaited promises. Does nothing if the error came from no attempt. */
export const attributeToAttempt = (error: unknown): void => currentAttempt.getStore()?.crash(error);

/** One attempt of a claimed job. */
export class JobAttempt {
  private readonly controller = new AbortController();
  private readonly keeper: LeaseKeeper;
  private stop: Stop | null = null;
  private crashed: Failure | null = null;
  /** Created when a step first reads it. */
  private folder = '';
  private input: unknown;
  private tools: unknown;
  /** Objects that this attempt stored. */
  private readonly stored: string[] = [];

  constructor(
    private readonly bound: BoundStage,
    private readonly job: StageJob,
    private readonly settings: AttemptSettings,
    private readonly commits: GroupCommit,
    private readonly claimedAt: LeaseInstant,
  ) {
    this.tools = bound.tools;
    this.keeper = new LeaseKeeper({
      leaseSeconds: settings.leaseSeconds,
      requestedAt: claimedAt,
      renew: () => settings.database.read.jobs.renew(job, settings.leaseSeconds),
      onLost: (why) => {
        settings.logger.warn({ ...this.facts, why }, 'the lease was lost; the attempt stops');
        this.interrupt('lost');
      },
    });
  }

  /** The process drains: the attempt stops and releases its lease, after an irreversible call that is in flight. */
  drain(): void {
    this.interrupt('drain');
  }

  /** The attempt's code threw outside of its promises: it has failed, and its promise may never settle. */
  crash(error: unknown): void {
    this.crashed = toFailure(error);
    this.settings.logger.error({ ...this.facts, error }, 'an attempt threw outside of its promises; it counts as failed');
    this.interrupt('crash');
  }

  /** Never rejects. `onWorked` is called when only the commit of the end is left. */
  run(onWorked: () => void): Promise<AttemptResult> {
    return currentAttempt.run(this, () => inAttemptSpan(this.job, () => this.execute(onWorked)));
  }

  private async execute(onWorked: () => void): Promise<AttemptResult> {
    const limit = setTimeout(() => this.interrupt('timeout'), this.bound.stage.limits.timeoutMs);
    limit.unref();
    try {
      const outcome = await this.outcome();
      onWorked();
      this.keeper.leaveToCommit();
      return await this.finish({ stage: this.bound.stage, job: this.job, input: this.input, now: this.now() }, outcome);
    } catch (error) {
      if (!(error instanceof LostLease))
        this.settings.logger.error({ ...this.facts, error }, 'the end of an attempt could not be written; another worker takes over');
      else if (this.stop !== 'lost')
        this.settings.logger.warn({ ...this.facts, error }, 'the job was no longer held; the attempt wrote no end');
      this.stop = 'lost';
      await this.discard();
      return 'lost';
    } finally {
      clearTimeout(limit);
      this.keeper.stop();
      if (this.folder !== '') await rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  private async discard(): Promise<void> {
    if (this.stored.length > 0) await this.bound.discard?.(this.job.id, this.stored.splice(0));
  }

  private get facts() {
    const { id, stage, itemId, attempts } = this.job;
    return { jobId: id, stage, itemId, attempt: attempts };
  }

  private async outcome(): Promise<AttemptOutcome> {
    const { job } = this;
    // not with an intent: the stage has to record that the outcome of the call is unknown
    if (this.stop === 'drain' && job.intentStep === null) return { kind: 'released', step: null };
    try {
      this.input = await this.load();
    } catch (error) {
      if (this.stop !== null && this.settings.database.isOutage(error)) return this.stopped('load', undefined);
      return this.failed(error, 'load', job.attempts > job.maxAttempts);
    }
    if (this.input === null) return { kind: 'cancelled' };
    if (job.intentStep !== null && !(job.intentStep in job.journal))
      return { kind: 'unknown', step: job.intentStep, failure: failureOf('worker_died_in_call', { fields: { step: job.intentStep } }) };
    if (job.attempts > job.maxAttempts)
      return {
        kind: 'fail',
        step: 'claim',
        final: true,
        failure: job.failure ?? failureOf('never_finished', { fields: { attempts: job.maxAttempts } }),
      };
    return this.steps().catch((error: unknown) => this.failed(error, 'run', false));
  }

  /** Repeated during an outage for as long as the lease is held: without its input, the stage cannot record that the job failed. */
  private load(): Promise<unknown> {
    const { stage } = this.bound;
    const load = hasToStart(stage, this.job)
      ? () => this.commits.commit(attemptStart(stage, this.job))
      : () => stage.load(this.settings.database.read, this.job);
    return this.throughOutage(load, Infinity, () => this.stop === null);
  }

  /** Repeats `work` for at most `withinMs` while the database is unavailable and `isWanted`. */
  private throughOutage<T>(work: () => Promise<T>, withinMs: number, isWanted = () => true): Promise<T> {
    const until = performance.now() + withinMs;
    const shouldRetry = (error: unknown): boolean => this.settings.database.isOutage(error) && performance.now() < until && isWanted();
    return retry(work, { ...PAUSES, shouldRetry });
  }

  private async steps(): Promise<AttemptOutcome> {
    const { steps } = this.bound.stage;
    const { job } = this;
    if (this.bound.toolsFor) this.tools = await this.bound.toolsFor(this.input);
    const last = steps.findLastIndex((step) => step.name in job.journal);
    let value: unknown = last < 0 ? this.input : job.journal[steps[last]?.name ?? ''];
    for (const [index, step] of steps.entries()) {
      if (index <= last) continue;
      const reached = index === 0 ? undefined : value;
      if (this.stop !== null) return this.stopped(step.name, reached);
      this.assertHeld();
      const refused = step.effect === 'irreversible' ? await this.intend(step, value) : null;
      if (refused !== null) return refused;
      const result = await inStepSpan(job, step.name, () => this.perform(step, value));
      if (result.kind !== 'done') return this.fromResult(result, step, reached);
      value = result.output;
      if (step.effect === 'irreversible' || (step.effect === 'idempotent' && index < steps.length - 1)) await this.journal(step, value);
    }
    return { kind: 'done', output: value };
  }

  private async perform(step: AnyStep, value: unknown): Promise<StepResult<unknown>> {
    const { job } = this;
    const irreversible = step.effect === 'irreversible';
    const folder = (): string => (this.folder ||= mkdtempSync(join(this.settings.workRoot, `run.${process.pid}.`)));
    // nothing interrupts an irreversible call
    const { signal } = irreversible ? new AbortController() : this.controller;
    const fault = FAULTS[step.effect];
    const context = {
      signal,
      get workFolder() {
        return folder();
      },
      jobId: job.id,
      fence: job.fence,
      subjectId: job.subjectId,
      attempt: job.attempts,
      forPerson: job.forPerson,
      now: this.now(),
      logger: this.settings.logger,
      checkpoint: job.journal[checkpointKey(step.name)],
      assertHeld: () => this.assertHeld(),
      noteStored: (key: string) => {
        this.stored.push(key);
        if (this.stop === 'lost') void this.discard();
      },
      // journaling a checkpoint would clear the intent, which must stay until the result of the call is journaled
      saveCheckpoint: (progress: unknown) =>
        irreversible
          ? Promise.reject(new Error(`${step.name} is irreversible and cannot save checkpoints`))
          : this.journal(step, progress, checkpointKey(step.name)),
    };
    if (fault !== null) faultPoint(`${fault}:before`);
    if (irreversible) this.assertHeld();
    try {
      const result = await settleOrAbort(step.run(value, this.tools, context), signal, CLEAN_UP_MS);
      if (fault !== null) faultPoint(`${fault}:after`);
      return result;
    } catch (error) {
      if (irreversible && error instanceof LostLease) throw error;
      if (irreversible) {
        this.settings.logger.error({ ...this.facts, step: step.name, error }, 'an irreversible call failed with an unknown outcome');
        return { kind: 'unknown', failure: failureOf('call_unanswered', { fields: { step: step.name } }) };
      }
      if (this.stop !== null) return { kind: 'fail', failure: this.interruption() };
      const failure = toFailure(error);
      this.settings.logger.warn({ ...this.facts, step: step.name, kind: failure.kind, error }, 'a step failed');
      return { kind: 'fail', failure };
    }
  }

  /** Before each step: a process that was frozen continues here before its timers. If it throws after the intent, the next worker reconciles. */
  private assertHeld(): void {
    if (this.stop === 'lost' || !this.keeper.isHeld) throw new LostLease('the lease may have expired; nothing more was begun');
  }

  private fromResult(result: Exclude<StepResult<unknown>, { kind: 'done' }>, step: AnyStep, reached: unknown): AttemptOutcome {
    if (this.stop !== null && result.kind === 'fail') return this.stopped(step.name, reached);
    if (result.kind === 'fail') return { ...result, step: step.name, final: false, reached: result.reached ?? reached };
    return result.kind === 'unknown' ? { ...result, step: step.name } : result;
  }

  private stopped(step: string, reached: unknown): AttemptOutcome {
    if (this.stop === 'lost') throw new LostLease('the lease was lost');
    if (this.stop === 'drain') return { kind: 'released', step };
    return { kind: 'fail', failure: this.interruption(), step, final: false, reached };
  }

  private interruption(): Failure {
    return this.crashed ?? failureOf('timed_out', { fields: { seconds: Math.round(this.bound.stage.limits.timeoutMs / 1000) } });
  }

  private failed(error: unknown, step: string, final: boolean): Extract<AttemptOutcome, { kind: 'fail' }> {
    if (error instanceof LostLease) throw error;
    const failure = this.settings.database.isOutage(error) ? failureOf('database_unavailable') : toFailure(error);
    this.settings.logger.error({ ...this.facts, step, kind: failure.kind, error }, 'an attempt failed outside its steps');
    return { kind: 'fail', failure, step, final };
  }

  /**
   * Commits the intent before an irreversible call, and renews the lease for it. The same statement checks the fence, so that no other worker
   * can make the call. Returns the skip or wait if the stage refuses the call; then the intent is rolled back.
   */
  private async intend({ name: step }: AnyStep, stepInput: unknown): Promise<Skipped | Waits | null> {
    const { database, leaseSeconds } = this.settings;
    const { job, input } = this;
    const requestedAt = leaseInstant();
    const rollback = new Error('the stage refused the call');
    let refused = null as Skipped | Waits | null;
    faultPoint('intent:before');
    const commitIntent = async (uow: UnitOfWork): Promise<void> => {
      if (!(await uow.jobs.recordIntent(job, step, leaseSeconds))) throw new LostLease('the job was taken before the call');
      refused = (await this.bound.stage.commit.intended?.(uow, input, stepInput, job)) ?? null;
      if (refused !== null) throw rollback;
    };
    await database.unitOfWork(commitIntent).catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
    if (refused === null) faultPoint('intent:after');
    this.keeper.confirm(requestedAt);
    if (this.stop === 'lost') throw new LostLease('the lease was lost before the call');
    return refused;
  }

  private async journal(step: AnyStep, output: unknown, as = step.name): Promise<void> {
    const { job } = this;
    const { database, leaseSeconds } = this.settings;
    const irreversible = step.effect === 'irreversible';
    if (irreversible) faultPoint('answer:before');
    const written = await this.throughOutage(
      () => database.read.jobs.journal(job, as, output),
      irreversible ? KEEP_RESULT_MS : leaseSeconds * 1000,
      () => irreversible || this.stop !== 'lost',
    );
    if (!written) throw new LostLease('the job was taken while a step ran');
    if (irreversible) faultPoint('answer:after');
    job.journal[as] = output;
  }

  /**
   * Commits the end of the attempt. If the stage cannot commit it, that is a failure of the attempt, which is committed instead; if the stage
   * cannot record that the job is dead, the job's row is written without it.
   */
  private async finish(ended: EndedAttempt, result: AttemptOutcome, triesLeft = END_TRIES): Promise<JobEnd['state']> {
    const { retrySeconds } = this.settings;
    const outcome = this.unknownAfterCall(result, endOf(result, ended, retrySeconds));
    const end = endOf(outcome, ended, retrySeconds);
    try {
      await this.commit(ended, outcome, end, triesLeft < END_TRIES);
      return end.state;
    } catch (error) {
      const isLast = triesLeft === 1 || outcome.kind === 'unknown';
      if (isLast || this.settings.database.isOutage(error)) throw error;
      const failed = this.failed(error, 'commit', false);
      return end.state === 'dead'
        ? this.finish({ ...ended, input: undefined }, { ...failed, failure: end.failure, final: true }, 1)
        : this.finish(ended, failed, triesLeft - 1);
    }
  }

  private commit(ended: EndedAttempt, outcome: AttemptOutcome, end: JobEnd, alone: boolean): Promise<void> {
    const mustKeep = outcome.kind === 'unknown' || outcome.kind === 'done';
    const write = attemptEnd(ended, outcome, end);
    let isShared = !alone;
    return this.throughOutage(
      () => {
        const committed = isShared ? this.commits.commit(write) : this.commits.commitAlone(write);
        // a commit that exceeds its time would roll back each group that it joins
        isShared = false;
        return committed;
      },
      mustKeep ? KEEP_RESULT_MS : this.settings.leaseSeconds * 1000,
    );
  }

  /** A job that dies after its irreversible call has an unknown outcome, not a failure: the call must not be repeated. */
  private unknownAfterCall(outcome: AttemptOutcome, end: JobEnd): AttemptOutcome {
    const { job } = this;
    const called = this.bound.stage.steps.find((step) => step.effect === 'irreversible' && step.name in job.journal);
    return end.state === 'dead' && called ? { kind: 'unknown', failure: end.failure, step: called.name } : outcome;
  }

  private interrupt(stop: Stop): void {
    // a crash starts a drain; the crashed attempt still counts as failed
    if (this.stop !== null && stop !== 'lost') return;
    this.stop = stop;
    this.controller.abort(new Error(`the attempt was stopped: ${stop}`));
  }

  private now(): Date {
    const { leaseUntil } = this.job;
    const grantedAt = leaseUntil === null ? Date.now() : leaseUntil.getTime() - this.settings.leaseSeconds * 1000;
    return new Date(grantedAt + (performance.now() - this.claimedAt.monotonic));
  }
}
