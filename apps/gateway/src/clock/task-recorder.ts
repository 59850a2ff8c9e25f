import { cutText } from '@autoposter/domain';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { LOGGER } from '../wiring/systems';
import type { Heartbeat, Task } from './task';

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
      const words = error instanceof Error ? error.message : 'It failed without a word.';
      failed = cutText(words, MAX_ERROR);
    }
    await tasks.end(task.id, performance.now() - begun, failed);
  }

  /** The same heartbeat, recorded. Its own beat keeps the time; half of it apart is what two processes may not go below. */
  recorded(task: Heartbeat): Heartbeat {
    const { id, description, everySeconds } = task;
    return { id, description, everySeconds, run: () => this.run(task, everySeconds / 2) };
  }
}
