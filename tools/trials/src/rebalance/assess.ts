import { setTimeout as pause } from 'node:timers/promises';
import type { Start } from './sleeping.stage';

export interface Evidence {
  jobIds: readonly string[];
  starts: readonly Start[];
  /** Time of the kill by member, in milliseconds since the epoch. */
  killedAt: ReadonlyMap<string, number>;
  /** Job id of each committed effect. */
  effects: readonly string[];
  /** Job id of each completion event. */
  completed: readonly string[];
}

interface Assessment {
  starts: number;
  restarted: number;
  effectsPerJob: number;
  /** Milliseconds from a kill to the next start of an interrupted job; `null` without such a job. */
  longestTakeoverMs: number | null;
  failures: string[];
}

/** Every job needs exactly one committed effect; it may restart only after the member of the previous start was killed. */
export function assess({ jobIds, starts, killedAt, effects, completed }: Evidence): Assessment {
  const failures: string[] = [];
  let restarted = 0;
  let longestTakeoverMs: number | null = null;
  for (const jobId of jobIds) {
    const ofJob = starts.filter((start) => start.jobId === jobId).sort((one, other) => one.at - other.at);
    if (ofJob.length === 0) failures.push(`job ${jobId} never started`);
    if (ofJob.length > 1) restarted += 1;
    for (const [index, start] of ofJob.slice(1).entries()) {
      const before = ofJob[index]?.member ?? '';
      const killed = killedAt.get(before);
      if (killed === undefined || killed > start.at) failures.push(`job ${jobId} restarted on ${start.member} while ${before} was alive`);
      else longestTakeoverMs = Math.max(longestTakeoverMs ?? 0, start.at - killed);
    }
    for (const [what, list] of Object.entries({ effects, completed })) {
      const times = list.filter((id) => id === jobId).length;
      if (times !== 1) failures.push(`job ${jobId} has ${times} ${what}`);
    }
  }
  const known = new Set(jobIds);
  for (const id of [...effects, ...completed]) if (!known.has(id)) failures.push(`an effect references the unknown job ${id}`);
  return { starts: starts.length, restarted, effectsPerJob: effects.length / jobIds.length, longestTakeoverMs, failures };
}

interface LagSample {
  lag: number;
  unfinished: number;
}

interface LagReaders {
  lag(): Promise<number>;
  unfinished(): Promise<number>;
}

/**
 * Compares consumer lag and unfinished jobs periodically. The number of unfinished jobs only decreases and is read after the lag, so a
 * lower lag was too low when it was read. In the opposite order a job that ends between the readings would cause a false failure.
 */
export class LagMonitor {
  readonly samples: LagSample[] = [];
  /** Failed readings. */
  refused = 0;
  private stopped = false;
  private polling: Promise<void> = Promise.resolve();

  constructor(
    private readonly readers: LagReaders,
    private readonly everyMs = 250,
  ) {}

  start(): void {
    this.polling = this.poll();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.polling;
  }

  get tooLow(): LagSample[] {
    return this.samples.filter(({ lag, unfinished }) => lag < unfinished);
  }

  /** Maximum difference of lag and unfinished jobs. */
  get mostAbove(): number {
    return this.samples.reduce((most, { lag, unfinished }) => Math.max(most, lag - unfinished), 0);
  }

  private async poll(): Promise<void> {
    while (!this.stopped) {
      const next = performance.now() + this.everyMs;
      try {
        const lag = await this.readers.lag();
        this.samples.push({ lag, unfinished: await this.readers.unfinished() });
      } catch {
        this.refused += 1;
      }
      await pause(Math.max(0, next - performance.now()));
    }
  }
}
