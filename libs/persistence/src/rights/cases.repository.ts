import type { CaseState, RightsCaseView } from '@autoposter/contracts';
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
  /** The published post, while it is known. */
  mediaId: string | null;
  /** The id for publishing of the account that it was published on. */
  publishedOn: string | null;
  permalink: string | null;
}

const LISTED = `
  SELECT k.id, k.reason, k.item_id AS "itemId", k.claim_id AS "claimId", k.notice_id AS "noticeId", k.item_state AS "itemState", k.state, k.detail,
         k.due_at AS "dueAt", k.opened_at AS "openedAt", k.closed_at AS "closedAt", k.closed_by AS "closedBy",
         coalesce(nullif(i.title, ''), i.source_id, '') AS title, i.author, c.title AS "claimTitle", p.media_id AS "mediaId", p.account_id AS "publishedOn", p.permalink
  FROM rights_cases k
  LEFT JOIN content_items i ON i.id = k.item_id
  LEFT JOIN rights_claims c ON c.id = k.claim_id
  LEFT JOIN LATERAL (SELECT media_id, account_id, permalink FROM publish_attempts WHERE item_id = k.item_id AND state = 'published' LIMIT 1) p ON true`;

/** Posts that show a claimed work or were removed at their source, with the actions taken. */
export class CaseRepository extends SqlQueries {
  /** `false` if the item has an open case of this claim already; a notice then takes it over. */
  async open({ id, reason, itemId, itemState, state, ...rest }: NewCase): Promise<boolean> {
    const { claimId = null, noticeId = null, detail = {}, dueInHours = null } = rest;
    const isOpen = state === 'open';
    const { count } = await this.run(
      `INSERT INTO rights_cases (id, reason, item_id, claim_id, notice_id, item_state, state, detail, due_at, closed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, now() + make_interval(hours => $9::int), CASE WHEN $10 THEN NULL ELSE now() END)
       ON CONFLICT (item_id, coalesce(claim_id, item_id)) WHERE state IN ('open','removing') DO UPDATE
       SET notice_id = coalesce(rights_cases.notice_id, excluded.notice_id) RETURNING (xmax = 0) AS added`,
      [id, reason, itemId, claimId, noticeId, itemState, state, JSON.stringify(detail), dueInHours, isOpen],
    );
    return count === 1;
  }

  async find(id: string): Promise<RightsCase | null> {
    return (await this.run<RightsCase>(`${LISTED} WHERE k.id = $1`, [id])).rows[0] ?? null;
  }

  async ofNotice(noticeId: string): Promise<RightsCase[]> {
    return (await this.run<RightsCase>(`${LISTED} WHERE k.notice_id = $1 ORDER BY k.state = 'open' DESC, k.opened_at, k.id`, [noticeId]))
      .rows;
  }

  async page(state: CaseState | null, offset: number, limit: number): Promise<{ cases: RightsCase[]; total: number }> {
    const where = 'WHERE ($1::text IS NULL OR k.state = $1)';
    const { rows } = await this.run<RightsCase>(`${LISTED} ${where} ORDER BY k.opened_at DESC, k.id LIMIT $2 OFFSET $3`, [
      state,
      limit,
      offset,
    ]);
    return { cases: rows, total: await this.count(`SELECT count(*)::int FROM rights_cases k ${where}`, [state]) };
  }

  /** Compare-and-set; `detail` is merged into the stored one. */
  async move(id: string, from: readonly CaseState[], to: CaseState, by: string, detail: Record<string, unknown> = {}): Promise<boolean> {
    const { count } = await this.run(
      `UPDATE rights_cases SET state = $3, detail = detail || $5::jsonb,
         closed_at = CASE WHEN $3 IN ('open','removing') THEN NULL ELSE now() END, closed_by = CASE WHEN $3 IN ('open','removing') THEN NULL ELSE $4 END
       WHERE id = $1 AND state = ANY($2::text[])`,
      [id, from, to, by, JSON.stringify(detail)],
    );
    return count === 1;
  }

  /** Titles of earlier cases that were upheld against posts of this author: the repeat-infringer rule counts them. */
  upheldAgainst(author: string, withinDays: number): Promise<number> {
    return this.count(
      `SELECT count(DISTINCT k.item_id)::int FROM rights_cases k JOIN content_items i ON i.id = k.item_id AND lower(i.author) = lower($1)
       WHERE k.state IN ('held','removed') AND k.opened_at > now() - make_interval(days => $2)`,
      [author, withinDays],
    );
  }
}
