import { deniesAccess, PipelineError, REDDIT_NOT_CONFIGURED } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import type { RedditAccess, RedditSource } from './reddit-access';

const LEASE = 'reddit.access';
const CHECK_SECONDS = 60;

export interface AccessWatch {
  /** Without `withAccessNoted`: the check must be sent. `null` while Reddit is not configured. */
  reddit: Pick<RedditSource, 'removedAmong'> | null;
  access: RedditAccess;
  database: Pick<Database, 'read'>;
  owner: string;
  logger: Logger;
  signal: AbortSignal;
  checkSeconds?: number;
}

/** Checks access at the start and, while it is denied, again and again by one process at a time: work resumes when Reddit answers. */
export function watchAccess(watch: AccessWatch): void {
  const { access, database, owner, logger, signal, checkSeconds = CHECK_SECONDS } = watch;
  let isFirst = true;
  const check = async (): Promise<void> => {
    try {
      if (!isFirst && (await access.denied()) === null) return;
      if (!isFirst && (await database.read.leases.hold(LEASE, owner, checkSeconds * 0.9)) === null) return;
      await checkAccess(watch.reddit, access);
      isFirst = false;
    } catch (error) {
      logger.warn({ error }, 'access to Reddit could not be checked');
    }
  };
  const repeat = (): void => {
    if (signal.aborted) return;
    const timer = setTimeout(() => void check().finally(repeat), checkSeconds * 1000);
    timer.unref();
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  void check().finally(repeat);
}

/** Any answer but a refusal of this installation proves access; without an answer nothing is known. */
export async function checkAccess(reddit: AccessWatch['reddit'], access: RedditAccess): Promise<void> {
  if (reddit === null) return access.note(REDDIT_NOT_CONFIGURED);
  try {
    await reddit.removedAmong(['1']);
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    if (deniesAccess(error.failure)) return access.note(error.failure);
    if (error.failure.kind === 'transient' || error.failure.kind === 'rate_limited') throw error;
  }
  await access.note(null);
}
