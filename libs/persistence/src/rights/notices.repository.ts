import { ENVIRONMENT_ACCOUNT_ID, type NoticeStatus } from '@autoposter/contracts';
import { type OpenNotice, parseSourceUrl } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';

export interface NoticeRow {
  id: string;
  reference: string | null;
  receivedAt: Date;
  claimant: string;
  contact: string | null;
  work: string | null;
  workUrls: string[];
  locations: string[];
  accountIds: string[];
  goodFaith: boolean;
  accurate: boolean;
  signature: string | null;
  status: NoticeStatus;
  claimId: string | null;
  answer: string | null;
  answeredAt: Date | null;
  counterReceivedAt: Date | null;
  closedAt: Date | null;
  version: number;
}

export type NewNotice = Omit<NoticeRow, 'accountIds' | 'answer' | 'answeredAt' | 'counterReceivedAt' | 'closedAt' | 'version'> & {
  createdBy: string;
};

export interface StrikeRow {
  id: string;
  noticeId: string | null;
  /** `null`: it counts for no account. */
  accountId: string | null;
  reason: string;
  struckAt: Date;
  expiresAt: Date;
  clearedAt: Date | null;
}

/**
 * The accounts on which posts of a notice were published, that of the environment where no record names one; none if all of its posts stay, or
 * were stopped before publication.
 */
const accountsOf = (notice: string): string =>
  `SELECT DISTINCT coalesce(q.account_id, '${ENVIRONMENT_ACCOUNT_ID}') FROM rights_cases c
   LEFT JOIN publish_attempts a ON a.item_id = c.item_id AND a.state = 'published'
   LEFT JOIN queue_items q ON q.id = a.queue_item_id
   WHERE c.notice_id = ${notice} AND (a.id IS NOT NULL OR c.state IN ('open','removing','removed')) AND c.state <> 'dismissed' ORDER BY 1`;

const COLUMNS = `id, reference, received_at AS "receivedAt", claimant, contact, work, work_urls AS "workUrls", locations, good_faith AS "goodFaith",
  accurate, signature, status, claim_id AS "claimId", answer, answered_at AS "answeredAt", counter_received_at AS "counterReceivedAt",
  closed_at AS "closedAt", version, ARRAY(${accountsOf('takedown_notices.id')}) AS "accountIds"`;

/** Whether a strike counts now. */
const COUNTS = 'account_id IS NOT NULL AND cleared_at IS NULL AND expires_at > now()';

/** The code of a post in its address, which has many forms, as in the index `publish_attempts_by_code`. */
const CODE = `substring(permalink FROM '/(?:p|reels?|tv)/([^/?#]+)')`;

/** Normalises an address without such a code for comparison, as the index `publish_attempts_by_address` does. */
const addressForm = (column: string): string => `rtrim(regexp_replace(lower(${column}), '^https?://(www\\.)?|\\?.*$', '', 'g'), '/')`;

function codeIn(address: string): string | null {
  const known = parseSourceUrl(address);
  return known?.platform === 'instagram' ? known.sourceId : null;
}

/** Takedown notices and the strikes that follow from them. */
export class NoticeRepository extends SqlQueries {
  async create(notice: NewNotice): Promise<void> {
    const { id, reference, receivedAt, claimant, contact, work, workUrls, locations, goodFaith, accurate, signature } = notice;
    await this.run(
      `INSERT INTO takedown_notices (id, reference, received_at, claimant, contact, work, work_urls, locations, good_faith, accurate, signature,
         status, claim_id, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9, $10, $11, $12, $13, $14)`,
      [
        ...[id, reference, receivedAt, claimant, contact, work, JSON.stringify(workUrls), JSON.stringify(locations)],
        ...[goodFaith, accurate, signature, notice.status, notice.claimId, notice.createdBy],
      ],
    );
  }

  async find(id: string): Promise<NoticeRow | null> {
    return this.selectFirst<NoticeRow>(`SELECT ${COLUMNS} FROM takedown_notices WHERE id = $1`, [id]);
  }

  /** The notice that a claim came with. */
  async ofClaim(claimId: string): Promise<NoticeRow | null> {
    return this.selectFirst<NoticeRow>(`SELECT ${COLUMNS} FROM takedown_notices WHERE claim_id = $1`, [claimId]);
  }

  async page(offset: number, limit: number): Promise<{ notices: NoticeRow[]; total: number }> {
    const { rows } = await this.run<NoticeRow>(`SELECT ${COLUMNS} FROM takedown_notices ORDER BY received_at DESC, id LIMIT $1 OFFSET $2`, [
      limit,
      offset,
    ]);
    return { notices: rows, total: await this.count('SELECT count(*)::int FROM takedown_notices') };
  }

  /** Compare-and-set by version. */
  async answered(id: string, version: number, status: NoticeStatus, answer: string): Promise<boolean> {
    return this.changed(`answer = $4, answered_at = now()`, [id, version, status, answer]);
  }

  /** An upheld notice is open again. */
  async countered(id: string, version: number, receivedAt: Date, counter: { sender: string; statement: string }): Promise<boolean> {
    return this.changed(`counter_received_at = $4, counter_notice = $5::jsonb, closed_at = NULL`, [
      id,
      version,
      'countered',
      receivedAt,
      JSON.stringify(counter),
    ]);
  }

  async closed(id: string, version: number, status: NoticeStatus): Promise<boolean> {
    return this.changed(`closed_at = now()`, [id, version, status]);
  }

  /** Notices that are not closed, for their deadlines. */
  async findOpen(): Promise<OpenNotice[]> {
    return this.select<OpenNotice>(
      `SELECT received_at AS "receivedAt", counter_received_at AS "counterReceivedAt", answered_at AS "answeredAt", created_at AS "createdAt"
       FROM takedown_notices WHERE closed_at IS NULL`,
    );
  }

  /** Items that were published at one of these addresses. */
  publishedAt(addresses: readonly string[]): Promise<string[]> {
    const given = addresses.map((address) => ({ address, code: codeIn(address) }));
    return this.column(
      `SELECT DISTINCT item_id FROM publish_attempts WHERE state = 'published' AND permalink IS NOT NULL
         AND (${CODE} = ANY($1::text[]) OR ${addressForm('permalink')} = ANY(ARRAY(SELECT ${addressForm('given')} FROM unnest($2::text[]) AS given)))`,
      [given.flatMap(({ code }) => code ?? []), given.flatMap(({ address, code }) => (code === null ? [address] : []))],
    );
  }

  /** One strike per notice and account, or without an account; the first counts. */
  async strike(
    {
      id,
      noticeId,
      accountId,
      reason,
      recordedBy,
    }: Pick<StrikeRow, 'id' | 'accountId' | 'reason'> & { noticeId: string; recordedBy: string },
    countDays: number,
  ): Promise<void> {
    await this.run(
      `INSERT INTO account_strikes (id, notice_id, account_id, reason, recorded_by, expires_at)
       SELECT $1, $2, $3, $4, $5, now() + make_interval(days => $6)
       WHERE NOT EXISTS (SELECT 1 FROM account_strikes WHERE notice_id = $2 AND account_id IS NOT DISTINCT FROM $3)`,
      [id, noticeId, accountId, reason, recordedBy, countDays],
    );
  }

  accountsOf(noticeId: string): Promise<string[]> {
    return this.column(accountsOf('$1'), [noticeId]);
  }

  /** Strikes of an account that count now, and how many of them a person has not acknowledged by resuming publishing. */
  async countStrikes(accountId: string): Promise<{ active: number; unacknowledged: number }> {
    return this.selectOne(
      `SELECT count(*)::int AS active, (count(*) FILTER (WHERE acknowledged_at IS NULL))::int AS unacknowledged
       FROM account_strikes WHERE account_id = $1 AND ${COUNTS}`,
      [accountId],
    );
  }

  async acknowledgeStrikes(accountId: string): Promise<void> {
    await this.run('UPDATE account_strikes SET acknowledged_at = now() WHERE account_id = $1 AND acknowledged_at IS NULL', [accountId]);
  }

  /** A strike no longer counts once the claim of its notice is withdrawn or its posts are restored. Returns the notices whose strikes it clears. */
  async clearStrikesOf(claimId: string, by: string): Promise<string[]> {
    const noticeIds = await this.column<string>(
      `UPDATE account_strikes s SET cleared_at = now(), cleared_by = $2 FROM takedown_notices n
       WHERE n.id = s.notice_id AND n.claim_id = $1 AND s.cleared_at IS NULL RETURNING s.notice_id`,
      [claimId, by],
    );
    return [...new Set(noticeIds)];
  }

  async strikes(): Promise<{ accounts: { accountId: string; active: number }[]; strikes: StrikeRow[] }> {
    const { rows } = await this.run<StrikeRow>(
      `SELECT id, notice_id AS "noticeId", account_id AS "accountId", reason, struck_at AS "struckAt", expires_at AS "expiresAt", cleared_at AS "clearedAt"
       FROM account_strikes ORDER BY struck_at DESC LIMIT 200`,
    );
    const accounts = await this.run<{ accountId: string; active: number }>(
      `SELECT account_id AS "accountId", count(*)::int AS active FROM account_strikes WHERE ${COUNTS} GROUP BY account_id ORDER BY account_id`,
    );
    return { accounts: accounts.rows, strikes: rows };
  }

  private async changed(set: string, values: readonly unknown[]): Promise<boolean> {
    return this.affectsRow(`UPDATE takedown_notices SET version = version + 1, status = $3, ${set} WHERE id = $1 AND version = $2`, values);
  }
}
