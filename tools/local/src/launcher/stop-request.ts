const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Turns Ctrl-C, an ended terminal and `kill` into one request to stop; asked a second time, `onImpatience` is called. */
export class StopRequest {
  private readonly controller = new AbortController();
  private readonly listener = (): void => {
    if (this.signal.aborted) this.onImpatience();
    else this.controller.abort();
  };
  readonly requested: Promise<void>;

  constructor(private readonly onImpatience: () => void) {
    for (const name of SIGNALS) process.on(name, this.listener);
    this.requested = new Promise((resolve) => this.signal.addEventListener('abort', () => resolve(), { once: true }));
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Waits for the work or for the request to stop, whichever comes first; false where it was the request. */
  async unlessStopped(work: Promise<void>): Promise<boolean> {
    // work that fails because it was stopped in the middle is no news
    const outcome = work.then(
      () => true,
      (error) => {
        if (this.signal.aborted) return false;
        throw error;
      },
    );
    return Promise.race([outcome, this.requested.then(() => false)]);
  }

  /** Asks to stop without a signal: the launcher itself cannot continue. */
  stop(): void {
    this.controller.abort();
  }

  dispose(): void {
    for (const name of SIGNALS) process.off(name, this.listener);
  }
}
