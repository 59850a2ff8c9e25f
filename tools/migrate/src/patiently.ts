const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface Patience {
  /** Milliseconds since the epoch after which the last failure is passed on. */
  deadline: number;
  pause(ms: number): Promise<unknown>;
  onRetry(why: string): void;
}

/** Repeats `work` with growing pauses until it succeeds; after the deadline its error is the answer. */
export async function patiently<T>(work: () => Promise<T>, { deadline, pause, onRetry }: Patience): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() + pauseMs > deadline) throw error;
      onRetry(error instanceof Error ? error.message : 'unknown');
      await pause(pauseMs);
    }
  }
}
