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

/** What the stages and the removal check ask Reddit for. */
export interface RedditSource extends SubredditSource, PostSource {
  /** Of at most 100 ids, those that Reddit no longer names or names as removed. */
  removedAmong(ids: readonly string[]): Promise<Set<string>>;
}

/** Whether Reddit answers this installation, kept in the database for the scheduler, the console and all workers. */
export class RedditAccess {
  constructor(
    private readonly database: Pick<Database, 'read' | 'unitOfWork'>,
    private readonly reportedBy: string,
  ) {}

  async denied(): Promise<Failure | null> {
    return (await this.database.read.workerReports.find<SourceAccess>(REDDIT_ACCESS))?.report.denied ?? null;
  }

  /** `null` where Reddit answers. A denial is written each time, so that its age tells when Reddit was asked last. */
  async note(denied: Failure | null): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const before = (await uow.workerReports.find<SourceAccess>(REDDIT_ACCESS))?.report;
      const isSame = before !== undefined && before.denied?.message === denied?.message;
      if (isSame && denied === null) return;
      const since = isSame ? before.since : (await uow.now()).toISOString();
      await uow.workerReports.save(REDDIT_ACCESS, { denied, since } satisfies SourceAccess, this.reportedBy);
    });
  }
}

/** Automatic requests are not sent while Reddit denies access, for they would all be refused; those for a person are. */
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
