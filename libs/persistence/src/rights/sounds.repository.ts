import { RIGHTS_STAGE } from '@autoposter/contracts';
import { type FilePrints, searchedItems, type SoundPrint } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';
import type { CandidateWork, NumberRange, OwnerKind } from './rights.entity';

/** Equal items that a sound must share with ours before it is compared: 5 of the worst copy measured, 0 or 1 of most unrelated sounds. */
const SHARED_ITEMS = 2;
/** Sounds that are compared item by item, those that share the most items first. */
const MAX_CANDIDATES = 40;

/** The sounds of claims and items. They are found by equal items of 32 bits, exactly and without an extension. */
export class SoundRepository extends SqlQueries {
  async replace(ownerKind: OwnerKind, ownerId: string, files: readonly FilePrints[]): Promise<void> {
    await this.run('DELETE FROM sound_prints WHERE owner_kind = $1 AND owner_id = $2', [ownerKind, ownerId]);
    for (const [fileNo, { sound }] of files.entries()) {
      if (!sound) continue;
      await this.run('INSERT INTO sound_prints (owner_kind, owner_id, file_no, state, items) VALUES ($1, $2, $3, $4, $5::int[])', [
        ownerKind,
        ownerId,
        fileNo,
        sound.state,
        [...sound.items],
      ]);
    }
  }

  /** The sounds of each owner by `kind id` and number of the file. */
  async ofOwners(owners: readonly { kind: OwnerKind; id: string }[]): Promise<Map<string, Map<number, SoundPrint>>> {
    const found = new Map<string, Map<number, SoundPrint>>();
    const { rows } = await this.run<SoundRow>(
      `SELECT owner_kind, owner_id, file_no, state, items FROM sound_prints
       WHERE (owner_kind, owner_id) IN (SELECT * FROM unnest($1::text[], $2::uuid[]))`,
      [owners.map(({ kind }) => kind), owners.map(({ id }) => id)],
    );
    for (const { owner_kind, owner_id, file_no, state, items } of rows) {
      const key = `${owner_kind} ${owner_id}`;
      const files = found.get(key) ?? new Map<number, SoundPrint>();
      found.set(key, files.set(file_no, { state, items: Int32Array.from(items) }));
    }
    return found;
  }

  /** Active claims and other items that share items with one of these sounds. With `between` it reads only the sounds of owners in between. */
  async findCandidates(itemId: string, files: readonly FilePrints[], between?: NumberRange): Promise<CandidateWork[]> {
    const items = itemsOf(files);
    if (items.length < SHARED_ITEMS) return [];
    const values = [items, itemId, ...(between === undefined ? [] : [between.after, between.itemsBefore ?? null])];
    return this.select<CandidateWork>(between === undefined ? ALL_CANDIDATES : NEWER_CANDIDATES, values);
  }

  /** Items that share items with a sound of a claimed work; `since` as `RightsRepository.findClaimed`. */
  async findHaving(files: readonly FilePrints[], since?: number): Promise<string[]> {
    const items = itemsOf(files);
    if (items.length < SHARED_ITEMS) return [];
    return this.column<string>(since === undefined ? ALL_HAVING : NEWER_HAVING, since === undefined ? [items] : [items, since]);
  }
}

interface SoundRow {
  owner_kind: OwnerKind;
  owner_id: string;
  file_no: number;
  state: SoundPrint['state'];
  items: number[];
}

const itemsOf = (files: readonly FilePrints[]): number[] => [
  ...new Set(files.flatMap(({ sound }) => (sound ? searchedItems(sound.items) : []))),
];

/**
 * Owners with the greatest number of items that one of their sounds shares. Each item is looked up on its own: the planner takes an overlap with
 * hundreds of items for most of the table and would read all of it.
 */
const SHARING = `sharing AS (
    SELECT owner_kind, owner_id, max(shared) AS shared FROM (
      SELECT s.owner_kind, s.owner_id, count(*)::int AS shared FROM unnest($1::int[]) AS searched (item)
      CROSS JOIN LATERAL (SELECT owner_kind, owner_id, file_no FROM sound_prints WHERE items && ARRAY[searched.item]) s
      GROUP BY s.owner_kind, s.owner_id, s.file_no HAVING count(*) >= ${SHARED_ITEMS}
    ) n GROUP BY owner_kind, owner_id
  )`;

/** The same among the few sounds of the newest owners. */
const SHARING_NEWER = `sharing AS (
    SELECT s.owner_kind, s.owner_id, max(n.shared) AS shared FROM newer s
    CROSS JOIN LATERAL (SELECT count(DISTINCT item)::int AS shared FROM unnest(s.items) AS item WHERE item = ANY($1::int[])) n
    WHERE s.items && $1::int[] AND n.shared >= ${SHARED_ITEMS} GROUP BY s.owner_kind, s.owner_id
  )`;

/** `OFFSET 0` as for pictures: the sounds of the newest owners are read by their key. */
const newer = (after: string, itemsBefore = 'NULL'): string => `newer AS MATERIALIZED (
    SELECT s.* FROM register_entries e CROSS JOIN LATERAL (
      SELECT owner_kind, owner_id, items FROM sound_prints WHERE owner_kind = e.owner_kind AND owner_id = e.owner_id OFFSET 0
    ) s WHERE e.no > ${after} AND (e.owner_kind = 'claim' OR ${itemsBefore}::bigint IS NULL OR e.no < ${itemsBefore}::bigint)
  )`;

const CANDIDATES = `works AS (
    SELECT h.*, EXISTS (SELECT 1 FROM publish_attempts p WHERE h.owner_kind = 'item' AND p.item_id = h.owner_id AND p.state = 'published') AS published
    FROM sharing h
  )
  SELECT w.owner_kind AS kind, w.owner_id AS id, coalesce(c.title, nullif(i.title, ''), i.source_id) AS title, w.published
  FROM works w
  LEFT JOIN rights_claims c ON w.owner_kind = 'claim' AND c.id = w.owner_id AND c.status = 'active' AND c.scope <> 'visual'
  LEFT JOIN content_items i ON w.owner_kind = 'item' AND i.id = w.owner_id AND i.id <> $2
    AND (w.published OR i.state NOT IN ('blocked', 'discarded', 'deleted') AND (i.state <> 'failed' OR i.failed_stage IS DISTINCT FROM '${RIGHTS_STAGE}'))
  WHERE c.id IS NOT NULL OR i.id IS NOT NULL
  ORDER BY w.owner_kind, w.shared DESC, w.owner_id LIMIT ${MAX_CANDIDATES}`;

export const ALL_CANDIDATES = `WITH ${SHARING}, ${CANDIDATES}`;
const NEWER_CANDIDATES = `WITH ${newer('$3::bigint', '$4')}, ${SHARING_NEWER}, ${CANDIDATES}`;

const HAVING = `SELECT i.id FROM sharing h JOIN content_items i ON i.id = h.owner_id WHERE h.owner_kind = 'item' ORDER BY i.id`;
export const ALL_HAVING = `WITH ${SHARING} ${HAVING}`;
const NEWER_HAVING = `WITH ${newer('$2::bigint')}, ${SHARING_NEWER} ${HAVING}`;
