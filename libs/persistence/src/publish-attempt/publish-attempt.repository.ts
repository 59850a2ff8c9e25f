import { ATTEMPT_TRANSITIONS, type AttemptState } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { assertAllowed, SqlRepository, type Transition } from '../database/sql-repository';
import { PublishAttempt } from './publish-attempt.entity';

export type NewAttempt = Pick<PublishAttempt, 'itemId' | 'queueItemId' | 'accountId' | 'caption' | 'captionHash' | 'mediaSha256' | 'kind'>;

export class AttemptRepository extends SqlRepository<PublishAttempt> {
  protected readonly entity = PublishAttempt;

  /** `null` where an attempt of this item is open: the index behind it is what keeps a post from going out twice. */
  open(attempt: NewAttempt): Promise<PublishAttempt | null> {
    return this.insert(
      { id: uuidv7(), state: 'open', ...attempt },
      `ON CONFLICT (item_id) WHERE state IN ('open','container','intent','unknown') DO NOTHING`,
    );
  }

  find(id: string): Promise<PublishAttempt | null> {
    return this.row('SELECT * FROM publish_attempts WHERE id = $1', [id]);
  }

  findForUpdate(id: string): Promise<PublishAttempt | null> {
    return this.row('SELECT * FROM publish_attempts WHERE id = $1 FOR UPDATE', [id]);
  }

  /** The row of an attempt that must be there, locked until the transaction ends. */
  async lock(id: string): Promise<PublishAttempt> {
    const attempt = await this.findForUpdate(id);
    if (attempt === null) throw new Error('the attempt is gone');
    return attempt;
  }

  /**
   * As `findForUpdate`, behind the locks of the open jobs that work on it: the order in which a worker takes them, so that neither waits
   * for the other for ever.
   */
  async lockAfterJobs(id: string): Promise<PublishAttempt | null> {
    await this.run(
      `SELECT id FROM stage_jobs WHERE subject_id = $1 AND state IN ('requested','running','waiting','retrying') ORDER BY id FOR UPDATE`,
      [id],
    );
    return this.findForUpdate(id);
  }

  findOpenOf(itemId: string): Promise<PublishAttempt | null> {
    return this.row(`SELECT * FROM publish_attempts WHERE item_id = $1 AND state IN ('open','container','intent','unknown')`, [itemId]);
  }

  /** Per item the published attempt, else the newest one. */
  async ofItems(itemIds: readonly string[]): Promise<Map<string, PublishAttempt>> {
    const rows = await this.rows(
      `SELECT DISTINCT ON (item_id) * FROM publish_attempts WHERE item_id = ANY($1::uuid[])
       ORDER BY item_id, (state = 'published') DESC, created_at DESC`,
      [itemIds],
    );
    return new Map(rows.map((row) => [row.itemId, row]));
  }

  /** Another attempt of this account with the same caption and media that went out or may have. */
  findEarlier(attempt: Pick<PublishAttempt, 'id' | 'accountId' | 'captionHash' | 'mediaSha256'>): Promise<PublishAttempt | null> {
    return this.row(
      `SELECT * FROM publish_attempts
       WHERE account_id = $1 AND caption_hash = $2 AND media_sha256 = $3 AND id <> $4 AND state IN ('intent','unknown','published')
       ORDER BY created_at DESC LIMIT 1`,
      [attempt.accountId, attempt.captionHash, attempt.mediaSha256, attempt.id],
    );
  }

  /** Of these media ids, those that belong to an attempt. */
  async findLinked(accountId: string, mediaIds: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.run<{ media_id: string }>(
      'SELECT media_id FROM publish_attempts WHERE account_id = $1 AND media_id = ANY($2::text[])',
      [accountId, mediaIds],
    );
    return new Set(rows.map((row) => row.media_id));
  }

  /** Posts that went out from this account at or after `since`, by what the ledger knows. */
  async countPublishedSince(accountId: string, since: Date): Promise<number> {
    const { rows } = await this.run<{ count: number }>(
      `SELECT count(*)::int AS count FROM publish_attempts WHERE account_id = $1 AND state = 'published' AND published_at >= $2`,
      [accountId, since],
    );
    return rows[0]?.count ?? 0;
  }

  /** Compare-and-set by version; `false` where somebody else was first. */
  async transition(id: string, { fromVersion, from, to, patch }: Transition<AttemptState, PublishAttempt>): Promise<boolean> {
    assertAllowed('An attempt', ATTEMPT_TRANSITIONS, from, to);
    const set = this.assignments({ ...patch, state: to }, 4);
    const { count } = await this.run(
      `UPDATE publish_attempts SET version = version + 1, updated_at = now(), ${set.text} WHERE id = $1 AND version = $2 AND state = $3`,
      [id, fromVersion, from, ...set.parameters],
    );
    return count === 1;
  }

  /** Writes fields that do not decide anything; the state has `transition`. */
  async patch(id: string, values: Partial<Omit<PublishAttempt, 'id' | 'state' | 'version'>>): Promise<void> {
    const set = this.assignments(values, 2);
    await this.run(`UPDATE publish_attempts SET updated_at = now(), ${set.text} WHERE id = $1`, [id, ...set.parameters]);
  }
}
