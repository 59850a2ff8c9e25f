import {
  type Failure,
  PipelineError,
  type PostSource,
  REDDIT_ACCESS,
  REDDIT_NOT_CONFIGURED,
  type SourceAccess,
  type SubredditSource,
  deniesAccess,
} from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { repeatUntilAborted } from '@autoposter/resilience';

/** The calls to Reddit of the stages and the removal check. */
export interface RedditSource extends SubredditSource, PostSource {
  /** Of at most 100 ids, those that Reddit does not list or lists as removed. */
  removedAmong(ids: readonly string[]): Promise<Set<string>>;
}

/** Whether Reddit accepts requests of this installation; stored for the scheduler, the console and all workers. */
export class RedditAccess {
  constructor(
    private readonly database: Pick<Database, 'read' | 'unitOfWork'>,
    private readonly reportedBy: string,
  ) {}

  async denied(): Promise<Failure | null> {
    return (await this.database.read.workerReports.find<SourceAccess>(REDDIT_ACCESS))?.report.denied ?? null;
  }

  /** Stores a denial, or `null` for an accepted request. A denial is stored each time, so that its age shows the time of the last request. */
  async note(denied: Failure | null): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const before = (await uow.workerReports.find<SourceAccess>(REDDIT_ACCESS))?.report;
      const isSame = before !== undefined && before.denied?.code === denied?.code;
      if (isSame && denied === null) return;
      const since = isSame ? before.since : (await uow.now()).toISOString();
      await uow.workerReports.save(REDDIT_ACCESS, { denied, since } satisfies SourceAccess, this.reportedBy);
    });
  }
}

/** Sends no automatic request while Reddit denies access, because it would be refused; requests for a person are still sent. */
export function withAccessNoted(reddit: RedditSource, access: RedditAccess): RedditSource {
  const noted = async <T>(forPerson: boolean, call: () => Promise<T>): Promise<T> => {
    const denied = await access.denied();
    if (denied !== null && !forPerson) throw new PipelineError(denied);
    try {
      const answer = await call();
      if (denied !== null) await access.note(null);
      return answer;
    } catch (error) {
      if (error instanceof PipelineError && deniesAccess(error.failure)) await access.note(error.failure);
      throw error;
    }
  };
  return {
    listTop: (name, period, limit, forPerson = false) => noted(forPerson, () => reddit.listTop(name, period, limit, forPerson)),
    resolve: (url, forPerson = false) => noted(forPerson, () => reddit.resolve(url, forPerson)),
    removedAmong: (ids) => noted(false, () => reddit.removedAmong(ids)),
  };
}

const LEASE = 'reddit.access';
const CHECK_SECONDS = 60;

interface AccessWatch {
  /** The client without `withAccessNoted`, which would not send the check. `null` while Reddit is not configured. */
  reddit: Pick<RedditSource, 'removedAmong'> | null;
  access: RedditAccess;
  database: Pick<Database, 'read'>;
  owner: string;
  logger: Logger;
  signal: AbortSignal;
  checkSeconds?: number;
}

/** Checks access at the start and, while it is denied, every `checkSeconds` in one process: work resumes when Reddit answers. */
export function watchAccess(watch: AccessWatch): void {
  const { access, database, owner, logger, signal, checkSeconds = CHECK_SECONDS } = watch;
  let hasChecked = false;
  const check = async (): Promise<void> => {
    if (hasChecked && (await access.denied()) === null) return;
    if (hasChecked && (await database.read.leases.hold(LEASE, owner, checkSeconds * 0.9)) === null) return;
    await checkAccess(watch.reddit, access);
    hasChecked = true;
  };
  repeatUntilAborted(signal, {
    work: check,
    everyMs: checkSeconds * 1000,
    firstMs: 0,
    problem: 'access to Reddit could not be checked',
    logger,
  });
}

/** Any answer but a denial of this installation proves access. Without an answer the stored state stays. */
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
