import { PDQ_MATCH_DISTANCE, type RightsMatch } from '@autoposter/domain';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RowStore } from '../database/row-store';
import { FingerprintRow } from './fingerprint.entity';
import { RightsClaim } from './rights-claim.entity';
import { RightsVerdictRow } from './rights-verdict.entity';

/** A file's hash with the picture hashes taken from it. */
export interface NewFingerprint {
  sha256: string | null;
  pdq: readonly { hash: string; quality: number; atSeconds: number | null }[];
}

class VerdictStore extends RowStore<RightsVerdictRow> {
  constructor(manager: EntityManager) {
    super(manager, RightsVerdictRow);
  }

  save(verdict: Omit<RightsVerdictRow, 'decidedAt'>): Promise<RightsVerdictRow | null> {
    return this.insert(
      verdict,
      `ON CONFLICT (item_id) DO UPDATE SET verdict = excluded.verdict, reasons = excluded.reasons, matches = excluded.matches,
         provenance = excluded.provenance, decided_at = now()`,
    );
  }

  ofItems(itemIds: readonly string[]): Promise<RightsVerdictRow[]> {
    return this.rows('SELECT * FROM rights_verdicts WHERE item_id = ANY($1::uuid[])', [itemIds]);
  }
}

class FingerprintStore extends RowStore<FingerprintRow> {
  constructor(manager: EntityManager) {
    super(manager, FingerprintRow);
  }

  async replace(ownerKind: 'claim' | 'item', ownerId: string, prints: readonly NewFingerprint[]): Promise<void> {
    await this.run('DELETE FROM fingerprints WHERE owner_kind = $1 AND owner_id = $2', [ownerKind, ownerId]);
    const owner = { ownerKind, ownerId };
    for (const { sha256, pdq } of prints) {
      if (sha256 !== null) await this.insert({ id: uuidv7(), ...owner, sha256 });
      await this.insertMany(
        pdq.map(({ hash, quality, atSeconds }) => ({ id: uuidv7(), ...owner, pdqHash: hash, pdqQuality: quality, atSeconds })),
      );
    }
  }
}

/** The register of claimed works, the fingerprints of all that was collected, and what was decided about it. */
export class RightsRepository extends RowStore<RightsClaim> {
  private readonly verdicts: VerdictStore;
  private readonly fingerprints: FingerprintStore;

  constructor(manager: EntityManager) {
    super(manager, RightsClaim);
    this.verdicts = new VerdictStore(manager);
    this.fingerprints = new FingerprintStore(manager);
  }

  async addClaim(claim: Omit<RightsClaim, 'id' | 'status' | 'createdAt'>, prints: readonly NewFingerprint[]): Promise<RightsClaim> {
    const row = await this.insert({ id: uuidv7(), ...claim });
    if (row === null) throw new Error('a claim was not written');
    await this.fingerprints.replace('claim', row.id, prints);
    return row;
  }

  async withdrawClaim(id: string): Promise<boolean> {
    return (await this.run(`UPDATE rights_claims SET status = 'withdrawn' WHERE id = $1 AND status = 'active'`, [id])).count === 1;
  }

  /** The item's fingerprints become exactly these. */
  saveFingerprints(itemId: string, prints: readonly NewFingerprint[]): Promise<void> {
    return this.fingerprints.replace('item', itemId, prints);
  }

  async saveVerdict(verdict: Omit<RightsVerdictRow, 'decidedAt'>): Promise<void> {
    await this.verdicts.save(verdict);
  }

  async verdictOf(itemId: string): Promise<RightsVerdictRow | null> {
    return (await this.verdicts.ofItems([itemId]))[0] ?? null;
  }

  /**
   * Active claims and other items that share a file hash with `itemId`, or come within the match distance of one of its picture hashes
   * (64 hex digits, those of enough quality). Blocked items do not count: they are copies themselves.
   */
  async findMatches(itemId: string, sha256: readonly string[], pdqHashes: readonly string[]): Promise<RightsMatch[]> {
    const { rows } = await this.run<MatchRow>(MATCHES, [itemId, sha256, pdqHashes, PDQ_MATCH_DISTANCE]);
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

const MATCHES = `
  WITH met AS (
    SELECT owner_kind, owner_id, true AS exact, 0 AS distance, sha256 AS ours FROM fingerprints WHERE sha256 = ANY($2::text[])
    UNION ALL
    SELECT f.owner_kind, f.owner_id, false, bit_count(('x' || f.pdq_hash)::bit(256) # ('x' || ours.hash)::bit(256))::int, ours.hash
    FROM unnest($3::text[]) AS ours (hash) JOIN fingerprints f ON f.pdq_hash IS NOT NULL
    WHERE bit_count(('x' || f.pdq_hash)::bit(256) # ('x' || ours.hash)::bit(256)) <= $4
  ), grouped AS (
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
