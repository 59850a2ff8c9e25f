import { RIGHTS_STAGE } from '@autoposter/contracts';
import { type FilePrints, isUsable, ITEM_FLOW, PDQ_MIN_QUALITY, PDQ_SIMILAR_DISTANCE, type Print, queryPrints } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import { SqlQueries, SqlRepository } from '../database/sql-repository';
import { type CandidateWork, FingerprintRow, type NumberRange, type OwnerKind } from './rights.entity';
import { SoundRepository } from './sounds.repository';
import type { MatchedWork } from './answers.repository';

interface PreviewRow {
  owner_kind: OwnerKind;
  owner_id: string;
  file_no: number;
  side: number;
  luma: Buffer;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Rows of one INSERT: a statement takes 65,535 values. */
const ROWS_AT_ONCE = 1000;
/** Candidates that are compared print by print; claims come first. Only a title frame that many works share reaches it. */
const MAX_CANDIDATES = 60;

const OUTDATED_CLAIM = `
  SELECT e.owner_id FROM register_entries e
  JOIN rights_claims c ON c.id = e.owner_id AND c.status <> 'withdrawn' AND c.work->>'state' = 'fingerprinted' AND c.work->>'objectKey' IS NOT NULL
  WHERE e.owner_kind = 'claim' AND e.version < $1 ORDER BY e.no DESC LIMIT 1`;

/** An item in its rights check gets new prints there. */
const OUTDATED_ITEM = `
  SELECT e.owner_id FROM register_entries e
  JOIN content_items i ON i.id = e.owner_id AND i.state NOT IN ('deleted','${ITEM_FLOW.activeStates[RIGHTS_STAGE]}')
  WHERE e.owner_kind = 'item' AND e.version < $1
    AND EXISTS (SELECT 1 FROM media_files m WHERE m.item_id = e.owner_id AND m.role = 'original')
  ORDER BY e.no DESC LIMIT 1`;

export class FingerprintRepository extends SqlRepository<FingerprintRow> {
  protected readonly entity = FingerprintRow;
  private readonly sounds = new SoundRepository(this.manager);

  /** The files of each owner with their prints and previews, by `kind id`. */
  async filesOf(owners: readonly { kind: OwnerKind; id: string }[]): Promise<Map<string, FilePrints[]>> {
    if (owners.length === 0) return new Map();
    const values = [owners.map(({ kind }) => kind), owners.map(({ id }) => id)];
    const [rows, previews, sounds] = await Promise.all([
      this.rows(`SELECT * FROM fingerprints WHERE ${OWNED} ORDER BY file_no, seq`, values),
      this.run<PreviewRow>(`SELECT * FROM fingerprint_previews WHERE ${OWNED}`, values),
      this.sounds.ofOwners(owners),
    ]);
    const found = new Map<string, Map<number, Mutable<FilePrints> & { pdq: Print[] }>>();
    for (const row of rows) {
      const key = `${row.ownerKind} ${row.ownerId}`;
      const files = found.get(key) ?? new Map();
      found.set(key, files);
      const file = files.get(row.fileNo) ?? { sha256: null, pdq: [], preview: null, sound: sounds.get(key)?.get(row.fileNo) ?? null };
      files.set(row.fileNo, file);
      if (row.sha256 !== null) file.sha256 = row.sha256;
      if (row.pdqHash !== null) file.pdq.push(toPrint(row));
    }
    for (const { owner_kind, owner_id, file_no, side, luma } of previews.rows) {
      const file = found.get(`${owner_kind} ${owner_id}`)?.get(file_no);
      if (file) file.preview = { side, luma };
    }
    return new Map([...found].map(([key, files]) => [key, [...files].sort(([a], [b]) => a - b).map(([, file]) => file)]));
  }

  /** Views for cropped copies of a video are stored for claims only: each costs as much as the video itself. */
  async replace(ownerKind: OwnerKind, ownerId: string, files: readonly FilePrints[]): Promise<void> {
    await this.run('DELETE FROM fingerprints WHERE owner_kind = $1 AND owner_id = $2', [ownerKind, ownerId]);
    await this.run('DELETE FROM fingerprint_previews WHERE owner_kind = $1 AND owner_id = $2', [ownerKind, ownerId]);
    const rows = files.flatMap(({ sha256, pdq }, fileNo) => {
      const kept = pdq.filter((print) => ownerKind === 'claim' || print.atSeconds === null || print.region === undefined || print.isQuery);
      return [
        ...(sha256 === null ? [] : [{ sha256, fileNo }]),
        ...kept.map(({ hash, quality, region, ...print }) => ({
          ...print,
          fileNo,
          pdqHash: hash,
          pdqQuality: quality,
          region: region && [region.left, region.top, region.right, region.bottom],
        })),
      ];
    });
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await this.insertMany(rows.slice(from, from + ROWS_AT_ONCE).map((row) => ({ id: uuidv7(), ownerKind, ownerId, ...row })));
    await this.sounds.replace(ownerKind, ownerId, files);
    for (const [fileNo, { preview }] of files.entries()) {
      if (!preview) continue;
      await this.run('INSERT INTO fingerprint_previews (owner_kind, owner_id, file_no, side, luma) VALUES ($1, $2, $3, $4, $5)', [
        ownerKind,
        ownerId,
        fileNo,
        preview.side,
        Buffer.from(preview.luma),
      ]);
    }
  }

  /** Gives a claim or item the next number of the register. `version` of its prints, if they are new. */
  async number(ownerKind: OwnerKind, ownerId: string, version: number | null = null): Promise<number> {
    const no = await this.value<number>(
      `INSERT INTO register_entries AS e (owner_kind, owner_id, version) VALUES ($1, $2, coalesce($3, 0))
       ON CONFLICT (owner_kind, owner_id) DO UPDATE SET no = excluded.no, version = coalesce($3, e.version) RETURNING no`,
      [ownerKind, ownerId, version],
    );
    return no as number;
  }

  async setVersion(ownerKind: OwnerKind, ownerId: string, version: number): Promise<void> {
    await this.run('UPDATE register_entries SET version = $3 WHERE owner_kind = $1 AND owner_id = $2', [ownerKind, ownerId, version]);
  }

  /** An owner whose prints are of an earlier version and whose files are stored; the newest first, because it is copied most. */
  async outdated(ownerKind: OwnerKind, version: number): Promise<string | null> {
    return (await this.value<string>(ownerKind === 'claim' ? OUTDATED_CLAIM : OUTDATED_ITEM, [version])) ?? null;
  }

  /**
   * Active claims, and other items that were published or may still be, with a file or a print near one of these. With `between` it reads only
   * the fingerprints of owners in that range, independent of the size of the register.
   */
  async findCandidates(itemId: string, files: readonly FilePrints[], between?: NumberRange): Promise<CandidateWork[]> {
    const values = [
      itemId,
      ...searchValues(
        queryPrints(files).map(({ print }) => print),
        files,
      ),
    ];
    const { rows } = await (between === undefined
      ? this.run<CandidateWork>(ALL_CANDIDATES, values)
      : this.run<CandidateWork>(NEWER_CANDIDATES, [...values, between.after, between.itemsBefore ?? null]));
    return rows;
  }

  /** Items with a file or a print near one of a claimed work. */
  async findShowing(files: readonly FilePrints[], since?: number): Promise<string[]> {
    const references = files.flatMap(({ pdq }) => pdq.filter((print) => isUsable(print) && print.isReference !== false));
    const values = searchValues(references, files);
    return this.column<string>(since === undefined ? ALL_SHOWING : NEWER_SHOWING, since === undefined ? values : [...values, since]);
  }
}

const OWNED = '(owner_kind, owner_id) IN (SELECT * FROM unnest($1::text[], $2::uuid[]))';

const toPrint = (row: FingerprintRow): Print => {
  const [left = 0, top = 0, right = 1, bottom = 1] = row.region ?? [];
  return {
    hash: row.pdqHash ?? '',
    quality: row.pdqQuality ?? 0,
    atSeconds: row.atSeconds,
    spanSeconds: row.spanSeconds,
    mirrored: row.mirrored,
    isQuery: row.isQuery,
    isReference: row.isReference,
    ...(row.view === null ? {} : { view: row.view }),
    ...(row.region === null ? {} : { region: { left, top, right, bottom } }),
  };
};

/**
 * File hashes, image hashes, and whether each is searched for with one differing bit per word, which finds everything within 31 bits. Frames of
 * a video and parts of a picture are searched for with equal words: hashes within 15 bits for certain, those at 31 bits in 9 of 10 cases. A copy
 * has many near frames, and a part that is the content is nearer than that.
 */
const searchValues = (prints: readonly Print[], files: readonly FilePrints[]): [string[], string[], boolean[]] => {
  const hashes = new Map<string, boolean>();
  for (const { hash, atSeconds, region } of prints)
    hashes.set(hash, hashes.get(hash) === true || (atSeconds === null && region === undefined));
  return [files.flatMap(({ sha256 }) => sha256 ?? []), [...hashes.keys()], [...hashes.values()]];
};

/**
 * The parameters from this number on: file hashes, image hashes, whether each is searched for with differing bits. The planner does not see
 * their number in a subquery: otherwise it plans each search of few hashes again, which costs more than the search.
 */
const given = (first: number): string => `given AS (
    SELECT ('x' || hash)::bit(256) AS bits, wide
    FROM unnest((SELECT $${first + 1}::text[]), (SELECT $${first + 2}::boolean[])) AS searched (hash, wide)
  )`;

const COMPARABLE = `f.pdq_quality >= ${PDQ_MIN_QUALITY} AND bit_count(f.pdq_bits # given.bits) <= ${PDQ_SIMILAR_DISTANCE}`;

const WORDS = 16;
/** As the indexes have it (migration 1763750000530). */
const wordOf = (bits: string, place: number): string => `(substring(${bits} FROM ${place * 16 + 1} FOR 16)::bit(16)::int)`;

type Searched = 'is_query' | 'is_reference';

/** Reads only columns of the index: rows of the table are far apart, and fetching them costs ten times as much as comparing them. */
const sharingWord = (place: number, column: Searched): string => `
    SELECT f.pdq_bits AS bits, bit_count(f.pdq_bits # given.bits)::int AS distance FROM given JOIN fingerprints f
      ON ${wordOf('f.pdq_bits', place)} = ANY (CASE WHEN given.wide THEN pdq_similar_words(${wordOf('given.bits', place)})
        ELSE ARRAY[${wordOf('given.bits', place)}] END) AND f.${column} AND ${COMPARABLE}`;

/**
 * Hashes within 31 bits share one of 16 words except for one bit; the indexes find these and contain all compared columns. Owners are read only
 * for near hashes; `OFFSET 0` makes the planner read each through an index.
 */
const near = (first: number, column: Searched): string => `near_hashes AS (
    SELECT bits, min(distance) AS distance, count(*) AS hits
    FROM (${Array.from({ length: WORDS }, (_word, place) => sharingWord(place, column)).join(' UNION ALL')}) AS met GROUP BY bits
  ), near AS (
    SELECT owner_kind, owner_id, true AS exact, 0 AS distance, 1 AS hits FROM fingerprints WHERE sha256 = ANY($${first}::text[])
    UNION ALL
    SELECT f.owner_kind, f.owner_id, false, h.distance, h.hits FROM near_hashes h CROSS JOIN LATERAL (
      SELECT owner_kind, owner_id FROM fingerprints WHERE ${wordOf('pdq_bits', 0)} = ${wordOf('h.bits', 0)} AND pdq_bits = h.bits
        AND pdq_quality >= ${PDQ_MIN_QUALITY} AND ${column} OFFSET 0
    ) f
  )`;

/**
 * Reads the fingerprints of owners after a number and compares each. A separate statement, because a prepared statement is planned once and
 * would search the word index; `OFFSET 0` keeps the planner, which expects a third of the register, from reading all of it.
 */
const nearNewer = (first: number, column: Searched, after: string, itemsBefore = 'NULL'): string => `newer AS MATERIALIZED (
    SELECT f.* FROM register_entries e CROSS JOIN LATERAL (
      SELECT owner_kind, owner_id, sha256, pdq_bits, pdq_quality, ${column} FROM fingerprints
      WHERE owner_kind = e.owner_kind AND owner_id = e.owner_id OFFSET 0
    ) f WHERE e.no > ${after} AND (e.owner_kind = 'claim' OR ${itemsBefore}::bigint IS NULL OR e.no < ${itemsBefore}::bigint)
  ), near AS (
    SELECT owner_kind, owner_id, true AS exact, 0 AS distance, 1 AS hits FROM newer WHERE sha256 = ANY($${first}::text[])
    UNION ALL
    SELECT f.owner_kind, f.owner_id, false, bit_count(f.pdq_bits # given.bits)::int, 1 FROM given JOIN newer f ON f.${column} AND ${COMPARABLE}
  )`;

const CANDIDATES = `works AS (
    SELECT owner_kind, owner_id, bool_or(exact) AS exact, min(distance) AS distance, sum(hits) AS hits FROM near GROUP BY owner_kind, owner_id
  ), published AS (
    SELECT w.*, EXISTS (SELECT 1 FROM publish_attempts p WHERE w.owner_kind = 'item' AND p.item_id = w.owner_id AND p.state = 'published') AS published
    FROM works w
  )
  SELECT w.owner_kind AS kind, w.owner_id AS id, coalesce(c.title, nullif(i.title, ''), i.source_id) AS title, w.published
  FROM published w
  LEFT JOIN rights_claims c ON w.owner_kind = 'claim' AND c.id = w.owner_id AND c.status = 'active' AND (w.exact OR c.scope <> 'audio')
  LEFT JOIN content_items i ON w.owner_kind = 'item' AND i.id = w.owner_id AND i.id <> $1
    AND (w.published OR i.state NOT IN ('blocked', 'discarded', 'deleted') AND (i.state <> 'failed' OR i.failed_stage IS DISTINCT FROM '${RIGHTS_STAGE}'))
  WHERE c.id IS NOT NULL OR i.id IS NOT NULL
  ORDER BY w.exact DESC, w.owner_kind, w.hits DESC, w.distance, w.owner_id LIMIT ${MAX_CANDIDATES}`;

export const ALL_CANDIDATES = `WITH ${given(2)}, ${near(2, 'is_reference')}, ${CANDIDATES}`;

export const NEWER_CANDIDATES = `
  WITH ${given(2)}, ${nearNewer(2, 'is_reference', '$5::bigint', '$6')}, ${CANDIDATES}`;

const SHOWING = `SELECT DISTINCT i.id FROM near JOIN content_items i ON i.id = near.owner_id WHERE near.owner_kind = 'item' ORDER BY i.id`;

const ALL_SHOWING = `WITH ${given(1)}, ${near(1, 'is_query')} ${SHOWING}`;

export const NEWER_SHOWING = `WITH ${given(1)}, ${nearNewer(1, 'is_query', '$4::bigint')} ${SHOWING}`;

/** The picture of one side of a match, as the decision saw it. */
export interface MatchedFrame {
  other: MatchedWork;
  /** Number of the item's file, from 0. */
  file: number;
  side: 'ours' | 'theirs';
  /** Its second in a video; `null` for a picture. */
  atSeconds: number | null;
  contentType: string;
  sha256: string;
  bytes: Uint8Array;
}

/** What a provenance record says of frames. */
export const recordedFrames = (frames: readonly MatchedFrame[]): Omit<MatchedFrame, 'bytes' | 'contentType'>[] =>
  frames.map(({ bytes: _bytes, contentType: _type, ...frame }) => frame);

/** The matching frames of rights decisions. They are kept beside the files, because a claim or an item may lose its files. */
export class FrameRepository extends SqlQueries {
  /** Adds frames; a decision that is repeated has the same ones. */
  async add(itemId: string, frames: readonly MatchedFrame[]): Promise<void> {
    for (const { other, file, side, atSeconds, contentType, sha256, bytes } of frames) {
      await this.run(
        `INSERT INTO rights_frames (item_id, other_kind, other_id, file_no, side, at_seconds, content_type, sha256, bytes)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
        [itemId, other.kind, other.id, file, side, atSeconds, contentType, sha256, Buffer.from(bytes)],
      );
    }
  }

  async ofItem(itemId: string): Promise<MatchedFrame[]> {
    const { rows } = await this.run<Omit<MatchedFrame, 'other'> & { kind: MatchedWork['kind']; id: string }>(
      `SELECT other_kind AS kind, other_id AS id, file_no AS file, side, at_seconds AS "atSeconds", content_type AS "contentType", sha256, bytes
       FROM rights_frames WHERE item_id = $1 ORDER BY other_kind, other_id, file_no, side, sha256`,
      [itemId],
    );
    return rows.map(({ kind, id, ...frame }) => ({ other: { kind, id }, ...frame }));
  }
}
