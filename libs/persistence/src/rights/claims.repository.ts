import type { ClaimedWork, ClaimStatus } from '@autoposter/contracts';
import {
  claimableTargetsOf,
  isAmong,
  PDQ_MIN_QUALITY,
  type Recognition,
  targetsOf,
  type ClaimTarget,
  type TargetedPost,
} from '@autoposter/domain';
import type { ContentItem } from '../content-item/content-item.entity';
import { SqlQueries } from '../database/sql-repository';

/** An active claim that names a post by one of its targets. */
export interface NamingClaim {
  id: string;
  title: string;
  target: ClaimTarget;
  /** Posts with one of these are never stopped by the claim. */
  allowed: readonly ClaimTarget[];
}

/** Posts that a claim never stops. */
export interface AllowEntry extends ClaimTarget {
  id: string;
  claimId: string;
  reason: string;
  expiresAt: Date | null;
  createdBy: string;
  createdAt: Date;
}

const IN_FORCE = 'a.ended_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > now())';

const BY_TARGET = `
  SELECT c.id, c.title, t.kind, t.key,
         (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', a.kind, 'key', a.key)), '[]') FROM allow_entries a
          WHERE a.claim_id = c.id AND ${IN_FORCE}) AS allowed
  FROM unnest($1::text[], $2::text[]) AS given (kind, key)
  JOIN claim_targets t ON t.key = given.key AND t.kind = given.kind
  JOIN rights_claims c ON c.id = t.claim_id AND c.status = 'active'
  ORDER BY c.created_at, c.id, t.kind`;

/** What a post is known by, whether or not its source was read. */
export const targetedPost = ({ sourcePost, originalUrl, platform, sourceId, author, subreddit }: ContentItem): TargetedPost =>
  sourcePost ?? { platform, sourceId, permalink: originalUrl, author, subreddit };

/** What claims name besides the work, their status, and the file of the work. */
export class ClaimRepository extends SqlQueries {
  async addTargets(claimId: string, targets: readonly ClaimTarget[]): Promise<void> {
    await this.run(
      `INSERT INTO claim_targets (claim_id, kind, key) SELECT $1, kind, key FROM unnest($2::text[], $3::text[]) AS given (kind, key)
       ON CONFLICT DO NOTHING`,
      [claimId, targets.map(({ kind }) => kind), targets.map(({ key }) => key)],
    );
  }

  /** Targets of each of these claims. */
  async targetsOf(claimIds: readonly string[]): Promise<Map<string, ClaimTarget[]>> {
    const { rows } = await this.run<{ claim_id: string } & ClaimTarget>(
      'SELECT claim_id, kind, key FROM claim_targets WHERE claim_id = ANY($1::uuid[]) ORDER BY kind, key',
      [claimIds],
    );
    const found = new Map<string, ClaimTarget[]>();
    for (const { claim_id, kind, key } of rows) found.set(claim_id, [...(found.get(claim_id) ?? []), { kind, key }]);
    return found;
  }

  /** What an active claim is recognised by; `null` for one that stops no posts. */
  async recognition(id: string): Promise<Recognition | null> {
    const printed = (what: string) =>
      `EXISTS (SELECT 1 FROM fingerprints f WHERE f.owner_kind = 'claim' AND f.owner_id = c.id AND ${what})`;
    return this.selectFirst<Recognition>(
      `SELECT ${printed(`f.pdq_quality >= ${PDQ_MIN_QUALITY}`)} AS copies, ${printed('f.sha256 IS NOT NULL')} AS files,
         EXISTS (SELECT 1 FROM claim_targets t WHERE t.claim_id = c.id AND t.kind = 'url') AS addresses,
         coalesce(c.work->>'state' IN ('requested','stored'), false) AS "inProgress"
       FROM rights_claims c WHERE c.id = $1 AND c.status = 'active'`,
      [id],
    );
  }

  /** The active claims that name one of these targets, oldest first. */
  async onTargets(targets: readonly ClaimTarget[]): Promise<NamingClaim[]> {
    if (targets.length === 0) return [];
    const { rows } = await this.run<{ id: string; title: string; allowed: ClaimTarget[] } & ClaimTarget>(BY_TARGET, [
      targets.map(({ kind }) => kind),
      targets.map(({ key }) => key),
    ]);
    return rows.map(({ id, title, allowed, kind, key }) => ({ id, title, target: { kind, key }, allowed }));
  }

  /**
   * Items that the targets name and `allowed` does not, by id; deleted ones only while they are published. An index finds those with a term of a
   * target, which are then compared with it, `page` at a time: a subreddit may have any number of posts.
   */
  async itemsNamed(
    targets: readonly ClaimTarget[],
    allowed: readonly ClaimTarget[] = [],
    page = ITEMS_AT_ONCE,
  ): Promise<{ itemId: string; target: ClaimTarget }[]> {
    const terms = [...new Set(targets.flatMap(termOf))];
    if (terms.length === 0) return [];
    const ids = await this.column<string>('SELECT item_id FROM item_terms WHERE terms && $1::text[] ORDER BY item_id', [terms]);
    const found: { itemId: string; target: ClaimTarget }[] = [];
    for (let from = 0; from < ids.length; from += page) {
      const { rows } = await this.run<CandidateRow>(`${CANDIDATE} WHERE id = ANY($1::uuid[]) AND ${NOT_GONE} ORDER BY id`, [
        ids.slice(from, from + page),
      ]);
      for (const row of rows) {
        const named = claimableTargetsOf(candidate(row));
        const target = targets.find((one) => isAmong(named, one));
        if (target !== undefined && !isAnyAmong(targetsOf(candidate(row)), allowed)) found.push({ itemId: row.id, target });
      }
    }
    return found;
  }

  /** Of these claims, the posts that each never stops, oldest entry first. */
  async allowEntries(claimIds: readonly string[]): Promise<AllowEntry[]> {
    return this.select<AllowEntry>(
      `SELECT id, claim_id AS "claimId", kind, key, reason, expires_at AS "expiresAt", created_by AS "createdBy", created_at AS "createdAt"
       FROM allow_entries a WHERE claim_id = ANY($1::uuid[]) AND ${IN_FORCE} ORDER BY created_at, id`,
      [claimIds],
    );
  }

  /** Replaces the entry in force for the same posts: of two, the end of one would change nothing. */
  async allow({ id, claimId, kind, key, reason, expiresAt, createdBy }: Omit<AllowEntry, 'createdAt'>): Promise<void> {
    await this.run('SELECT 1 FROM rights_claims WHERE id = $1 FOR UPDATE', [claimId]);
    await this.run(`UPDATE allow_entries a SET ended_at = now() WHERE claim_id = $1 AND kind = $2 AND key = $3 AND ${IN_FORCE}`, [
      claimId,
      kind,
      key,
    ]);
    await this.run(
      'INSERT INTO allow_entries (id, claim_id, kind, key, reason, expires_at, created_by) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [id, claimId, kind, key, reason, expiresAt, createdBy],
    );
  }

  /** Ends an entry; `null` if it is not in force. */
  async endAllow(id: string): Promise<Pick<AllowEntry, 'claimId' | 'kind' | 'key'> | null> {
    return this.selectFirst<Pick<AllowEntry, 'claimId' | 'kind' | 'key'>>(
      `UPDATE allow_entries a SET ended_at = now() WHERE id = $1 AND ${IN_FORCE} RETURNING claim_id AS "claimId", kind, key`,
      [id],
    );
  }

  /** Of these claims, those that never stop the item. */
  async allowing(itemId: string, claimIds: readonly string[]): Promise<Set<string>> {
    const entries = claimIds.length === 0 ? [] : await this.allowEntries(claimIds);
    const named = entries.length === 0 ? [] : ((await this.namesOf([itemId])).get(itemId) ?? []);
    return new Set(entries.filter((entry) => isAmong(named, entry)).map(({ claimId }) => claimId));
  }

  /** Of these items, those that the claim never stops. */
  async allowedItems(claimId: string, itemIds: readonly string[]): Promise<Set<string>> {
    const entries = itemIds.length === 0 ? [] : await this.allowEntries([claimId]);
    if (entries.length === 0) return new Set();
    return new Set([...(await this.namesOf(itemIds))].filter(([, named]) => isAnyAmong(named, entries)).map(([id]) => id));
  }

  private async namesOf(itemIds: readonly string[]): Promise<Map<string, ClaimTarget[]>> {
    const { rows } = await this.run<CandidateRow>(`${CANDIDATE} WHERE id = ANY($1::uuid[])`, [itemIds]);
    return new Map(rows.map((row) => [row.id, targetsOf(candidate(row))]));
  }

  /** The status until this transaction ends. */
  async keepStatus(id: string): Promise<ClaimStatus | null> {
    return this.value('SELECT status FROM rights_claims WHERE id = $1 FOR SHARE', [id]);
  }

  /** Changes the status if it is still `from`. A claim that becomes active again has no end unless a new one is given. */
  async setStatus(
    id: string,
    { from, to, note, expiresAt }: { from: ClaimStatus; to: ClaimStatus; note: string | null; expiresAt: Date | null },
  ): Promise<boolean> {
    return this.affectsRow(
      `UPDATE rights_claims SET status = $3, status_note = $4, expires_at = CASE WHEN $3 = 'active' THEN $5::timestamptz ELSE expires_at END,
         inactive_since = CASE WHEN $2 = 'active' THEN now() WHEN $3 = 'active' THEN NULL ELSE inactive_since END
       WHERE id = $1 AND status = $2`,
      [id, from, to, note, expiresAt],
    );
  }

  /** The claims on authors that this notice helped to make repeat infringers, unless they were withdrawn. */
  onAuthorsOf(noticeId: string): Promise<{ id: string; key: string }[]> {
    return this.select<{ id: string; key: string }>(
      `SELECT c.id, t.key FROM rights_claims c JOIN claim_targets t ON t.claim_id = c.id AND t.kind = 'author'
       WHERE c.upheld_notices @> ARRAY[$1::uuid] AND c.status <> 'withdrawn' ORDER BY c.id`,
      [noticeId],
    );
  }

  async setUpheldNotices(id: string, noticeIds: readonly string[]): Promise<void> {
    await this.run('UPDATE rights_claims SET upheld_notices = $2::uuid[] WHERE id = $1', [id, noticeIds]);
  }

  /** Ends the active claims whose time is over. Returns their ids. */
  expireDue(): Promise<string[]> {
    return this.column(
      `UPDATE rights_claims SET status = 'expired', inactive_since = now() WHERE status = 'active' AND expires_at IS NOT NULL AND expires_at <= now() RETURNING id`,
    );
  }

  /** `false`, without a change, if the work is no longer in the state `from`. */
  async setWork(id: string, work: ClaimedWork, from?: ClaimedWork['state']): Promise<boolean> {
    return this.affectsRow(`UPDATE rights_claims SET work = $2::jsonb WHERE id = $1 AND ($3::text IS NULL OR work->>'state' = $3)`, [
      id,
      JSON.stringify(work),
      from ?? null,
    ]);
  }
}

interface CandidateRow {
  id: string;
  platform: ContentItem['platform'];
  source_id: string;
  original_url: string;
  author: string | null;
  subreddit: string | null;
  source_post: ContentItem['sourcePost'];
}

const CANDIDATE = 'SELECT id, platform, source_id, original_url, author, subreddit, source_post FROM content_items';

const isAnyAmong = (named: readonly ClaimTarget[], targets: readonly ClaimTarget[]): boolean =>
  targets.some((target) => isAmong(named, target));

const ITEMS_AT_ONCE = 5000;

const NOT_GONE = `(state <> 'deleted' OR EXISTS (SELECT 1 FROM publish_attempts p WHERE p.item_id = content_items.id AND p.state = 'published'))`;

const candidate = (row: CandidateRow): TargetedPost =>
  row.source_post ?? {
    platform: row.platform,
    sourceId: row.source_id,
    permalink: row.original_url,
    author: row.author,
    subreddit: row.subreddit,
  };

/** Many addresses have a shorter last part. */
const MIN_PART = 5;

/**
 * What the database knows items with the target by (`terms_of`): of an address the id of the post, or the last part of the path, which every form of the
 * address contains, or all of it where that part is short.
 */
function termOf({ kind, key }: ClaimTarget): string[] {
  if (kind !== 'url') return [`${kind}:${key}`];
  if (/^(?:reddit|instagram):/u.test(key)) return [key.slice(key.indexOf(':') + 1)];
  const address = key.replace(/\?.*$/su, '');
  const last = address.split('/').at(-1) ?? '';
  return [(last.length < MIN_PART ? address : last).slice(0, 500)];
}
