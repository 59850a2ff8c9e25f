import {
  deniesAccess,
  PipelineError,
  REDDIT_ACCESS,
  type Failure,
  type PostSource,
  type SourceAccess,
  type SubredditSource,
} from '@autoposter/domain';
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
