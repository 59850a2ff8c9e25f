import type { Preview, RightsMatch } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';

/** Another work that an item was matched with. */
export interface MatchedWork {
  kind: 'claim' | 'item';
  id: string;
}

interface NewAnswer {
  id: string;
  itemId: string;
  other: MatchedWork;
  answer: 'same' | 'different';
  verdict: 'flagged' | 'blocked';
  match: RightsMatch;
  answeredBy: string;
}

/** A match that waits for an answer, or has one. */
export interface ListedMatch {
  itemId: string;
  title: string;
  state: string;
  verdict: 'flagged' | 'blocked';
  match: RightsMatch;
  decidedAt: Date;
  answered: { answer: NewAnswer['answer']; by: string; at: Date } | null;
}

/** One file of an item, of a claimed work or of the proof of a permission, as it can be shown. */
export interface ComparedFile {
  id: string;
  file: number;
  mediaType: 'video' | 'image';
  /** `null` if only the preview is stored. */
  objectKey: string | null;
  preview: Preview | null;
}

/** How often one rule was confirmed and rejected, where what its threshold is compared with lay between `from` and a tenth more. */
interface AnswerCount {
  verdict: 'flagged' | 'blocked';
  rule: 'identical' | 'video' | 'picture' | 'sound';
  /**
   * Greater share of the two videos, correlation of the area of the pictures that agrees least, or share of the sounds' bits that differ; `null`
   * where none was measured.
   */
  from: number | null;
  confirmed: number;
  rejected: number;
}

const keyOf = ({ kind, id }: MatchedWork): string => `${kind} ${id}`;

/** An answer about a work; `sha256` `null` where it holds for every file of the item. */
interface AnsweredWork extends MatchedWork {
  answer: NewAnswer['answer'];
  sha256: string[] | null;
}

type JudgedMatch = MatchedWork & { file?: number; strength?: RightsMatch['strength'] };

/** By answers with the latest first. `sha256` are the hashes of the item's files, by their number. */
export const judgedBy = <M extends JudgedMatch>(
  answers: readonly AnsweredWork[],
  sha256: readonly (string | null)[],
  matches: readonly M[],
): M[] =>
  matches.flatMap((match) => {
    const isAbout = (row: AnsweredWork): boolean => row.sha256 === null || row.sha256.includes(sha256[match.file ?? 0] ?? '');
    const answer = answers.find((row) => keyOf(row) === keyOf(match) && isAbout(row))?.answer;
    if (answer === undefined) return [match];
    return answer === 'different' ? [] : [{ ...match, strength: 'block' as const }];
  });

/** One row per item and matched work; the strongest match of several files stands for it. Of posts that are gone here, those that are live. */
const OPEN = `
  SELECT DISTINCT ON (v.decided_at, v.item_id, m.match->>'kind', m.match->>'id')
         v.item_id, coalesce(nullif(i.title, ''), i.source_id) AS title, i.state, v.verdict, m.match, v.decided_at
  FROM rights_verdicts v JOIN content_items i ON i.id = v.item_id
       AND (i.state NOT IN ('discarded','deleted') OR EXISTS (SELECT 1 FROM publish_attempts p WHERE p.item_id = i.id AND p.state = 'published'))
  CROSS JOIN LATERAL jsonb_array_elements(v.matches) AS m (match)
  WHERE v.verdict <> 'clear' AND ($1::text IS NULL OR v.verdict = $1) AND coalesce(m.match->>'strength', '') <> 'pass'
    AND NOT EXISTS (SELECT 1 FROM rights_answers a
                    WHERE a.item_id = v.item_id AND a.other_kind = m.match->>'kind' AND a.other_id = (m.match->>'id')::uuid)
  ORDER BY v.decided_at DESC, v.item_id, m.match->>'kind', m.match->>'id', (m.match->>'distance')::int`;

/** The answers, also about items that were deleted since: they hold for other posts of the same files. */
const ANSWERED = `
  SELECT a.item_id, coalesce(nullif(i.title, ''), i.source_id, '') AS title, coalesce(i.state, 'deleted') AS state, a.verdict, a.match,
         a.answered_at AS decided_at, a.answer, a.answered_by
  FROM rights_answers a LEFT JOIN content_items i ON i.id = a.item_id
  WHERE $1::text IS NULL OR a.verdict = $1
  ORDER BY a.answered_at DESC, a.id`;

/**
 * The original comes first: times of frames are those of the original. Of a claim, the file of that number or else its first one; of a
 * permission, its proof and then the earlier ones.
 */
const COMPARED = `
  SELECT DISTINCT g.id, g.file, coalesce(m.media_type, w.media_type, 'image') AS "mediaType",
         coalesce(m.object_key, w.object_key, r.object_key) AS "objectKey", p.side, p.luma
  FROM unnest($1::uuid[], $2::int[]) AS g (id, file)
  LEFT JOIN content_items i ON i.id = g.id
  LEFT JOIN LATERAL (SELECT media_type, object_key FROM media_files WHERE item_id = g.id AND position = g.file AND role IN ('original','processed')
                     ORDER BY role LIMIT 1) m ON true
  LEFT JOIN LATERAL (SELECT f.of->>'mediaType' AS media_type, f.of->>'objectKey' AS object_key
                     FROM rights_claims c, jsonb_array_elements(c.work || coalesce(c.work->'more', '[]')) WITH ORDINALITY AS f (of, place)
                     WHERE c.id = g.id AND c.work->>'objectKey' IS NOT NULL
                     ORDER BY NOT EXISTS (SELECT 1 FROM fingerprints
                                          WHERE owner_kind = 'claim' AND owner_id = g.id AND file_no = g.file AND sha256 = f.of->>'sha256'), f.place
                     LIMIT 1) w ON true
  LEFT JOIN LATERAL (SELECT CASE g.file WHEN 0 THEN proof->>'objectKey' ELSE proof->'earlier'->(g.file - 1)->>'objectKey' END AS object_key
                     FROM rights_permissions WHERE id = g.id AND proof IS NOT NULL) r ON true
  LEFT JOIN fingerprint_previews p ON p.owner_id = g.id AND p.file_no = g.file
  WHERE i.state IS DISTINCT FROM 'deleted' AND (coalesce(m.object_key, w.object_key, r.object_key) IS NOT NULL OR p.luma IS NOT NULL)`;

/** What administrators answered about matches. An answer is kept until the next one about the same pair. */
export class AnswerRepository extends SqlQueries {
  /** The answer holds for the files that the item has now, or had last. */
  async save({ id, itemId, other, answer, verdict, match, answeredBy }: NewAnswer): Promise<void> {
    await this.run(
      `INSERT INTO rights_answers (id, item_id, other_kind, other_id, answer, sha256, verdict, match, answered_by)
       SELECT $1, $2, $3, $4, $5, coalesce((SELECT array_agg(sha256) FROM media_files WHERE item_id = $2 AND role = 'original'), '{}'), $6, $7::jsonb, $8
       ON CONFLICT (item_id, other_kind, other_id) DO UPDATE
       SET answer = excluded.answer, verdict = excluded.verdict, match = excluded.match, answered_by = excluded.answered_by, answered_at = now(),
         sha256 = CASE WHEN excluded.sha256 = '{}' THEN rights_answers.sha256 ELSE excluded.sha256 END`,
      [id, itemId, other.kind, other.id, answer, verdict, JSON.stringify(match), answeredBy],
    );
  }

  /**
   * Items flagged for this work that wait for an answer, and show it only in the very file of the item that was compared: one answer is right
   * for all of them.
   */
  openWithSameFile(itemId: string, { kind, id }: MatchedWork, file: number): Promise<string[]> {
    return this.column(
      `SELECT DISTINCT v.item_id FROM media_files mine
       JOIN media_files same ON same.sha256 = mine.sha256 AND same.role = 'original' AND same.item_id <> mine.item_id
       JOIN rights_verdicts v ON v.item_id = same.item_id AND v.verdict = 'flagged'
       WHERE mine.item_id = $1 AND mine.role = 'original' AND mine.position = $4
         AND v.matches @> jsonb_build_array(jsonb_build_object('kind', $2::text, 'id', $3::text))
         AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(v.matches) AS m (match)
           LEFT JOIN media_files f ON f.item_id = v.item_id AND f.role = 'original' AND f.position = coalesce((m.match->>'file')::int, 0)
           WHERE m.match->>'kind' = $2::text AND m.match->>'id' = $3::text AND f.sha256 IS DISTINCT FROM mine.sha256)
         AND NOT EXISTS (SELECT 1 FROM rights_answers a WHERE a.item_id = v.item_id AND a.other_kind = $2::text AND a.other_id = $3::text::uuid)
       ORDER BY v.item_id LIMIT 200`,
      [itemId, kind, id, file],
    );
  }

  /** The match that an administrator answered, with the decision that it was in. */
  async find(itemId: string, { kind, id }: MatchedWork): Promise<Pick<NewAnswer, 'verdict' | 'match'> | null> {
    return this.selectFirst<Pick<NewAnswer, 'verdict' | 'match'>>(
      'SELECT verdict, match FROM rights_answers WHERE item_id = $1 AND other_kind = $2 AND other_id = $3',
      [itemId, kind, id],
    );
  }

  /**
   * The matches as administrators answered them, about this item, about the same file in another item, or, for two items, the other way round:
   * without those that are different, and with those that are the same as blocks. The latest answer counts. `sha256` are the hashes of the
   * item's files, by their number.
   */
  async judged<M extends JudgedMatch>(itemId: string, sha256: readonly (string | null)[], matches: readonly M[]): Promise<M[]> {
    if (matches.length === 0) return [];
    const { rows } = await this.run<AnsweredWork>(
      `SELECT * FROM (
         SELECT other_kind AS kind, other_id AS id, answer, CASE WHEN item_id <> $1 THEN sha256 END AS sha256, answered_at
         FROM rights_answers WHERE item_id = $1 OR sha256 && $2::text[]
         UNION ALL
         SELECT 'item', item_id, answer, NULL, answered_at FROM rights_answers
         WHERE answer = 'different' AND other_kind = 'item' AND other_id = $1) AS a
       ORDER BY answered_at DESC`,
      [itemId, sha256.filter((hash) => hash !== null)],
    );
    return judgedBy(rows, sha256, matches);
  }

  /** As `judged`, for many items: per item what was answered about this work and the item or one of its files, the latest first. */
  async about(other: MatchedWork, itemIds: readonly string[]): Promise<Map<string, AnsweredWork[]>> {
    const found = new Map<string, AnsweredWork[]>();
    if (itemIds.length === 0) return found;
    const { rows } = await this.run<AnsweredWork & { itemId: string }>(
      `SELECT i.id AS "itemId", a.other_kind AS kind, a.other_id AS id, a.answer, CASE WHEN a.item_id <> i.id THEN a.sha256 END AS sha256
       FROM unnest($3::uuid[]) AS i (id)
       JOIN rights_answers a ON a.other_kind = $1 AND a.other_id = $2
        AND (a.item_id = i.id OR EXISTS (SELECT 1 FROM media_files f WHERE f.item_id = i.id AND f.role = 'original' AND f.sha256 = ANY(a.sha256)))
       ORDER BY a.answered_at DESC`,
      [other.kind, other.id, itemIds],
    );
    for (const { itemId, ...row } of rows) found.set(itemId, [...(found.get(itemId) ?? []), row]);
    return found;
  }

  /** Matches that wait for an answer, or those that have one, newest first. */
  async page(
    { verdict = null, answered = false }: { verdict?: 'flagged' | 'blocked' | null; answered?: boolean },
    offset: number,
    limit: number,
  ): Promise<{ matches: ListedMatch[]; total: number }> {
    const listed = answered ? ANSWERED : OPEN;
    const { rows } = await this.run<Record<string, unknown>>(`${listed} LIMIT $2 OFFSET $3`, [verdict, limit, offset]);
    const total = await this.count(`SELECT count(*)::int FROM (${listed}) AS listed`, [verdict]);
    const matches = rows.map((row) => ({
      itemId: row['item_id'] as string,
      title: row['title'] as string,
      state: row['state'] as string,
      verdict: row['verdict'] as ListedMatch['verdict'],
      match: row['match'] as RightsMatch,
      decidedAt: row['decided_at'] as Date,
      answered: answered
        ? { answer: row['answer'] as NewAnswer['answer'], by: row['answered_by'] as string, at: row['decided_at'] as Date }
        : null,
    }));
    return { matches, total };
  }

  /** These files by the id of their item or claim, as far as a file or a preview is stored. A deleted item shows nothing. */
  async compared(owners: readonly { id: string; file: number }[]): Promise<ComparedFile[]> {
    const { rows } = await this.run<Omit<ComparedFile, 'preview'> & { side: number | null; luma: Buffer | null }>(COMPARED, [
      owners.map(({ id }) => id),
      owners.map(({ file }) => file),
    ]);
    return rows.map(({ side, luma, ...found }) => ({ ...found, preview: side === null || luma === null ? null : { side, luma } }));
  }

  /** A rejected block is a false block. Counts the decision that the match alone justified, not the decision about the post. */
  async counts(): Promise<AnswerCount[]> {
    return this.select<AnswerCount>(
      `SELECT CASE coalesce(match->>'strength', verdict) WHEN 'block' THEN 'blocked' WHEN 'blocked' THEN 'blocked' ELSE 'flagged' END AS verdict,
              rule, CASE WHEN measured IS NOT NULL THEN (least(floor(measured * 10 + 1e-6), 9) / 10)::float8 END AS "from",
              count(*) FILTER (WHERE answer = 'same')::int AS confirmed, count(*) FILTER (WHERE answer = 'different')::int AS rejected
       FROM rights_answers CROSS JOIN LATERAL (
         SELECT CASE WHEN match->>'by' = 'sha256' THEN 'identical' WHEN match->>'by' = 'sound' THEN 'sound' WHEN match->>'segment' IS NOT NULL THEN 'video' ELSE 'picture' END AS rule) r
       CROSS JOIN LATERAL (
         SELECT CASE rule WHEN 'video' THEN greatest((match->>'shareOfOurs')::float8, (match->>'shareOfTheirs')::float8)
                          WHEN 'sound' THEN (match->>'distance')::float8 / 256
                          WHEN 'picture' THEN nullif((match->'comparison'->>'leastAlike')::float8, -1) END AS measured) m
       GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    );
  }
}
