import type { PostCheckKind, PostDifference, PostKind, PublishOptions } from '@autoposter/contracts';
import type { Failure } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';

/** What a check found; which of the fields it has depends on its kind. */
interface PostCheckResult {
  differences?: PostDifference[];
  /** ISO time of the first read that did not find the post. */
  missingSince?: string;
  metrics?: Record<string, number>;
  /** The matches of Instagram's copyright check at its last read, for people. */
  matches?: string[];
  /** Every work that it has named. */
  works?: { title: string | null; owner: string | null }[];
}

export interface PostCheckRow {
  attemptId: string;
  kind: PostCheckKind;
  dueAt: Date;
  /** Failures in a row. */
  tries: number;
  /** Comment calls, and the last one of them. */
  calls: number;
  calledAt: Date | null;
  doneAt: Date | null;
  result: PostCheckResult;
  failure: Failure | null;
}

/** A check that is due, with its post. */
export interface DuePostCheck extends PostCheckRow {
  itemId: string;
  mediaId: string;
  postKind: PostKind;
  caption: string;
  permalink: string | null;
  options: PublishOptions;
  publishedAt: Date;
}

const FIELDS = `c.attempt_id AS "attemptId", c.kind, c.due_at AS "dueAt", c.tries, c.calls, c.called_at AS "calledAt", c.done_at AS "doneAt", c.result, c.failure`;

/** What is done about published posts. */
export class PostCheckRepository extends SqlQueries {
  async schedule(attemptId: string, publishedAt: Date, checks: readonly { kind: PostCheckKind; afterSeconds: number }[]): Promise<void> {
    await this.run(
      `INSERT INTO post_checks (attempt_id, kind, due_at)
       SELECT $1, v.kind, $2::timestamptz + make_interval(secs => v.after) FROM unnest($3::text[], $4::float8[]) AS v (kind, after)
       ON CONFLICT DO NOTHING`,
      [attemptId, publishedAt, checks.map(({ kind }) => kind), checks.map(({ afterSeconds }) => afterSeconds)],
    );
  }

  /** Due checks of posts on this account whose media id is known, the oldest first. */
  async due(accountId: string, limit: number): Promise<DuePostCheck[]> {
    return this.select<DuePostCheck>(
      `SELECT ${FIELDS}, a.item_id AS "itemId", a.media_id AS "mediaId", a.kind AS "postKind", a.caption, a.permalink, a.options, a.published_at AS "publishedAt"
       FROM post_checks c JOIN publish_attempts a ON a.id = c.attempt_id
       WHERE c.done_at IS NULL AND c.due_at <= now() AND a.account_id = $1 AND a.state = 'published' AND a.media_id IS NOT NULL
       ORDER BY c.due_at LIMIT $2`,
      [accountId, limit],
    );
  }

  /** Of the published attempt of an item, in the order in which they are due. */
  async ofItem(itemId: string): Promise<PostCheckRow[]> {
    return this.select<PostCheckRow>(
      `SELECT ${FIELDS} FROM post_checks c JOIN publish_attempts a ON a.id = c.attempt_id WHERE a.item_id = $1 AND a.state = 'published'
       ORDER BY c.due_at, c.kind`,
      [itemId],
    );
  }

  /** Ends a check that another worker has not ended, with what it found or why it failed. */
  async finish({ attemptId, kind }: PostCheckRow, result: PostCheckResult, failure: Failure | null = null): Promise<void> {
    await this.run(
      `UPDATE post_checks SET done_at = now(), result = $3::jsonb, failure = $4::jsonb WHERE attempt_id = $1 AND kind = $2 AND done_at IS NULL`,
      [attemptId, kind, JSON.stringify(result), failure === null ? null : JSON.stringify(failure)],
    );
  }

  /** Makes a check due again after `tries` failures in a row. */
  async postpone({ attemptId, kind }: PostCheckRow, seconds: number, tries: number): Promise<void> {
    await this.run('UPDATE post_checks SET due_at = now() + make_interval(secs => $3), tries = $4 WHERE attempt_id = $1 AND kind = $2', [
      attemptId,
      kind,
      seconds,
      tries,
    ]);
  }

  /** Makes a check due again that did not fail; `found` is what it found so far. */
  async repeat({ attemptId, kind, result }: PostCheckRow, seconds: number, found: PostCheckResult = result): Promise<void> {
    await this.run(
      'UPDATE post_checks SET due_at = now() + make_interval(secs => $3), tries = 0, result = $4::jsonb WHERE attempt_id = $1 AND kind = $2',
      [attemptId, kind, seconds, JSON.stringify(found)],
    );
  }

  /** Records a comment call before it is made; `false` if another one was recorded since it was read. */
  async recordCall({ attemptId, kind, calls }: PostCheckRow): Promise<boolean> {
    return this.affectsRow(
      `UPDATE post_checks SET calls = calls + 1, called_at = now() WHERE attempt_id = $1 AND kind = $2 AND calls = $3 AND done_at IS NULL`,
      [attemptId, kind, calls],
    );
  }

  /** Takes the last recorded comment call back, because it certainly had no effect. */
  async withdrawCall({ attemptId, kind, calls }: PostCheckRow): Promise<void> {
    await this.run('UPDATE post_checks SET calls = $3 WHERE attempt_id = $1 AND kind = $2 AND calls = $3 + 1', [attemptId, kind, calls]);
  }

  /** Failed first comments and matches of Instagram's copyright check between two times. */
  async problemsBetween(after: Date, until: Date): Promise<{ comments: number; matches: number }> {
    return this.selectOne(
      `SELECT (SELECT count(*)::int FROM post_checks WHERE kind = 'first_comment' AND failure IS NOT NULL AND done_at > $1 AND done_at <= $2) AS comments,
              (SELECT count(*)::int FROM rights_cases WHERE reason = 'platform_match' AND opened_at > $1 AND opened_at <= $2) AS matches`,
      [after, until],
    );
  }
}
