import { ATTEMPT_TRANSITIONS, type AttemptState, comparableCaption, type RightsCheck } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { assertAllowed, IdRepository, type Transition } from '../database/sql-repository';
import { PublishAttempt } from './publish-attempt.entity';

type NewAttempt = Pick<PublishAttempt, 'itemId' | 'queueItemId' | 'accountId' | 'caption' | 'captionHash' | 'mediaSha256' | 'kind'> &
  Partial<Pick<PublishAttempt, 'options'>>;

/** As far back as the account's own media is compared before a post is prepared. */
const CAPTION_LOOK_BACK_DAYS = 7;

export class AttemptRepository extends IdRepository<PublishAttempt> {
  protected readonly entity = PublishAttempt;

  /** Returns `null` if an attempt of this item is open: the unique index prevents publishing twice. */
  open(attempt: NewAttempt): Promise<PublishAttempt | null> {
    return this.insert(
      { id: uuidv7(), state: 'open', ...attempt },
      `ON CONFLICT (item_id) WHERE state IN ('open','container','intent','unknown') DO NOTHING`,
    );
  }

  /**
   * Ids of unresolved attempts whose next reconciliation is due, of posts that a person reported as live without their media id, of attempts
   * that ended without a post although an answer names one, and of open attempts that lost their job. The last is a bug elsewhere, and would
   * hold the post in its queue item indefinitely.
   */
  idsToReconcile(limit: number): Promise<string[]> {
    return this.column(
      `SELECT a.id FROM publish_attempts a
       WHERE ((a.state = 'unknown' AND (a.next_look_at IS NULL OR a.next_look_at <= now()))
           OR (a.state = 'published' AND a.media_id IS NULL AND a.next_look_at <= now())
           OR (a.state IN ('failed','abandoned') AND a.answered_media_id IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM publish_attempts p WHERE p.item_id = a.item_id AND p.state = 'published'))
           OR (a.state IN ('open','container','intent') AND a.updated_at < now() - interval '10 minutes'))
         AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE j.subject_id = a.id AND j.state IN ('requested','running','waiting','retrying'))
       ORDER BY a.next_look_at NULLS FIRST, a.id LIMIT $1`,
      [limit],
    );
  }

  countUnknown(): Promise<number> {
    return this.count("SELECT count(*)::int FROM publish_attempts WHERE state = 'unknown'");
  }

  /**
   * As `findForUpdate`, after locking the open jobs of this attempt: workers lock in the same order, which prevents deadlocks.
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

  /** Serialises the intents of one account until the transaction ends, so that each sees those before it. */
  async lockAccount(accountId: string): Promise<void> {
    await this.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 2))', [accountId]);
  }

  /**
   * An earlier attempt that was, may have been or will be published: of this post with any caption, of another post with the same caption and
   * media on this account, or with the same caption in the last days, which the account need not list yet. Stories show no caption.
   */
  findEarlier(attempt: NewAttempt & Pick<PublishAttempt, 'id'>): Promise<PublishAttempt | null> {
    const { id, itemId, accountId, captionHash, mediaSha256, caption, kind } = attempt;
    const showsCaption = kind !== 'story' && comparableCaption(caption) !== '';
    return this.row(
      `SELECT * FROM publish_attempts
       WHERE (item_id = $5 OR (account_id = $1 AND caption_hash = $2 AND (media_sha256 = $3
           OR ($6 AND kind <> 'story' AND coalesce(called_at, created_at) > now() - make_interval(days => $7))))) AND id <> $4
         AND (state IN ('intent','unknown','published') OR answered_media_id IS NOT NULL
           OR (state IN ('open','container') AND called_at IS NOT NULL))
       ORDER BY created_at DESC LIMIT 1`,
      [accountId, captionHash, mediaSha256, id, itemId, showsCaption, CAPTION_LOOK_BACK_DAYS],
    );
  }

  /**
   * The last call of the queue (not "post now") on this account that has no result yet or was refused and is to be repeated, because the platform
   * may publish in spite of a refusal; not of attempt `exceptId`. `null` if there is none.
   */
  lastOpenCallAt(accountId: string, exceptId: string): Promise<Date | null> {
    return this.value(
      `SELECT max(a.called_at) FROM publish_attempts a JOIN queue_items q ON q.id = a.queue_item_id
       WHERE a.account_id = $1 AND a.id <> $2 AND a.state IN ('open','container','intent','unknown') AND NOT q.immediate`,
      [accountId, exceptId],
    );
  }

  /** The media ids among these that belong to another attempt than `ownId`. */
  async findLinked(accountId: string, mediaIds: readonly string[], ownId: string | null = null): Promise<Set<string>> {
    const linked = await this.column<string>(
      `SELECT coalesce(media_id, answered_media_id) FROM publish_attempts
       WHERE account_id = $1 AND (media_id = ANY($2::text[]) OR answered_media_id = ANY($2::text[])) AND id IS DISTINCT FROM $3::uuid`,
      [accountId, mediaIds, ownId],
    );
    return new Set(linked);
  }

  /**
   * How many other posts without a known media id can own the media that this attempt can own: published ones with its caption, or for a story,
   * which is listed without a caption, stories that were called at most two hours from its own time, as either may be published an hour off.
   */
  countUnidentified(attempt: PublishAttempt): Promise<number> {
    const { id, accountId, captionHash, kind, createdAt, calledAt } = attempt;
    if (kind === 'story')
      return this.count(
        `SELECT count(*)::int FROM publish_attempts
         WHERE account_id = $1 AND id <> $2 AND kind = 'story' AND state IN ('container','intent','unknown','published')
           AND media_id IS NULL AND answered_media_id IS NULL
           AND called_at >= $3::timestamptz - interval '2 hours' AND created_at <= $4::timestamptz + interval '2 hours'`,
        [accountId, id, createdAt, calledAt ?? createdAt],
      );
    return this.count(
      `SELECT count(*)::int FROM publish_attempts
       WHERE account_id = $1 AND id <> $2 AND kind <> 'story' AND caption_hash = $3 AND state = 'published' AND media_id IS NULL`,
      [accountId, id, captionHash],
    );
  }

  /**
   * Stores the media id of an answer, even if another worker owns the attempt or it has ended: a worker that was frozen in the call must not
   * settle the attempt, but its answer is evidence.
   */
  async keepAnswer(id: string, mediaId: string): Promise<void> {
    await this.run('UPDATE publish_attempts SET answered_media_id = $2 WHERE id = $1 AND answered_media_id IS NULL', [id, mediaId]);
  }

  /** Stores the copyright check of an attempt without a transition, because no transition depends on it. */
  async keepRightsCheck(id: string, check: RightsCheck | null): Promise<void> {
    await this.patch(id, { rightsCheck: check });
  }

  /** Number of posts that this account published at or after `since`. */
  countPublishedSince(accountId: string, since: Date): Promise<number> {
    return this.count(`SELECT count(*) FROM publish_attempts WHERE account_id = $1 AND state = 'published' AND published_at >= $2`, [
      accountId,
      since,
    ]);
  }

  /** Number of stories that this account published in [from, until). */
  countStoriesBetween(accountId: string, from: Date, until: Date): Promise<number> {
    return this.count(
      `SELECT count(*) FROM publish_attempts
       WHERE account_id = $1 AND state = 'published' AND kind = 'story' AND published_at >= $2 AND published_at < $3`,
      [accountId, from, until],
    );
  }

  /**
   * The attempts of an account before attempt `exceptId` that were published, failed or answered with an error, newest first: by their last
   * call, because later reads of a published post change the row, and by their start if they made none.
   */
  endedBefore(exceptId: string, accountId: string, count: number): Promise<PublishAttempt[]> {
    return this.rows(
      `SELECT * FROM publish_attempts WHERE account_id = $1 AND id <> $2 AND (state IN ('published','failed') OR (state = 'unknown' AND failure -> 'answer' IS NOT NULL))
       ORDER BY coalesce(called_at, created_at) DESC, id DESC LIMIT $3`,
      [accountId, exceptId, count],
    );
  }

  /** Compare-and-set by version; returns `false` if a concurrent writer won. */
  async transition(id: string, { fromVersion, from, to, patch }: Transition<AttemptState, PublishAttempt>): Promise<boolean> {
    assertAllowed('An attempt', ATTEMPT_TRANSITIONS, from, to);
    const set = this.assignments({ ...patch, state: to }, 4);
    return this.affectsRow(
      `UPDATE publish_attempts SET version = version + 1, updated_at = now(), ${set.text} WHERE id = $1 AND version = $2 AND state = $3`,
      [id, fromVersion, from, ...set.parameters],
    );
  }

  /** Writes fields without checking the version; `transition` writes the state. */
  async patch(id: string, values: Partial<Omit<PublishAttempt, 'id' | 'state' | 'version'>>): Promise<void> {
    const set = this.assignments(values, 2);
    await this.run(`UPDATE publish_attempts SET updated_at = now(), ${set.text} WHERE id = $1`, [id, ...set.parameters]);
  }
}
