import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** Repeats `work` while its failure is an outage and `goOn` says so, with growing pauses. Other failures and the last one are thrown. */
export async function withPatience<T>(work: () => Promise<T>, isOutage: (error: unknown) => boolean, goOn: () => boolean): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || !goOn()) throw error;
      await pause(pauseMs);
    }
  }
}
