import { SqlQueries } from '../database/sql-repository';

type ProvenanceKind = 'source' | 'rights' | 'claim' | 'cover' | 'blocked' | 'answer' | 'published' | 'removed' | 'source_removed';

interface ProvenanceRecord {
  seq: number;
  kind: string;
  /** JSON, exactly as it was hashed. */
  body: string;
  recordedAt: Date;
  previousHash: string;
  hash: string;
}

/** The hash is of these lines: hash of the record before, item, number, kind, time in ISO 8601, body. `tools/evidence/verify.mjs` repeats it. */
const APPEND = `
  INSERT INTO provenance_records (item_id, seq, kind, body, recorded_at, previous_hash, hash)
  SELECT $1::uuid, n.seq, $2::text, $3::text, t.at, n.previous, encode(sha256(convert_to(
    concat_ws(chr(10), n.previous, $1::uuid::text, n.seq::text, $2::text, to_char(t.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), $3::text), 'UTF8')), 'hex')
  FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS at) t,
    (SELECT coalesce(max(seq), 0) + 1 AS seq, coalesce((array_agg(hash ORDER BY seq DESC))[1], '') AS previous
     FROM provenance_records WHERE item_id = $1::uuid) n`;

/** The origin of an item, and the decisions and actions about it. Records are never changed or deleted. */
export class ProvenanceRepository extends SqlQueries {
  /** Requires the lock of the item or of its job: two writers at once would take the same number, and one of them fails. */
  async append(itemId: string, kind: ProvenanceKind, body: Record<string, unknown>): Promise<void> {
    await this.run(APPEND, [itemId, kind, JSON.stringify(body)]);
  }

  async ofItem(itemId: string): Promise<ProvenanceRecord[]> {
    return this.select<ProvenanceRecord>(
      `SELECT seq, kind, body, recorded_at AS "recordedAt", previous_hash AS "previousHash", hash
       FROM provenance_records WHERE item_id = $1 ORDER BY seq`,
      [itemId],
    );
  }
}
