import { PDQ_MATCH_DISTANCE, PDQ_MIN_QUALITY, type RightsMatch } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { SqlRepository } from '../database/sql-repository';
import { LOCKS } from '../database/transaction';
import { FingerprintRow, RightsClaim, RightsDecisionRow } from './rights.entity';

/** The hash of a file and the image hashes computed from it. */
export interface NewFingerprint {
  sha256: string | null;
  pdq: readonly { hash: string; quality: number; atSeconds: number | null }[];
}

class DecisionRepository extends SqlRepository<RightsDecisionRow> {
  protected readonly entity = RightsDecisionRow;

  save(decision: Omit<RightsDecisionRow, 'decidedAt'>): Promise<RightsDecisionRow | null> {
    return this.insert(
      decision,
      `ON CONFLICT (item_id) DO UPDATE SET verdict = excluded.verdict, reasons = excluded.reasons, matches = excluded.matches,
         provenance = excluded.provenance, decided_at = now()`,
    );
  }

  ofItems(itemIds: readonly string[]): Promise<RightsDecisionRow[]> {
    return this.rows('SELECT * FROM rights_verdicts WHERE item_id = ANY($1::uuid[])', [itemIds]);
  }
}

class FingerprintRepository extends SqlRepository<FingerprintRow> {
  protected readonly entity = FingerprintRow;

  of(ownerKind: 'claim' | 'item', ownerId: string): Promise<FingerprintRow[]> {
    return this.rows('SELECT * FROM fingerprints WHERE owner_kind = $1 AND owner_id = $2', [ownerKind, ownerId]);
  }

  async replace(ownerKind: 'claim' | 'item', ownerId: string, prints: readonly NewFingerprint[]): Promise<void> {
    await this.run('DELETE FROM fingerprints WHERE owner_kind = $1 AND owner_id = $2', [ownerKind, ownerId]);
    const owner = { ownerKind, ownerId };
    const rows = prints.flatMap(({ sha256, pdq }) => [
      ...(sha256 === null ? [] : [{ sha256 }]),
      ...pdq.map(({ hash, quality, atSeconds }) => ({ pdqHash: hash, pdqQuality: quality, atSeconds })),
    ]);
    await this.insertMany(rows.map((row) => ({ id: uuidv7(), ...owner, ...row })));
  }
}

/** With an `id`, a claim can be compared with the register before it is written. */
type NewClaim = Omit<RightsClaim, 'id' | 'status' | 'createdAt'> & { id?: string };

/** An item that matches a claimed work. */
export interface ClaimedItem {
  itemId: string;
  match: RightsMatch;
  /** Number of the item's pictures or frames that can be compared. */
  usable: number;
  kind: 'video' | 'image';
}

/** A claim with the number of its fingerprints. */
export interface ListedClaim {
  claim: RightsClaim;
  fingerprints: number;
}

const LISTED_CLAIM = `
  SELECT c.*, (SELECT count(*)::int FROM fingerprints f WHERE f.owner_kind = 'claim' AND f.owner_id = c.id) AS fingerprints
  FROM rights_claims c`;

/** The register of claimed works, the fingerprints of claims and items, and the rights decisions. */
export class RightsRepository extends SqlRepository<RightsClaim> {
  protected readonly entity = RightsClaim;
  private readonly decisions = new DecisionRepository(this.manager);
  private readonly fingerprints = new FingerprintRepository(this.manager);

  /** Blocks other writers of the register until this transaction ends, so that a decision still holds when it is committed. */
  async lock(): Promise<void> {
    await this.run('SELECT pg_advisory_xact_lock($1)', [LOCKS.register]);
  }

  /** The greatest fingerprint number; fingerprints written later get greater ones. */
  async size(): Promise<number> {
    return (await this.value<number>('SELECT max(seq) FROM fingerprints')) ?? 0;
  }

  /** Newest first; `status` `null` for all. */
  async pageOfClaims(
    status: RightsClaim['status'] | null,
    offset: number,
    limit: number,
  ): Promise<{ claims: ListedClaim[]; total: number }> {
    const where = '($1::text IS NULL OR c.status = $1)';
    const [claims, total] = await Promise.all([
      this.listedClaims(`WHERE ${where} ORDER BY c.created_at DESC, c.id LIMIT $2 OFFSET $3`, [status, limit, offset]),
      this.count(`SELECT count(*)::int FROM rights_claims c WHERE ${where}`, [status]),
    ]);
    return { claims, total };
  }

  async findClaim(id: string): Promise<ListedClaim | null> {
    return (await this.listedClaims('WHERE c.id = $1', [id]))[0] ?? null;
  }

  async addClaim(claim: NewClaim, prints: readonly NewFingerprint[]): Promise<RightsClaim> {
    await this.lock();
    const row = await this.insert({ ...claim, id: claim.id ?? uuidv7() });
    if (row === null) throw new Error('the claim was not inserted');
    await this.fingerprints.replace('claim', row.id, prints);
    return row;
  }

  async withdrawClaim(id: string): Promise<boolean> {
    return (await this.run(`UPDATE rights_claims SET status = 'withdrawn' WHERE id = $1 AND status = 'active'`, [id])).count === 1;
  }

  /** Replaces the item's fingerprints. */
  async saveFingerprints(itemId: string, prints: readonly NewFingerprint[]): Promise<void> {
    await this.lock();
    await this.fingerprints.replace('item', itemId, prints);
  }

  fingerprintsOf(itemId: string): Promise<FingerprintRow[]> {
    return this.fingerprints.of('item', itemId);
  }

  async saveDecision(decision: Omit<RightsDecisionRow, 'decidedAt'>): Promise<void> {
    await this.decisions.save(decision);
  }

  async decisionOf(itemId: string): Promise<RightsDecisionRow | null> {
    return (await this.decisions.ofItems([itemId]))[0] ?? null;
  }

  /**
   * Active claims and other items that share a file hash with `itemId`, or are within the match distance of one of its image hashes (64 hex
   * digits, sufficient quality). Ignores blocked items: they are copies. With `since` and `until` (earlier results of `size`) it reads only the
   * fingerprints in between, whatever the size of the register.
   */
  async findMatches(
    itemId: string,
    sha256: readonly string[],
    pdqHashes: readonly string[],
    since?: number,
    until?: number,
  ): Promise<RightsMatch[]> {
    const values = [itemId, sha256, pdqHashes, PDQ_MATCH_DISTANCE, PDQ_MIN_QUALITY];
    const { rows } = await (since === undefined
      ? this.run<MatchRow>(ALL_MATCHES, values)
      : this.run<MatchRow>(NEWER_MATCHES, [...values, since, until ?? null]));
    return rows.map(({ kind, id, title, exact, distance, matched, published }) => ({
      kind,
      id,
      title,
      by: exact ? 'sha256' : 'pdq',
      distance: exact ? 0 : distance,
      matched,
      compared: exact ? sha256.length : pdqHashes.length,
      published,
    }));
  }

  /**
   * Items in any state that match a claimed work. Search the whole register before `lock`, and under the lock only what is newer than `since`
   * (the earlier result of `size`).
   */
  async findClaimed(
    { id, title }: Pick<RightsClaim, 'id' | 'title'>,
    prints: readonly NewFingerprint[],
    since?: number,
  ): Promise<ClaimedItem[]> {
    const sha256 = prints.flatMap((print) => print.sha256 ?? []);
    const hashes = prints.flatMap(({ pdq }) => pdq.filter(({ quality }) => quality >= PDQ_MIN_QUALITY).map(({ hash }) => hash));
    const values = [sha256, hashes, PDQ_MATCH_DISTANCE, PDQ_MIN_QUALITY];
    const { rows } = await (since === undefined
      ? this.run<ClaimedRow>(ALL_CLAIMED, values)
      : this.run<ClaimedRow>(NEWER_CLAIMED, [...values, since]));
    return rows.map(({ item_id, video, exact, distance, matched, usable }) => ({
      itemId: item_id,
      match: { kind: 'claim', id, title, by: exact ? 'sha256' : 'pdq', distance, matched, compared: exact ? 1 : usable, published: false },
      usable,
      kind: video ? 'video' : 'image',
    }));
  }

  private async listedClaims(condition: string, parameters: readonly unknown[]): Promise<ListedClaim[]> {
    const { rows } = await this.run<Record<string, unknown>>(`${LISTED_CLAIM} ${condition}`, parameters);
    return rows.map((row) => ({ claim: this.toEntity(row), fingerprints: row['fingerprints'] as number }));
  }
}

interface MatchRow {
  kind: 'claim' | 'item';
  id: string;
  title: string;
  exact: boolean;
  distance: number;
  matched: number;
  published: boolean;
}

const OURS = `ours AS (SELECT hash, ('x' || hash)::bit(256) AS bits FROM unnest($3::text[]) AS given (hash))`;

const OF_MET = `grouped AS (
    SELECT owner_kind, owner_id, bool_or(exact) AS exact, min(distance) AS distance,
           coalesce(nullif(count(DISTINCT ours) FILTER (WHERE exact), 0), count(DISTINCT ours))::int AS matched
    FROM met GROUP BY owner_kind, owner_id
  )
  SELECT g.owner_kind AS kind, g.owner_id AS id, coalesce(c.title, nullif(i.title, ''), i.source_id) AS title, g.exact, g.distance, g.matched,
         EXISTS (SELECT 1 FROM publish_attempts p WHERE g.owner_kind = 'item' AND p.item_id = g.owner_id AND p.state = 'published') AS published
  FROM grouped g
  LEFT JOIN rights_claims c ON g.owner_kind = 'claim' AND c.id = g.owner_id AND c.status = 'active'
  LEFT JOIN content_items i ON g.owner_kind = 'item' AND i.id = g.owner_id AND i.id <> $1 AND i.state <> 'blocked'
  WHERE c.id IS NOT NULL OR i.id IS NOT NULL
  ORDER BY g.exact DESC, g.distance, g.owner_id`;

/** Hashes within the match distance share a word except for one bit, which the index finds (see migration 1763740000001); only those are compared. */
const ALL_MATCHES = `
  WITH ${OURS}, met AS (
    SELECT owner_kind, owner_id, true AS exact, 0 AS distance, sha256 AS ours FROM fingerprints WHERE sha256 = ANY($2::text[])
    UNION ALL
    SELECT f.owner_kind, f.owner_id, false, bit_count(f.pdq_bits # ours.bits)::int, ours.hash
    FROM ours JOIN fingerprints f ON pdq_words(f.pdq_bits) && pdq_probes(ours.bits) AND f.pdq_quality >= $5
    WHERE bit_count(f.pdq_bits # ours.bits) <= $4
  ), ${OF_MET}`;

/**
 * Reads the fingerprints after number $6 and compares each. A separate statement, because a prepared statement is planned once: with only a
 * lower bound the planner expects a third of the register and searches the word index; for a range with two bounds it expects few rows.
 */
export const NEWER_MATCHES = `
  WITH ${OURS}, newer AS MATERIALIZED (
    SELECT owner_kind, owner_id, sha256, pdq_bits, pdq_quality FROM fingerprints
    WHERE seq > $6::bigint AND seq <= coalesce($7::bigint, (SELECT max(seq) FROM fingerprints))
  ), met AS (
    SELECT owner_kind, owner_id, true AS exact, 0 AS distance, sha256 AS ours FROM newer WHERE sha256 = ANY($2::text[])
    UNION ALL
    SELECT f.owner_kind, f.owner_id, false, bit_count(f.pdq_bits # ours.bits)::int, ours.hash
    FROM ours JOIN newer f ON f.pdq_quality >= $5 AND bit_count(f.pdq_bits # ours.bits) <= $4
  ), ${OF_MET}`;

interface ClaimedRow {
  item_id: string;
  video: boolean;
  exact: boolean;
  distance: number;
  matched: number;
  usable: number;
}

const THEIRS = `theirs AS (SELECT ('x' || hash)::bit(256) AS bits FROM unnest($2::text[]) AS given (hash))`;

const OF_CLAIMED = `grouped AS (
    SELECT owner_id, bool_or(exact) AS exact, min(distance) AS distance, count(DISTINCT id)::int AS matched FROM met GROUP BY owner_id
  )
  SELECT i.id AS item_id, i.media_type = 'video' AS video, g.exact, g.distance, g.matched,
         (SELECT count(*)::int FROM fingerprints u WHERE u.owner_kind = 'item' AND u.owner_id = i.id AND u.pdq_quality >= $4) AS usable
  FROM grouped g JOIN content_items i ON i.id = g.owner_id
  ORDER BY i.id`;

const ALL_CLAIMED = `
  WITH ${THEIRS}, met AS (
    SELECT id, owner_id, true AS exact, 0 AS distance FROM fingerprints WHERE sha256 = ANY($1::text[]) AND owner_kind = 'item'
    UNION ALL
    SELECT f.id, f.owner_id, false, bit_count(f.pdq_bits # theirs.bits)::int
    FROM theirs JOIN fingerprints f ON pdq_words(f.pdq_bits) && pdq_probes(theirs.bits) AND f.pdq_quality >= $4 AND f.owner_kind = 'item'
    WHERE bit_count(f.pdq_bits # theirs.bits) <= $3
  ), ${OF_CLAIMED}`;

/** Reads a range with two bounds, as NEWER_MATCHES does. */
export const NEWER_CLAIMED = `
  WITH ${THEIRS}, newer AS MATERIALIZED (
    SELECT id, owner_kind, owner_id, sha256, pdq_bits, pdq_quality FROM fingerprints
    WHERE seq > $5::bigint AND seq <= (SELECT max(seq) FROM fingerprints)
  ), met AS (
    SELECT id, owner_id, true AS exact, 0 AS distance FROM newer WHERE sha256 = ANY($1::text[]) AND owner_kind = 'item'
    UNION ALL
    SELECT f.id, f.owner_id, false, bit_count(f.pdq_bits # theirs.bits)::int
    FROM theirs JOIN newer f ON f.owner_kind = 'item' AND f.pdq_quality >= $4 AND bit_count(f.pdq_bits # theirs.bits) <= $3
  ), ${OF_CLAIMED}`;
