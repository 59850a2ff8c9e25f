import {
  ENVIRONMENT_ACCOUNT_ID,
  type JobState,
  type MediaType,
  type PostKind,
  type PublishOptions,
  type QueueQuery,
  type QueueStatistics,
  type QueueStatus,
} from '@autoposter/contracts';
import {
  HELD_CODES,
  QUEUE_TRANSITIONS,
  type AttemptState,
  type Failure,
  type FailureCode,
  type ItemState,
  type RightsCheck,
} from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { assertAllowed, IdRepository, type Transition } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';
import { QueueItem } from './queue-item.entity';
import { foundOf, startOf, type Start } from './queue-pages';

type NewQueueItem = Pick<QueueItem, 'itemId' | 'status' | 'caption' | 'queuedBy'> & Partial<QueueItem>;

/** A queue item with the fields of its source that the console's table shows. */
export interface QueueRow {
  queueItem: QueueItem;
  title: string;
  subreddit: string | null;
  originalUrl: string;
  mediaType: MediaType;
  itemState: ItemState;
  kind: PostKind;
  permalink: string | null;
  /** Progress of the attempt while the status is `posting`, otherwise `null`. */
  posting: PostingProgress | null;
}

interface PostingProgress {
  attempt: AttemptState;
  /** Whether a publish call was made or intended, with any result. */
  wasCalled: boolean;
  startedAt: Date;
  /** `null` without an open job: the outcome is being reconciled. */
  job: JobState | null;
  /** Why the job waits, as a sentence. */
  waitsFor: string | null;
  until: Date | null;
  rightsCheck: RightsCheck | null;
}

const WITH_SOURCE = `
  SELECT q.*, i.state AS i_state, i.title AS i_title, i.subreddit AS i_subreddit, i.original_url AS i_original_url, i.media_type AS i_media_type, k.kind AS i_kind, p.permalink AS p_permalink,
    w.attempt AS w_attempt, w.called AS w_called, w.started_at AS w_started_at, w.job AS w_job, w.reason AS w_reason, w.due_at AS w_until, w.rights_check AS w_rights_check
  FROM queue_items q JOIN content_items i ON i.id = q.item_id
  LEFT JOIN LATERAL (
    SELECT CASE WHEN count(*) > 1 THEN 'carousel' WHEN q.options ? 'story' THEN 'story' WHEN max(f.media_type) = 'video' THEN 'reel' ELSE 'image' END AS kind
    FROM media_files f WHERE f.item_id = q.item_id AND f.role = 'processed') k ON true
  LEFT JOIN LATERAL (
    SELECT permalink FROM publish_attempts p WHERE p.item_id = q.item_id AND p.queue_item_id = q.id AND p.state = 'published' LIMIT 1) p ON true
  LEFT JOIN LATERAL (
    SELECT a.state AS attempt, coalesce(a.called_at, a.intent_at) IS NOT NULL AS called, a.created_at AS started_at, j.state AS job, coalesce(j.wait_reason, j.failure->>'message') AS reason, j.due_at, a.rights_check FROM publish_attempts a
    LEFT JOIN stage_jobs j ON j.stage = ${STAGE_SQL.publish} AND j.subject_id = a.id AND j.state IN ('requested','running','waiting','retrying')
    WHERE q.status = 'posting' AND a.item_id = q.item_id AND a.queue_item_id = q.id AND a.state IN ('open','container','intent','unknown')
    LIMIT 1) w ON true`;

/** The fields of a waiting item that planning reads. */
export type WaitingItem = Pick<
  QueueItem,
  'id' | 'itemId' | 'status' | 'priority' | 'queuedAt' | 'scheduledFor' | 'pinned' | 'immediate' | 'version' | 'failure'
>;

/** A queue with waiting items. */
export interface WaitingQueue {
  accountId: string;
  /** A new value after each change of the waiting items. May stay the same after a change of order or slots, and may change without one. */
  changes: string;
  /** The earliest slot. */
  nextAt: Date | null;
  now: Date;
}

/** A due item that no worker has started, or one whose outcome is unknown and that no worker looks up. */
export type OverduePost = Pick<QueueItem, 'id' | 'status' | 'accountId' | 'immediate' | 'outcome'> & {
  /** Of the job, if its worker has postponed it. */
  waitReason: string | null;
};

/** Leaves out posts that wait in their place until what holds them has changed. */
const NOT_HELD = `(failure ->> 'code' IN (${HELD_CODES.map((code) => `'${code}'`).join(',')})) IS NOT TRUE`;
const OUTCOME_UNCHECKED: FailureCode = 'outcome_unchecked';
/** Any other failure of an item with an unknown outcome is a question for a person. */
export const NO_QUESTION = `(q.outcome IS NULL OR q.failure ->> 'code' = '${OUTCOME_UNCHECKED}')`;
const DELAYED = `q.status IN ('pending','scheduled','posting') AND ${NO_QUESTION} AND q.failure ->> 'code' = ANY($1::text[])`;

/** That no worker has claimed the job, or continued it after its lease or its pause, for $1 seconds. */
const IS_UNCLAIMED = `((j.state = 'requested' AND (j.swept >= 3 OR j.requested_at < now() - make_interval(secs => $1)))
  OR (j.state = 'running' AND j.lease_until < now() - make_interval(secs => $1))
  OR (j.state IN ('waiting','retrying') AND j.due_at < now() - make_interval(secs => $1)))`;

/** As an array, the ids are looked up in the index of each condition; `IN` would read the whole table. */
const TO_PLAN = `q.account_id = $2 AND (q.status = 'scheduled' OR q.id = ANY(ARRAY(
  SELECT id FROM queue_items WHERE status = 'pending' AND account_id = $2 ORDER BY priority DESC, queued_at, id LIMIT $1)))`;

const WAITING = `
  SELECT q.id, q.item_id, q.status, q.priority, q.queued_at, q.scheduled_for, q.pinned, q.immediate, q.version, q.failure
  FROM queue_items q WHERE ${TO_PLAN} ORDER BY q.priority DESC, q.queued_at, q.id`;

/** The first of each status comes from an index; only a scheduled item has a time, and a held one keeps no time. */
const NEXT = `coalesce(
  (SELECT id FROM queue_items WHERE status = 'scheduled' AND account_id = $1 AND ${NOT_HELD} ORDER BY scheduled_for, priority DESC, queued_at, id LIMIT 1),
  (SELECT id FROM queue_items WHERE status = 'pending' AND account_id = $1 AND ${NOT_HELD} ORDER BY priority DESC, queued_at, id LIMIT 1))`;

export class QueueRepository extends IdRepository<QueueItem> {
  protected readonly entity = QueueItem;

  /** Returns `null` if the item is queued already. */
  create(item: NewQueueItem): Promise<QueueItem | null> {
    return this.insert({ id: uuidv7(), ...item }, `ON CONFLICT (item_id) WHERE status IN ('pending','scheduled','posting') DO NOTHING`);
  }

  findOpenOf(itemId: string): Promise<QueueItem | null> {
    return this.row(`SELECT * FROM queue_items WHERE item_id = $1 AND status IN ('pending','scheduled','posting')`, [itemId]);
  }

  async findWithSource(id: string): Promise<QueueRow | null> {
    const { rows } = await this.run(`${WITH_SOURCE} WHERE q.id = $1`, [id]);
    return rows[0] ? this.withSource(rows[0]) : null;
  }

  /** One page; items without a value of the sort key come last. */
  async page(query: QueueQuery): Promise<{ rows: QueueRow[]; total: number }> {
    const { text, values } = startOf(query);
    const [start] = (await this.run<Start>(text, values)).rows;
    if (start === undefined) return { rows: [], total: 0 };
    const found = foundOf(query, start);
    if (found === null) return { rows: [], total: start.total };
    const { rows } = await this.run(`${WITH_SOURCE} JOIN ${found.text} ON found.id = q.id ORDER BY ${found.order}`, found.values);
    return { rows: rows.map((row) => this.withSource(row)), total: start.total };
  }

  /** Merges the count differences that triggers have inserted since; concurrent readers and writers see unchanged counts. */
  async foldCounts(): Promise<void> {
    await this.run(FOLD_COUNTS);
  }

  /** As `listWaiting`, with their source. */
  async waiting(limit: number, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<QueueRow[]> {
    const { rows } = await this.run(`${WITH_SOURCE} WHERE ${TO_PLAN} ORDER BY q.priority DESC, q.queued_at, q.id`, [limit, accountId]);
    return rows.map((row) => this.withSource(row));
  }

  /** Items that are being published or whose outcome is unknown. */
  async listPosting(accountId = ENVIRONMENT_ACCOUNT_ID): Promise<QueueRow[]> {
    const where = `WHERE q.status = 'posting' AND q.account_id = $1`;
    const { rows } = await this.run(`${WITH_SOURCE} ${where} ORDER BY q.scheduled_for NULLS LAST, q.id`, [accountId]);
    return rows.map((row) => this.withSource(row));
  }

  /** The average waiting time leaves out posts that were published immediately. */
  async statistics(accountId: string | null = null): Promise<QueueStatistics> {
    return this.selectOne(
      `SELECT coalesce(sum(items), 0)::int AS "totalPosts",
              coalesce(sum(items) FILTER (WHERE status IN ('pending','scheduled')), 0)::int AS "pendingPosts",
              coalesce(sum(items) FILTER (WHERE status = 'posted'), 0)::int AS "completedPosts",
              coalesce(sum(items) FILTER (WHERE status = 'failed'), 0)::int AS "failedPosts",
              coalesce(sum(waited_ms) / nullif(sum(waits), 0) / 3600000, 0)::float8 AS "averageQueueTimeHours"
       FROM queue_item_counts WHERE $1::uuid IS NULL OR account_id = $1`,
      [accountId],
    );
  }

  /** The next item to be published, and the number of waiting ones. */
  async next(accountId = ENVIRONMENT_ACCOUNT_ID): Promise<{ next: QueueRow | null; waiting: number }> {
    const { rows } = await this.run(`${WITH_SOURCE} WHERE q.id = ${NEXT}`, [accountId]);
    const waiting = await this.count(
      `SELECT coalesce(sum(items), 0)::int FROM queue_item_counts WHERE status IN ('pending','scheduled') AND account_id = $1`,
      [accountId],
    );
    return { next: rows[0] ? this.withSource(rows[0]) : null, waiting };
  }

  /** The queues that have waiting items, without reading those: each change leaves a numbered row among the counts. */
  async withWaiting(): Promise<WaitingQueue[]> {
    return this.select<WaitingQueue>(
      `SELECT c.account_id AS "accountId", c.changes, now() AS now,
         (SELECT min(q.scheduled_for) FROM queue_items q WHERE q.account_id = c.account_id AND q.status = 'scheduled') AS "nextAt"
       FROM (SELECT account_id, concat(count(*), '.', sum(id)) AS changes FROM queue_item_counts GROUP BY 1
         HAVING sum(items) FILTER (WHERE status IN ('pending','scheduled')) > 0) c ORDER BY 1`,
    );
  }

  /** The waiting items that the planner needs: all with a slot, and the first `limit` without one. In queue order, not locked. */
  listWaiting(limit: number, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<WaitingItem[]> {
    return this.rows(WAITING, [limit, accountId]);
  }

  /** Gives or takes away (`null`) slots of waiting items; skips those that changed since they were read or are locked. Returns how many changed. */
  async assignSlots(changes: readonly { id: string; version: number; slot: Date | null }[]): Promise<number> {
    const { count } = await this.run(
      `WITH v AS MATERIALIZED (
         SELECT q.id, v.slot FROM unnest($1::uuid[], $2::int[], $3::timestamptz[]) AS v (id, version, slot)
         JOIN queue_items q ON q.id = v.id AND q.version = v.version AND q.status IN ('pending','scheduled')
         WHERE q.id = ANY($1::uuid[]) FOR UPDATE OF q SKIP LOCKED)
       UPDATE queue_items q SET scheduled_for = v.slot, status = CASE WHEN v.slot IS NULL THEN 'pending' ELSE 'scheduled' END, version = q.version + 1
       FROM v WHERE q.id = v.id AND q.id = ANY($1::uuid[])`,
      [changes.map(({ id }) => id), changes.map(({ version }) => version), changes.map(({ slot }) => slot)],
    );
    return count;
  }

  /** Waiting posts of the queue that are late by more than `lateSeconds`, pinned ones only if their slot is after `acceptedAt`. */
  countMissed(lateSeconds: number, acceptedAt: string | null, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<number> {
    return this.count(
      `SELECT count(*)::int FROM queue_items WHERE status = 'scheduled' AND NOT immediate AND account_id = $3 AND ${NOT_HELD}
         AND scheduled_for < now() - make_interval(secs => $1) AND (NOT pinned OR scheduled_for > coalesce($2::timestamptz, '-infinity'))`,
      [lateSeconds, acceptedAt, accountId],
    );
  }

  /** Whether any item is due that is not held; not locked. */
  async anyDue(accountId = ENVIRONMENT_ACCOUNT_ID): Promise<boolean> {
    const due = `SELECT 1 FROM queue_items WHERE account_id = $1 AND status = 'scheduled' AND scheduled_for <= now() AND ${NOT_HELD} LIMIT 1`;
    return this.affectsRow(due, [accountId]);
  }

  /** Due items that are not held, locked, in publishing order. */
  lockDue(limit: number, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<QueueItem[]> {
    return this.rows(
      `SELECT * FROM queue_items WHERE account_id = $2 AND status = 'scheduled' AND scheduled_for <= now() AND ${NOT_HELD}
       ORDER BY scheduled_for, priority DESC, id LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [limit, accountId],
    );
  }

  /** When a post was published last, or failed in its turn, which keeps its interval; `null` if never. A "post now" that failed took no turn. */
  async lastPostAt(accountId = ENVIRONMENT_ACCOUNT_ID): Promise<Date | null> {
    return this.value(
      `SELECT max(finished_at) FROM queue_items q WHERE account_id = $1 AND finished_at IS NOT NULL AND (status = 'posted' OR (status = 'failed'
         AND NOT immediate AND (scheduled_for <= finished_at OR EXISTS (SELECT 1 FROM publish_attempts a WHERE a.item_id = q.item_id AND a.queue_item_id = q.id AND a.state = 'failed'))))`,
      [accountId],
    );
  }

  /** Compare-and-set by version; returns `false` if a concurrent writer won. */
  async transition(id: string, { fromVersion, from, to, patch }: Transition<QueueStatus, QueueItem>): Promise<boolean> {
    assertAllowed('A queue item', QUEUE_TRANSITIONS, from, to);
    const set = this.assignments({ ...patch, status: to }, 4);
    return this.affectsRow(`UPDATE queue_items SET version = version + 1, ${set.text} WHERE id = $1 AND version = $2 AND status = $3`, [
      id,
      fromVersion,
      from,
      ...set.parameters,
    ]);
  }

  /** Changes a waiting item; returns `false` if it is not waiting. */
  async patchWaiting(id: string, values: Partial<QueueItem>): Promise<boolean> {
    const set = this.assignments(values, 2);
    return this.affectsRow(
      `UPDATE queue_items SET version = version + 1, ${set.text} WHERE id = $1 AND status IN ('pending','scheduled')`,
      [id, ...set.parameters],
    );
  }

  /** Also of a failed item, so that an option which made it fail can be changed before the retry. */
  async setOptions(id: string, options: PublishOptions): Promise<void> {
    await this.run(
      `UPDATE queue_items SET options = $2, version = version + 1 WHERE id = $1 AND status IN ('pending','scheduled','failed')`,
      [id, JSON.stringify(options)],
    );
  }

  /** Marks the publishing outcome as unknown: the item stays `posting`, with the question for an administrator if there is one. */
  async markOutcomeUnknown(id: string, question: Failure | null = null): Promise<void> {
    await this.run(`UPDATE queue_items SET outcome = 'unknown', failure = $2, version = version + 1 WHERE id = $1 AND status = 'posting'`, [
      id,
      question === null ? null : JSON.stringify(question),
    ]);
  }

  /**
   * Posts that are due and that no worker publishes: with an open attempt whose job no worker has claimed, or continued after its lease, for
   * `seconds`; with an unknown outcome whose job no worker has claimed for as long; with a slot that passed that long ago; held in their place; or the next post of an account, queued that long ago, while the
   * account has no slots at all. A job that waits for a stated reason until a later time is listed only if nothing could be prepared for its
   * post in `waitSeconds` and no copyright check keeps it back, which has an alert of its own.
   */
  async listOverdue(seconds: number, waitSeconds: number): Promise<OverduePost[]> {
    return this.select<OverduePost>(
      `SELECT q.id, q.status, q.account_id AS "accountId", q.immediate, q.outcome,
         CASE WHEN j.state = 'waiting' AND j.due_at > now() THEN j.wait_reason END AS "waitReason"
       FROM queue_items q
       JOIN publish_attempts a ON a.item_id = q.item_id AND a.queue_item_id = q.id AND a.state IN ('open','container','intent')
       JOIN stage_jobs j ON j.stage = ${STAGE_SQL.publish} AND j.subject_id = a.id
       WHERE q.status = 'posting' AND q.outcome IS NULL AND (
         ${IS_UNCLAIMED} OR (j.state = 'waiting' AND a.state = 'open' AND a.rights_check IS NULL AND a.created_at < now() - make_interval(secs => $2)))
       UNION ALL
       SELECT q.id, q.status, q.account_id, q.immediate, q.outcome, NULL FROM queue_items q
       JOIN publish_attempts a ON a.item_id = q.item_id AND a.queue_item_id = q.id AND a.state = 'unknown'
       JOIN stage_jobs j ON j.stage = ${STAGE_SQL.reconcile} AND j.subject_id = a.id
       WHERE q.status = 'posting' AND (q.failure IS NULL OR ${NO_QUESTION}) AND ${IS_UNCLAIMED}
       UNION ALL
       SELECT q.id, q.status, q.account_id, q.immediate, NULL, NULL FROM queue_items q
       WHERE q.status = 'scheduled' AND (q.scheduled_for < now() - make_interval(secs => $1) OR NOT ${NOT_HELD})
       UNION ALL
       (SELECT DISTINCT ON (q.account_id) q.id, q.status, q.account_id, q.immediate, NULL, NULL FROM queue_items q
        WHERE q.status = 'pending' AND q.queued_at < now() - make_interval(secs => $1)
          AND NOT EXISTS (SELECT 1 FROM queue_items s WHERE s.account_id = q.account_id AND s.status = 'scheduled')
        ORDER BY q.account_id, q.priority DESC, q.queued_at, q.id)
       ORDER BY id LIMIT 100`,
      [seconds, waitSeconds],
    );
  }

  /**
   * Items that failed with one of these codes in the last `days`, and whose post is ready, needs no review, was not queued again, and was never
   * sent to an account. By id, from the one after `after`; with `id`, that one if it is among them.
   */
  async stoppedAndReady(
    codes: readonly string[],
    days: number,
    { id = null, after = null, limit = 1 }: { id?: string | null; after?: string | null; limit?: number },
  ): Promise<Pick<QueueItem, 'id' | 'itemId'>[]> {
    return this.select<Pick<QueueItem, 'id' | 'itemId'>>(
      `SELECT q.id, q.item_id AS "itemId" FROM queue_items q JOIN content_items i ON i.id = q.item_id
       WHERE q.status = 'failed' AND q.failure ->> 'code' = ANY($1::text[]) AND q.finished_at > now() - make_interval(days => $2)
         AND ($4::uuid IS NULL OR q.id = $4) AND ($5::uuid IS NULL OR q.id > $5) AND i.state = 'ready' AND NOT i.needs_review
         AND NOT EXISTS (SELECT 1 FROM queue_items n WHERE n.item_id = q.item_id AND n.id <> q.id AND n.queued_at >= q.queued_at)
         AND NOT EXISTS (SELECT 1 FROM publish_attempts a WHERE a.item_id = q.item_id
           AND (a.state NOT IN ('failed','abandoned') OR coalesce(a.called_at, a.intent_at) IS NOT NULL OR a.answered_media_id IS NOT NULL))
       ORDER BY q.id LIMIT $3`,
      [codes, days, limit, id, after],
    );
  }

  /** Whether a waiting or posting item shows one of these delays. */
  async anyDelayed(codes: readonly string[]): Promise<boolean> {
    return this.affectsRow(`SELECT 1 FROM queue_items q WHERE ${DELAYED} LIMIT 1`, [codes]);
  }

  /** Names why a due item is delayed; returns `false` if it already has this reason. Its version stays, because the delay changes nothing else. */
  async markDelayed(id: string, failure: Failure): Promise<boolean> {
    return this.affectsRow(
      `UPDATE queue_items SET failure = $2 WHERE id = $1 AND status IN ('pending','scheduled','posting') AND (outcome IS NULL OR failure IS NULL)
         AND failure ->> 'code' IS DISTINCT FROM $3`,
      [id, JSON.stringify(failure), failure.code],
    );
  }

  /** Removes these delays from all items but those in `except`. */
  async clearDelayed(codes: readonly string[], except: readonly string[]): Promise<void> {
    await this.run(`UPDATE queue_items q SET failure = NULL WHERE ${DELAYED} AND NOT q.id = ANY($2::uuid[])`, [codes, except]);
  }

  private withSource(raw: Record<string, unknown>): QueueRow {
    return {
      queueItem: this.toEntity(raw),
      title: raw.i_title as string,
      subreddit: raw.i_subreddit as string | null,
      originalUrl: raw.i_original_url as string,
      mediaType: raw.i_media_type as MediaType,
      itemState: raw.i_state as ItemState,
      kind: raw.i_kind as PostKind,
      permalink: (raw.p_permalink as string | null) ?? null,
      posting: progressOf(raw),
    };
  }
}

/** Two concurrent executions each see some of the differences: a group may have no items left, but waiting times. */
const FOLD_COUNTS = `
  WITH folded AS (
    DELETE FROM queue_item_counts WHERE (account_id, status, slot_span, age_span) IN (
      SELECT account_id, status, slot_span, age_span FROM queue_item_counts GROUP BY 1, 2, 3, 4 HAVING count(*) > 1 OR sum(items) = 0)
    RETURNING *)
  INSERT INTO queue_item_counts (account_id, status, slot_span, age_span, items, waits, waited_ms)
  SELECT account_id, status, slot_span, age_span, sum(items), sum(waits), sum(waited_ms) FROM folded GROUP BY 1, 2, 3, 4
  HAVING sum(items) <> 0 OR sum(waits) <> 0 OR sum(waited_ms) <> 0`;

function progressOf(raw: Record<string, unknown>): PostingProgress | null {
  if (raw.w_attempt == null) return null;
  const job = raw.w_job as JobState | null;
  const waits = job === 'waiting' || job === 'retrying';
  return {
    attempt: raw.w_attempt as AttemptState,
    wasCalled: raw.w_called as boolean,
    startedAt: raw.w_started_at as Date,
    job,
    waitsFor: waits ? (raw.w_reason as string | null) : null,
    until: waits ? (raw.w_until as Date | null) : null,
    rightsCheck: raw.w_rights_check as RightsCheck | null,
  };
}
