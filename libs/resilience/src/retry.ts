import { setTimeout as pauseFor } from 'node:timers/promises';

interface RetryOptions {
  /** Whether a retry makes sense after this error and a pause of this length; by default always. */
  shouldRetry?: (error: unknown, pauseMs: number) => boolean;
  onRetry?: (error: unknown, pauseMs: number) => void;
  /** Ends the retries: an abort before an attempt or during a pause is thrown. */
  signal?: AbortSignal;
  /** The pauses double from the first to the longest; by default from 250 ms to 5 s. */
  firstPauseMs?: number;
  longestPauseMs?: number;
  pause?: (ms: number) => Promise<unknown>;
}

/** Repeats `work` with growing pauses until it succeeds. Throws the error after which no retry makes sense. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions = {}): Promise<T> {
  const { shouldRetry, onRetry, signal, firstPauseMs = 250, longestPauseMs = 5_000 } = options;
  const pause = options.pause ?? ((ms: number) => pauseFor(ms, undefined, { signal }));
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (shouldRetry?.(error, pauseMs) === false) throw error;
      onRetry?.(error, pauseMs);
      await pause(pauseMs);
    }
  }
}
