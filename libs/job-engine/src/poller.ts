import { AsyncResource } from 'node:async_hooks';

/**
 * Runs `work` at intervals and soon after `wake`, one run at a time, without the async context (span, attempt) of the caller of `wake`. A woken
 * run starts at least `gapMs()` after the previous one has ended: one run then serves all calls of `wake` in that gap. `work` must not reject.
 */
export class Poller {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private wanted: 'no' | 'soon' | 'now' = 'no';
  private stopped = false;
  private endedAt = -Infinity;
  private readonly runDetached = AsyncResource.bind(() => this.run());

  /** Both times are evaluated before each pause. */
  constructor(
    private readonly work: () => Promise<void>,
    private readonly everyMs: () => number,
    private readonly gapMs: () => number = () => 0,
  ) {}

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

  private schedule(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    const sinceEnd = performance.now() - this.endedAt;
    const inMs = { no: this.everyMs(), soon: Math.max(0, this.gapMs() - sinceEnd), now: 0 }[this.wanted];
    this.timer = setTimeout(() => (this.running = this.runDetached()), inMs);
    this.timer.unref();
  }
}

/** Runs `work` after `firstMs` and again `everyMs` after the end of each run, until `signal` aborts. `work` must not reject. */
export function repeatUntilAborted(signal: AbortSignal, everyMs: number, work: () => Promise<void>, firstMs = everyMs): void {
  if (signal.aborted) return;
  let pauseMs = firstMs;
  const poller = new Poller(
    () => work().finally(() => (pauseMs = everyMs)),
    () => pauseMs,
  );
  signal.addEventListener('abort', () => void poller.stop(), { once: true });
  poller.start();
}
