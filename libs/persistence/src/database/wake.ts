/** At most one NOTIFY in this many milliseconds: it takes a lock that all committers share, and a write to the disk of its own. */
const PAUSE_MS = 50;

/** Sends a hint soon, many wishes as one; a failed hint is dropped. */
export class Wake {
  private timer: NodeJS.Timeout | null = null;
  private sending: Promise<unknown> = Promise.resolve();
  private stopped = false;

  constructor(private readonly send: () => Promise<unknown>) {}

  soon(): void {
    if (this.timer !== null || this.stopped) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.sending = this.send().catch(() => undefined);
    }, PAUSE_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.sending;
  }
}
