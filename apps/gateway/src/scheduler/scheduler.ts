import { STORED_SCHEDULER_NAME } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import type { UnitOfWork } from '@autoposter/persistence';
import type { RecurringTask } from './recurring-task';

/**
 * The fencing token under which this process schedules; `null` while another one does. A task takes it when it starts and checks it in the
 * transaction whose effect must not happen twice: a process that was frozen may wake up after another took over.
 */
export class SchedulerFence {
  current: number | null = null;

  /** A check of the token as it is now, for a transaction of this run. */
  forThisRun(): (uow: UnitOfWork) => Promise<boolean> {
    const fence = this.current;
    return async (uow) => fence === null || uow.leases.lockFence(SCHEDULER_LEASE, fence);
  }
}

/** The stored name; renaming it would allow two leaders during a rolling update. */
export const SCHEDULER_LEASE = STORED_SCHEDULER_NAME;

/** A lease by the database clock, held by one process at a time. */
export interface Leadership {
  /** Acquires or renews the lease; `false` while another process holds it. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Runs recurring tasks while this process is the leader. A slow or failing task delays no other task and not the lease renewal, and never
 * runs twice at a time.
 */
export class Scheduler {
  private readonly running = new Map<string, Promise<void>>();
  private readonly lastStart = new Map<string, number>();
  private ticking: Promise<void> | null = null;
  private stopped = false;
  private leading = false;

  constructor(
    private readonly leadership: Leadership,
    private readonly tasks: readonly RecurringTask[],
    private readonly logger: Logger,
    /** Milliseconds of the monotonic clock. */
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  get isLeader(): boolean {
    return this.leading;
  }

  /** Starts a round unless the previous one still waits for its lease. */
  tick(): void {
    if (this.stopped || this.ticking !== null) return;
    this.ticking = this.runDue().finally(() => (this.ticking = null));
  }

  /** Resolves when no task runs and the lease is released. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.ticking;
    await Promise.all(this.running.values());
    if (this.leading)
      await this.leadership.release().catch((error: unknown) => this.logger.warn({ err: error }, 'the scheduler lease was not released'));
    this.leading = false;
  }

  /** One round; public for tests. Resolves when the lease is renewed and all due tasks have started. */
  async runDue(): Promise<void> {
    try {
      const before = this.leading;
      this.leading = await this.leadership.hold();
      if (this.leading && !before) this.logger.info({}, 'this process is the scheduler now');
    } catch (error) {
      this.leading = false;
      this.logger.warn({ err: error }, 'the scheduler lease was not renewed');
    }
    if (!this.leading || this.stopped) return;
    const now = this.elapsed();
    for (const task of this.tasks) if (this.isDue(task, now)) this.launch(task, now);
  }

  /** Resolves when all started tasks have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private isDue(task: RecurringTask, now: number): boolean {
    const last = this.lastStart.get(task.id);
    return !this.running.has(task.id) && (last === undefined || now - last >= task.everySeconds * 1000);
  }

  private launch(task: RecurringTask, now: number): void {
    this.lastStart.set(task.id, now);
    const run = task
      .run()
      .catch((error: unknown) => this.logger.error({ err: error, task: task.id }, 'a recurring task failed'))
      .finally(() => this.running.delete(task.id));
    this.running.set(task.id, run);
  }
}
