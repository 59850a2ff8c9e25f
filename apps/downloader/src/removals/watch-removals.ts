import { processName } from '@autoposter/job-engine';
import { findRemoved, type RemovalTools } from './find-removed';

const LEASE = 'removals';
/** Well below the shortest interval between two posts of the queue, so that what its author takes back does not go out all the same. */
const ROUND_SECONDS = 300;
const FIRST_LOOK_MS = 60_000;

export interface RemovalWatch extends RemovalTools {
  signal: AbortSignal;
  /** Between two rounds; five minutes unless given. */
  roundSeconds?: number;
  /** Before the first; a minute unless given. */
  firstLookMs?: number;
}

/** Looks for posts that are gone from Reddit, once in a round by whichever downloader is first, until `signal`. Never rejects. */
export function watchRemovals(watch: RemovalWatch): void {
  const { database, logger, signal, roundSeconds = ROUND_SECONDS, firstLookMs = FIRST_LOOK_MS } = watch;
  const owner = processName('downloader');
  const round = async (): Promise<void> => {
    try {
      // the lease ends a little before the next round of this process, so that the others have their turn when it is gone
      if ((await database.read.leases.hold(LEASE, owner, roundSeconds * 0.9)) === null) return;
      const removed = await findRemoved(watch);
      if (removed > 0) logger.info({ removed }, 'posts that are gone from Reddit were taken out of the way');
    } catch (error) {
      logger.warn({ error }, 'whether posts are still on Reddit could not be asked; the next round does');
    }
  };
  const after = (ms: number): void => {
    if (signal.aborted) return;
    const timer = setTimeout(() => void round().finally(() => after(roundSeconds * 1000)), ms);
    timer.unref();
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  after(firstLookMs);
}
