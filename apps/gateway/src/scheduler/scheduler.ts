import type { Logger } from '@autoposter/observability';
import type { RecurringTask } from './recurring-task';

/** Who may keep the clock: one process at a time, decided on the database clock. */
export interface Leadership {
  /** Takes or renews the lease; `false` while another process holds it. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Beats while this process leads. A task that takes long or fails delays no other and does not cost the lease; it is not started a second
 * time while it runs.
 */
export class Scheduler {
  private readonly running = new Map<string, Promise<void>>();
  private readonly lastStart = new Map<string, number>();
  private beating: Promise<void> | null = null;
  private stopped = false;
  private leads = false;

  constructor(
    private readonly leadership: Leadership,
    private readonly heartbeats: readonly RecurringTask[],
    private readonly logger: Logger,
    /** Milliseconds of the monotonic clock. */
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  get isLeader(): boolean {
    return this.leads;
  }

  /** Asks for a beat; one that still waits for its lease is not overtaken by the next. */
  tick(): void {
    if (this.stopped || this.beating !== null) return;
    this.beating = this.beat().finally(() => (this.beating = null));
  }

  /** Resolves when nothing runs any more and the lease is free for the next process. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.beating;
    await Promise.all(this.running.values());
    if (this.leads)
      await this.leadership.release().catch((error: unknown) => this.logger.warn({ err: error }, 'the lease was not given back'));
    this.leads = false;
  }

  /** One beat; public so that tests need no time. Resolves when the lease is renewed and all due tasks have started. */
  async beat(): Promise<void> {
    try {
      const before = this.leads;
      this.leads = await this.leadership.hold();
      if (this.leads && !before) this.logger.info({}, 'this process keeps the clock now');
    } catch (error) {
      this.leads = false;
      this.logger.warn({ err: error }, 'the clock could not renew its lease');
    }
    if (!this.leads || this.stopped) return;
    const now = this.elapsed();
    for (const task of this.heartbeats) if (this.isDue(task, now)) this.launch(task, now);
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
      .catch((error: unknown) => this.logger.error({ err: error, task: task.id }, 'a task of the clock failed'))
      .finally(() => this.running.delete(task.id));
    this.running.set(task.id, run);
  }
}
