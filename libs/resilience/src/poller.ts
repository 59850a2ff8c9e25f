import { AsyncResource } from 'node:async_hooks';
import type { Logger } from '@autoposter/observability';

interface PollerOptions {
  /** After a rejection the next run is the retry. */
  work(): Promise<void>;
  /** Pause after a run, unless the poller is woken; evaluated before each one. `failures` counts the last runs that failed, in a row. */
  everyMs(failures: number): number;
  /** Shortest pause before a woken run, by default none: one run then serves all calls of `wake` in that time. */
  gapMs?(): number;
  /** Logged with the first failure of a row. */
  problem: string;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/** Runs `work` at intervals and soon after `wake`, one run at a time, without the async context (span, attempt) of the caller of `wake`. */
export class Poller {
  /** Runs that failed since the last one that did not. */
  failures = 0;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private wanted: 'no' | 'soon' | 'now' = 'no';
  private stopped = false;
  private endedAt = -Infinity;
  private readonly runDetached = AsyncResource.bind(() => this.run());

  constructor(private readonly options: PollerOptions) {}

  start(): void {
    this.schedule();
  }

  /** Several calls before or during a run cause one more run; an `urgent` one needs no gap. */
  wake(urgent = false): void {
    if (this.stopped || this.wanted === 'now' || (this.wanted === 'soon' && !urgent)) return;
    this.wanted = urgent ? 'now' : 'soon';
    if (this.running === null) this.schedule();
  }

  /** Waits for the current run. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    this.wanted = 'no';
    await this.work();
    this.running = null;
    this.endedAt = performance.now();
    if (!this.stopped) this.schedule();
  }

  private async work(): Promise<void> {
    const { work, logger, problem } = this.options;
    try {
      await work();
      if (this.failures > 0) logger.info({ problem, failures: this.failures }, 'a problem is over');
      this.failures = 0;
    } catch (error) {
      if (this.failures === 0) logger.warn({ error }, problem);
      this.failures += 1;
    }
  }

  private schedule(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    const { everyMs, gapMs = () => 0 } = this.options;
    const sinceEnd = performance.now() - this.endedAt;
    const inMs = { no: everyMs(this.failures), soon: Math.max(0, gapMs() - sinceEnd), now: 0 }[this.wanted];
    this.timer = setTimeout(() => (this.running = this.runDetached()), inMs);
    this.timer.unref();
  }
}

interface Repetition extends Pick<PollerOptions, 'work' | 'problem' | 'logger'> {
  everyMs: number;
  /** Pause before the first run; default: `everyMs`. */
  firstMs?: number;
  /** Pause after a failure; default: `everyMs`. */
  retryMs?: number;
}

/** Runs `work` after `firstMs` and again `everyMs` after the end of each run, until `signal` aborts. */
export function repeatUntilAborted(signal: AbortSignal, repetition: Repetition): void {
  if (signal.aborted) return;
  const { everyMs, firstMs = everyMs, retryMs = everyMs, work, problem, logger } = repetition;
  let isFirst = true;
  const poller = new Poller({
    work: () => {
      isFirst = false;
      return work();
    },
    everyMs: (failures) => (isFirst ? firstMs : failures > 0 ? retryMs : everyMs),
    problem,
    logger,
  });
  signal.addEventListener('abort', () => void poller.stop(), { once: true });
  poller.start();
}
