import { PDQ_MATCH_DISTANCE, PDQ_MIN_QUALITY, type RightsMatch } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { SqlRepository } from '../database/sql-repository';
import { LOCKS } from '../database/transaction';
import { FingerprintRow, RightsClaim, RightsDecisionRow } from './rights.entity';

/** A file's hash with the picture hashes taken from it. */
export interface NewFingerprint {
  sha256: string | null;
  pdq: readonly { hash: string; quality: number; atSeconds: number | null }[];
}

class VerdictStore extends SqlRepository<RightsDecisionRow> {
  protected readonly entity = RightsDecisionRow;

  save(verdict: Omit<RightsDecisionRow, 'decidedAt'>): Promise<RightsDecisionRow | null> {
    return this.insert(
      verdict,
      `ON CONFLICT (item_id) DO UPDATE SET verdict = excluded.verdict, reasons = excluded.reasons, matches = excluded.matches,
         provenance = excluded.provenance, decided_at = now()`,
    );
  }

  ofItems(itemIds: readonly string[]): Promise<RightsDecisionRow[]> {
    return this.rows('SELECT * FROM rights_verdicts WHERE item_id = ANY($1::uuid[])', [itemIds]);
  }
}

class FingerprintStore extends SqlRepository<FingerprintRow> {
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

/** A claim whose number is known before it is written can be compared with the register before that. */
export type NewClaim = Omit<RightsClaim, 'id' | 'status' | 'createdAt'> & { id?: string };

/** What an item has in common with a claimed work. */
export interface ClaimedItem {
  itemId: string;
  match: RightsMatch;
  /** Of the item: how many of its pictures or frames can be compared at all. */
  usable: number;
  kind: 'video' | 'image';
}

/** The register of claimed works, the fingerprints of all that was collected, and what was decided about it. */
export class RightsRepository extends SqlRepository<RightsClaim> {
  protected readonly entity = RightsClaim;
  private readonly verdicts = new VerdictStore(this.manager);
  private readonly fingerprints = new FingerprintStore(this.manager);

  /** Nobody else writes to the register until this transaction ends: what is decided under the lock still holds when it is committed. */
  async lock(): Promise<void> {
    await this.run('SELECT pg_advisory_xact_lock($1)', [LOCKS.register]);
  }

  /** How far the register has grown: what is written later gets greater numbers. */
  async size(): Promise<number> {
    const { rows } = await this.run<{ last: string | null }>('SELECT max(seq) AS last FROM fingerprints');
    return Number(rows[0]?.last ?? 0);
  }

  async addClaim(claim: NewClaim, prints: readonly NewFingerprint[]): Promise<RightsClaim> {
    await this.lock();
    const row = await this.insert({ ...claim, id: claim.id ?? uuidv7() });
    if (row === null) throw new Error('a claim was not written');
    await this.fingerprints.replace('claim', row.id, prints);
    return row;
  }

  async withdrawClaim(id: string): Promise<boolean> {
    return (await this.run(`UPDATE rights_claims SET status = 'withdrawn' WHERE id = $1 AND status = 'active'`, [id])).count === 1;
  }

  /** The item's fingerprints become exactly these. */
  async saveFingerprints(itemId: string, prints: readonly NewFingerprint[]): Promise<void> {
    await this.lock();
    await this.fingerprints.replace('item', itemId, prints);
  }

  fingerprintsOf(itemId: string): Promise<FingerprintRow[]> {
    return this.fingerprints.of('item', itemId);
  }

  async saveDecision(verdict: Omit<RightsDecisionRow, 'decidedAt'>): Promise<void> {
    await this.verdicts.save(verdict);
  }

  async decisionOf(itemId: string): Promise<RightsDecisionRow | null> {
    return (await this.verdicts.ofItems([itemId]))[0] ?? null;
  }

  /**
   * Active claims and other items that share a file hash with `itemId`, or come within the match distance of one of its picture hashes
   * (64 hex digits, those of enough quality). Blocked items do not count: they are copies themselves. With `since` and `until` (sizes of
   * before) only what came between; it costs as much as there is between, however large the register is.
   */
  async findMatches(
    itemId: string,
    sha256: readonly string[],
    pdqHashes: readonly string[],
    since?: number,
    until?: number,
  ): Promise<RightsMatch[]> {
    const asked = [itemId, sha256, pdqHashes, PDQ_MATCH_DISTANCE, PDQ_MIN_QUALITY];
    const { rows } = await (since === undefined
      ? this.run<MatchRow>(ALL_MATCHES, asked)
      : this.run<MatchRow>(NEWER_MATCHES, [...asked, since, until ?? null]));
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
   * The same question from the other side: items that show a work with these prints, wherever they are on their way. The search of the whole
   * register belongs before the lock; with `since` (the size before it) only what came after, which costs as much as that is.
   */
  async findClaimed(
    { id, title }: Pick<RightsClaim, 'id' | 'title'>,
    prints: readonly NewFingerprint[],
    since?: number,
  ): Promise<ClaimedItem[]> {
    const sha256 = prints.flatMap((print) => print.sha256 ?? []);
    const hashes = prints.flatMap(({ pdq }) => pdq.filter(({ quality }) => quality >= PDQ_MIN_QUALITY).map(({ hash }) => hash));
    const asked = [sha256, hashes, PDQ_MATCH_DISTANCE, PDQ_MIN_QUALITY];
    const { rows } = await (since === undefined
      ? this.run<ClaimedRow>(ALL_CLAIMED, asked)
      : this.run<ClaimedRow>(NEWER_CLAIMED, [...asked, since]));
    return rows.map(({ item_id, video, exact, distance, matched, usable }) => ({
      itemId: item_id,
      match: { kind: 'claim', id, title, by: exact ? 'sha256' : 'pdq', distance, matched, compared: exact ? 1 : usable, published: false },
      usable,
      kind: video ? 'video' : 'image',
    }));
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

/** Near hashes share a word but for a bit (see the migration that made the index); only those are counted out. */
export const ALL_MATCHES = `
  WITH ${OURS}, met AS (
    SELECT owner_kind, owner_id, true AS exact, 0 AS distance, sha256 AS ours FROM fingerprints WHERE sha256 = ANY($2::text[])
    UNION ALL
    SELECT f.owner_kind, f.owner_id, false, bit_count(f.pdq_bits # ours.bits)::int, ours.hash
    FROM ours JOIN fingerprints f ON pdq_words(f.pdq_bits) && pdq_probes(ours.bits) AND f.pdq_quality >= $5
    WHERE bit_count(f.pdq_bits # ours.bits) <= $4
  ), ${OF_MET}`;

/**
 * Reads the numbers after $6 and compares each with ours. A statement of its own, because a prepared one is planned once for all values: with a
 * lower bound alone that plan expects a third of the register and searches all of it by words. A range of two bounds is expected to be narrow.
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

/** As NEWER_MATCHES: the range of two bounds is read whole and compared, by any plan. */
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
