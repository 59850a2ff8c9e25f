const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface RetryOptions {
  /** Milliseconds since the epoch after which the last failure is thrown. */
  deadline: number;
  pause(ms: number): Promise<unknown>;
  onRetry(reason: string): void;
}

/** Repeats `work` with growing pauses until it succeeds or the deadline has passed. */
export async function retryUntil<T>(work: () => Promise<T>, { deadline, pause, onRetry }: RetryOptions): Promise<T> {
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
