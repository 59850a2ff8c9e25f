import { setTimeout as pause } from 'node:timers/promises';

export interface LagSample {
  lag: number;
  unfinished: number;
}

export interface LagReaders {
  lag(): Promise<number>;
  unfinished(): Promise<number>;
}

/**
 * Compares lag and unfinished jobs again and again. The number of unfinished jobs only falls, so it is read after the lag: a lag below it
 * was too low when it was read. (The other way round, a job that ends in between would look like a fault.)
 */
export class LagWatch {
  readonly samples: LagSample[] = [];
  /** Readings that the broker or the database refused; they prove nothing and are told. */
  refused = 0;
  private stopped = false;
  private watching: Promise<void> = Promise.resolve();

  constructor(
    private readonly readers: LagReaders,
    private readonly everyMs = 250,
  ) {}

  start(): void {
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.watching;
  }

  get tooLow(): LagSample[] {
    return this.samples.filter(({ lag, unfinished }) => lag < unfinished);
  }

  /** The most by which the lag was above the unfinished jobs. */
  get mostAbove(): number {
    return this.samples.reduce((most, { lag, unfinished }) => Math.max(most, lag - unfinished), 0);
  }

  private async watch(): Promise<void> {
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
