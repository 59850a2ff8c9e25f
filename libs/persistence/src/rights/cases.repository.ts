import {
  type CaseNaming,
  type CaseState,
  type ClaimStatus,
  ENVIRONMENT_ACCOUNT_ID,
  PERMISSION_CASES,
  type Platform,
  type RightsCaseView,
} from '@autoposter/contracts';
import type { Failure, RightsMatch } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';

export interface NewCase {
  id: string;
  reason: RightsCaseView['reason'];
  itemId: string;
  claimId?: string | null;
  noticeId?: string | null;
  /** State of the item when it was found. */
  itemState: string;
  state: CaseState;
  detail?: Record<string, unknown>;
  /** Hours until the post has to be removed; `null` without a deadline. */
  dueInHours?: number | null;
  /** The deadline of a notice, instead. */
  dueAt?: Date | null;
}

export interface RightsCase {
  id: string;
  reason: NewCase['reason'];
  itemId: string;
  claimId: string | null;
  noticeId: string | null;
  itemState: string;
  state: CaseState;
  detail: Record<string, unknown>;
  dueAt: Date | null;
  openedAt: Date;
  closedAt: Date | null;
  closedBy: string | null;
  title: string;
  author: string | null;
  claimTitle: string | null;
  claimStatus: ClaimStatus | null;
  noticeReference: string | null;
  canRunAgain: boolean;
  /** The published post, while it is known. */
  mediaId: string | null;
  /** The id for publishing of the account that it was published on. */
  publishedOn: string | null;
  /** Our id of that account. */
  accountId: string | null;
  permalink: string | null;
}

/** Why the claim of a case is about its post. */
interface CaseEvidence {
  named: CaseNaming | null;
  /** Strongest first. */
  matches: RightsMatch[];
}

export interface RepeatInfringer {
  platform: Platform;
  author: string;
  /** Upheld notices, of those about one post one. */
  notices: number;
  noticeIds: string[];
}

const LISTED = `
  SELECT k.id, k.reason, k.item_id AS "itemId", k.claim_id AS "claimId", k.notice_id AS "noticeId", k.item_state AS "itemState", k.state, k.detail,
         k.due_at AS "dueAt", k.opened_at AS "openedAt", k.closed_at AS "closedAt", k.closed_by AS "closedBy",
         coalesce(nullif(i.title, ''), i.source_id, '') AS title, i.author, c.title AS "claimTitle", c.status AS "claimStatus",
         n.reference AS "noticeReference", (k.state = 'held' AND c.status <> 'active' AND i.state = 'blocked') IS TRUE AS "canRunAgain", p.media_id AS "mediaId", p.account_id AS "publishedOn", p.queued_for AS "accountId", p.permalink
  FROM rights_cases k
  LEFT JOIN content_items i ON i.id = k.item_id
  LEFT JOIN rights_claims c ON c.id = k.claim_id
  LEFT JOIN takedown_notices n ON n.id = k.notice_id
  LEFT JOIN LATERAL (
    SELECT a.media_id, a.account_id, a.permalink, coalesce(q.account_id, '${ENVIRONMENT_ACCOUNT_ID}') AS queued_for
    FROM publish_attempts a LEFT JOIN queue_items q ON q.id = a.queue_item_id WHERE a.item_id = k.item_id AND a.state = 'published' LIMIT 1) p ON true`;

const OF_PERMISSION = `IN (${PERMISSION_CASES.map((reason) => `'${reason}'`).join(',')})`;

/** The hashes of the files that the claim of a case is recognised by. */
const WORKS = `(SELECT coalesce(jsonb_agg(DISTINCT sha256), '[]') FROM fingerprints WHERE owner_kind = 'claim' AND owner_id = rights_cases.claim_id AND sha256 IS NOT NULL)`;

/**
 * By the id of the case: what was recorded last of how its claim names the post, and of what the post shows of the work, or what an administrator
 * called the same work.
 */
const EVIDENCE = `
  SELECT k.id, (array_agg(r.body->>'named' ORDER BY r.seq DESC) FILTER (WHERE r.body->>'named' IS NOT NULL))[1] AS named,
         coalesce((array_agg(m.matches ORDER BY r.seq DESC) FILTER (WHERE jsonb_array_length(m.matches) > 0))[1], '[]') AS matches
  FROM rights_cases k
  JOIN LATERAL (SELECT seq, body::jsonb AS body FROM provenance_records WHERE item_id = k.item_id AND kind IN ('claim','answer')) r
    ON r.body->>'claimId' = k.claim_id::text OR (r.body->'other'->>'id' = k.claim_id::text AND r.body->>'answer' = 'same')
  CROSS JOIN LATERAL (SELECT jsonb_path_query_array(coalesce(r.body->'matches', jsonb_build_array(r.body->'match')), '$[*] ? (@.id == $claim)',
    jsonb_build_object('claim', k.claim_id)) AS matches) m
  WHERE k.id = ANY($1::uuid[]) GROUP BY k.id`;

/** Several posts in one notice count once, as do several notices about one post. */
const INFRINGEMENTS = 'least(count(DISTINCT k.notice_id), count(DISTINCT k.item_id))';

/** Posts that show a claimed work or were removed at their source, with the actions taken. */
export class CaseRepository extends SqlQueries {
  /**
   * `false` if the item has an open case of this claim already; a notice then takes it over, and the earlier deadline counts. What is said of a
   * permission may change, and another reason outlasts it.
   */
  async open({ id, reason, itemId, itemState, state, ...rest }: NewCase): Promise<boolean> {
    const { claimId = null, noticeId = null, detail = {}, dueInHours = null, dueAt = null } = rest;
    const isOpen = state === 'open';
    return this.affectsRow(
      `INSERT INTO rights_cases (id, reason, item_id, claim_id, notice_id, item_state, state, detail, due_at, closed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, coalesce($11::timestamptz, now() + make_interval(hours => $9::int)), CASE WHEN $10 THEN NULL ELSE now() END)
       ON CONFLICT (item_id, coalesce(claim_id, item_id)) WHERE state IN ('open','removing') DO UPDATE
       SET reason = CASE WHEN rights_cases.reason ${OF_PERMISSION} THEN excluded.reason ELSE rights_cases.reason END,
           detail = rights_cases.detail || excluded.detail, notice_id = coalesce(rights_cases.notice_id, excluded.notice_id),
           due_at = least(rights_cases.due_at, excluded.due_at) RETURNING (xmax = 0) AS added`,
      [id, reason, itemId, claimId, noticeId, itemState, state, JSON.stringify(detail), dueInHours, isOpen, dueAt],
    );
  }

  async find(id: string): Promise<RightsCase | null> {
    return this.selectFirst<RightsCase>(`${LISTED} WHERE k.id = $1`, [id]);
  }

  async ofNotice(noticeId: string): Promise<RightsCase[]> {
    return this.select<RightsCase>(`${LISTED} WHERE k.notice_id = $1 ORDER BY k.state = 'open' DESC, k.opened_at, k.id`, [noticeId]);
  }

  async evidenceOf(ids: readonly string[]): Promise<Map<string, CaseEvidence>> {
    const { rows } = await this.run<CaseEvidence & { id: string }>(EVIDENCE, [ids]);
    return new Map(rows.map(({ id, ...evidence }) => [id, evidence]));
  }

  /** `pending`: open cases and started removals, earliest due date first; otherwise newest first. */
  async page(state: CaseState | 'pending' | null, offset: number, limit: number): Promise<{ cases: RightsCase[]; total: number }> {
    const isPending = state === 'pending';
    const where = isPending ? `WHERE $1 = 'pending' AND k.state IN ('open','removing')` : 'WHERE ($1::text IS NULL OR k.state = $1)';
    const order = isPending ? 'k.due_at NULLS LAST, k.opened_at, k.id' : 'k.opened_at DESC, k.id';
    const { rows } = await this.run<RightsCase>(`${LISTED} ${where} ORDER BY ${order} LIMIT $2 OFFSET $3`, [state, limit, offset]);
    return { cases: rows, total: await this.count(`SELECT count(*)::int FROM rights_cases k ${where}`, [state]) };
  }

  /**
   * Cases whose post is to be removed and can be, because its id is known: of each account in turn, so that one whose calls fail holds up no
   * other, those that are due first. Not those in `except`.
   */
  async removable(except: readonly string[], limit: number): Promise<RightsCase[]> {
    return this.select<RightsCase>(
      `${LISTED} WHERE k.state = 'removing' AND p.media_id IS NOT NULL AND k.id <> ALL($1::uuid[])
       ORDER BY row_number() OVER (PARTITION BY p.account_id ORDER BY k.due_at NULLS LAST, k.opened_at, k.id), k.due_at NULLS LAST, k.id LIMIT $2`,
      [except, limit],
    );
  }

  /** Compare-and-set; `detail` is merged into the stored one. A case that is dismissed keeps which files its claim had. */
  async move(id: string, from: readonly CaseState[], to: CaseState, by: string, detail: Record<string, unknown> = {}): Promise<boolean> {
    return this.affectsRow(
      `UPDATE rights_cases SET state = $3, detail = detail || $5::jsonb || CASE WHEN $3 = 'dismissed' THEN jsonb_build_object('works', ${WORKS}) ELSE '{}' END,
         closed_at = CASE WHEN $3 IN ('open','removing') THEN NULL ELSE now() END, closed_by = CASE WHEN $3 IN ('open','removing') THEN NULL ELSE $4 END
       WHERE id = $1 AND state = ANY($2::text[])`,
      [id, from, to, by, JSON.stringify(detail)],
    );
  }

  /** Ends the cases of a claim whose posts are not taken down yet. Returns their ids. */
  async dismissOfClaim(claimId: string, by: string, note: string): Promise<string[]> {
    return this.column(
      `UPDATE rights_cases SET state = 'dismissed', detail = detail || jsonb_build_object('note', $3::text), closed_at = now(), closed_by = $2
       WHERE claim_id = $1 AND state IN ('open','removing') RETURNING id`,
      [claimId, by, note],
    );
  }

  /** Of a claim that is about to be active again: the time in which it was not does not count towards deadlines that had not passed before. */
  async resumeDeadlines(claimId: string): Promise<void> {
    await this.run(
      `UPDATE rights_cases k SET due_at = k.due_at + (now() - c.inactive_since) FROM rights_claims c
       WHERE c.id = $1 AND k.claim_id = c.id AND k.state IN ('open','removing') AND k.due_at > c.inactive_since`,
      [claimId],
    );
  }

  /** Leaves the started removals of a claim that stops no posts any more to a person. Returns the ids of their cases. */
  async stopRemovals(claimId: string): Promise<string[]> {
    return this.column(`UPDATE rights_cases SET state = 'open' WHERE claim_id = $1 AND state = 'removing' RETURNING id`, [claimId]);
  }

  /** Ends the case of a permission whose post is not taken down yet. Returns its id, if there was one. */
  async dismissPermitted(itemId: string, by: string, note: string): Promise<string[]> {
    return this.column(
      `UPDATE rights_cases SET state = 'dismissed', detail = detail || jsonb_build_object('note', $3::text), closed_at = now(), closed_by = $2
       WHERE item_id = $1 AND reason ${OF_PERMISSION} AND notice_id IS NULL AND state IN ('open','removing') RETURNING id`,
      [itemId, by, note],
    );
  }

  /** Whether a person dismissed the case of this claim, which has no file since that it had not then. */
  async isDismissed(itemId: string, claimId: string): Promise<boolean> {
    return this.affectsRow(
      `SELECT 1 FROM rights_cases WHERE item_id = $1 AND claim_id = $2 AND state = 'dismissed' AND detail->'works' @> ${WORKS} LIMIT 1`,
      [itemId, claimId],
    );
  }

  /** Id of the case of a claim whose post is to be taken down; at most one. */
  async openOf(itemId: string, claimId: string): Promise<string | null> {
    return this.value(`SELECT id FROM rights_cases WHERE item_id = $1 AND claim_id = $2 AND state IN ('open','removing')`, [
      itemId,
      claimId,
    ]);
  }

  /** Ends the other cases of a post that is gone. Returns their ids. */
  async removeOthers(itemId: string, by: string): Promise<string[]> {
    return this.column(
      `UPDATE rights_cases SET state = 'removed', closed_at = now(), closed_by = $2 WHERE item_id = $1 AND state IN ('open','removing') RETURNING id`,
      [itemId, by],
    );
  }

  /** Ends cases of posts that turned out to be unpublished and are stopped now: there is nothing to take down. */
  async holdOf(itemId: string, by: string): Promise<void> {
    await this.run(
      `UPDATE rights_cases SET state = 'held', due_at = NULL, closed_at = now(), closed_by = $2 WHERE item_id = $1 AND state IN ('open','removing')`,
      [itemId, by],
    );
  }

  /**
   * A post that was stopped turned out to be live: its cases of claims that still hold are open, with this long to remove it. Returns the ids
   * of their claims.
   */
  async reopenHeld(itemId: string, dueInHours: number): Promise<string[]> {
    return this.column(
      `UPDATE rights_cases k SET state = 'open', opened_at = now(), due_at = now() + make_interval(hours => $2::int), closed_at = NULL, closed_by = NULL
       WHERE item_id = $1 AND id IN (
         SELECT DISTINCT ON (h.claim_id) h.id FROM rights_cases h LEFT JOIN rights_claims c ON c.id = h.claim_id
         WHERE h.item_id = $1 AND h.state = 'held' AND (h.claim_id IS NULL OR c.status = 'active')
           AND NOT EXISTS (SELECT 1 FROM rights_cases o WHERE o.item_id = $1 AND o.claim_id IS NOT DISTINCT FROM h.claim_id AND o.state IN ('open','removing'))
         ORDER BY h.claim_id, h.opened_at DESC)
       RETURNING coalesce(claim_id, item_id)`,
      [itemId, dueInHours],
    );
  }

  /** Cases that were opened between two times, except for matches of the platform's check, and those that became overdue between them. Those of a claim that stops no posts wait. */
  async alertsBetween(after: Date, until: Date): Promise<{ opened: number; overdue: number }> {
    return this.selectOne(
      `SELECT count(*) FILTER (WHERE opened_at > $1 AND opened_at <= $2 AND reason <> 'platform_match')::int AS opened,
              count(*) FILTER (WHERE due_at > $1 AND due_at <= $2)::int AS overdue
       FROM rights_cases k WHERE state IN ('open','removing')
         AND NOT EXISTS (SELECT 1 FROM rights_claims c WHERE c.id = k.claim_id AND c.status <> 'active')`,
      [after, until],
    );
  }

  /** Whether a published post was taken down. */
  async isRemoved(itemId: string): Promise<boolean> {
    return this.affectsRow(`SELECT 1 FROM rights_cases WHERE item_id = $1 AND state = 'removed' LIMIT 1`, [itemId]);
  }

  /** Why the removal of a post failed; the case stays as it is. */
  async noteFailure(id: string, failure: Failure): Promise<void> {
    await this.run(
      `UPDATE rights_cases SET detail = detail || jsonb_build_object('note', NULL, 'failure', $2::jsonb) WHERE id = $1 AND state = 'removing'`,
      [id, JSON.stringify(failure)],
    );
  }

  /**
   * Of the authors of a notice's posts, those with at least so many upheld notices that were not withdrawn since, about at least so many posts;
   * only these are proven.
   */
  async repeatInfringers(noticeId: string, { notices, withinDays }: { notices: number; withinDays: number }): Promise<RepeatInfringer[]> {
    return this.select<RepeatInfringer>(
      `SELECT a.platform, a.author, ${INFRINGEMENTS}::int AS notices, array_agg(DISTINCT k.notice_id) AS "noticeIds"
       FROM (SELECT DISTINCT ON (i.platform, lower(i.author)) i.platform, i.author FROM rights_cases k JOIN content_items i ON i.id = k.item_id
             WHERE k.notice_id = $1 AND i.author IS NOT NULL ORDER BY i.platform, lower(i.author), i.id) a
       JOIN content_items i ON i.platform = a.platform AND lower(i.author) = lower(a.author)
       JOIN rights_cases k ON k.item_id = i.id AND k.state <> 'dismissed' AND k.opened_at > now() - make_interval(days => $3)
       JOIN takedown_notices n ON n.id = k.notice_id AND n.status = 'upheld'
       JOIN rights_claims c ON c.id = n.claim_id AND c.status <> 'withdrawn'
       GROUP BY a.platform, a.author HAVING ${INFRINGEMENTS} >= $2 ORDER BY a.platform, a.author`,
      [noticeId, notices, withinDays],
    );
  }
}
