import { cutText } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '../bootstrap/systems';

/** `run` is idempotent and safe to interrupt. The database clock decides what is due, because a process clock may be wrong. */
interface Task {
  readonly id: string;
  readonly description: string;
  run(): Promise<void>;
}

/** Runs regardless of the task scheduler's switch. */
export interface RecurringTask extends Task {
  readonly everySeconds: number;
}

/** Runs the work for each subject, one after the other. A failure delays no other subject; it is thrown when all had their turn. */
export async function forEachSubject<T>(subjects: readonly T[], work: (subject: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const subject of subjects) await work(subject).catch((error: unknown) => failures.push(error));
  const [first] = failures;
  if (failures.length === 0) return;
  const message = `${failures.length} of ${subjects.length} failed, the first with: ${messageOf(first)}`;
  throw new AggregateError(failures, message, { cause: first });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'Unknown error');

/** The tasks of the Scheduler Manager screen, in this order. */
export const SCHEDULED_TASKS = Symbol('scheduled tasks');
export type ScheduledTasks = readonly RecurringTask[];

const MAX_ERROR = 500;

/** Runs tasks and records their runs for the Scheduler Manager screen. */
@Injectable()
export class TaskRecorder {
  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Runs a task unless any process started it in the last `minSeconds`. Records errors instead of throwing. */
  async run(task: Task, minSeconds: number): Promise<void> {
    const { tasks } = this.database.read;
    // claimed per task: a gateway that just lost the scheduler lease may still be running its list
    if (!(await tasks.claim(task.id, minSeconds))) return;
    const begun = performance.now();
    let failed: string | null = null;
    try {
      await task.run();
    } catch (error) {
      this.logger.error({ err: error, task: task.id }, 'a scheduled task failed');
      failed = cutText(messageOf(error), MAX_ERROR);
    }
    await tasks.end(task.id, performance.now() - begun, failed);
  }

  /** The same task with recording. Its interval is kept by the scheduler; half of it is the minimum distance across processes. */
  recorded(task: RecurringTask): RecurringTask {
    const { id, description, everySeconds } = task;
    return { id, description, everySeconds, run: () => this.run(task, everySeconds / 2) };
  }
}
