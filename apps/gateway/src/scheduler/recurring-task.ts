import { cutText } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '../bootstrap/systems';

/**
 * Something that the clock does again and again. `run` is safe to repeat, and to be cut off in the middle. It gets no time: what is due is
 * decided by the database clock, for that of a process may be wrong.
 */
interface Task {
  /** Verb and noun, as in the file's name. */
  readonly id: string;
  readonly description: string;
  run(): Promise<void>;
}

/** Keeps the pipeline going or watches over it; not stopped by the task scheduler's switch. */
export interface RecurringTask extends Task {
  readonly everySeconds: number;
}

/** The tasks on the task scheduler's screen, in this order. */
export const SCHEDULED_TASKS = Symbol('scheduled tasks');
export type ScheduledTasks = readonly RecurringTask[];

const MAX_ERROR = 500;

/** Runs listed tasks and keeps when they ran and how that ended, for the scheduler's screen. */
@Injectable()
export class TaskRecorder {
  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Runs a task unless one of its runs began in the last `apartSeconds`, here or in another process. One that fails is recorded, not thrown. */
  async run(task: Task, apartSeconds: number): Promise<void> {
    const { tasks } = this.database.read;
    // Claimed for itself: who has just lost the clock may still be on its way through the list.
    if (!(await tasks.claim(task.id, apartSeconds))) return;
    const begun = performance.now();
    let failed: string | null = null;
    try {
      await task.run();
    } catch (error) {
      this.logger.error({ err: error, task: task.id }, 'a listed task failed');
      const words = error instanceof Error ? error.message : 'Unknown error';
      failed = cutText(words, MAX_ERROR);
    }
    await tasks.end(task.id, performance.now() - begun, failed);
  }

  /** The same heartbeat, recorded. Its own beat keeps the time; half of it apart is what two processes may not go below. */
  recorded(task: RecurringTask): RecurringTask {
    const { id, description, everySeconds } = task;
    return { id, description, everySeconds, run: () => this.run(task, everySeconds / 2) };
  }
}
