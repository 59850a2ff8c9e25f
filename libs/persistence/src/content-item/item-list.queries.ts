import { CAPTION_STAGE, type AutoProcessStage, type ItemStage, type MediaType, type Platform, type PostType } from '@autoposter/contracts';
import { ITEM_FLOW, type ItemState, type StoredReviewReason } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';
import { validate as isUuid } from 'uuid';

export interface MediaRow {
  role: 'original' | 'processed' | 'cover' | 'uploaded_cover';
  position: number;
  media_type: 'video' | 'image';
  object_key: string;
  file_name: string;
  content_type: string;
  bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  storage_type: 'cdn' | 'local';
}

export interface CaptionRow {
  caption: string;
  hashtags: string[];
  variations: { variation: string; tone: string; length: string; caption: string }[];
  analysis: string | null;
  visuals: Record<string, unknown> | null;
  text_analysis: Record<string, unknown> | null;
  violations: unknown[];
  edited_by: string | null;
  edited_at: string | null;
  processed_at: string;
}

export interface PostRow {
  media_id: string | null;
  media_type: string | null;
  kind: string;
  caption: string;
  permalink: string | null;
  published_at: string | null;
}

export interface ErrorRow {
  stage?: string;
  message?: string;
  timestamp?: string;
  nextAction?: string | null;
  kind?: string;
  resumeFrom?: ItemStage;
}

/** Columns keep their SQL names. Times inside JSON are text. */
export interface ItemRow {
  id: string;
  platform: Platform;
  source_id: string;
  original_url: string;
  title: string;
  author: string | null;
  subreddit: string | null;
  post_type: PostType;
  media_type: MediaType;
  score: number | null;
  upvote_ratio: number | null;
  likes: number | null;
  top_comments: unknown[];
  auto_process_stage: AutoProcessStage;
  state: ItemState;
  failed_stage: ItemStage | null;
  needs_review: boolean;
  review_reasons: StoredReviewReason[];
  version: number;
  retry_count: number;
  max_retries: number;
  processing_errors: ErrorRow[];
  created_at: Date;
  updated_at: Date;
  /** With microseconds, for the cursor. */
  created_text: string;
  media: MediaRow[] | null;
  caption: CaptionRow | null;
  /** The reason, kind and side of a retrying job are those of its last failure. */
  waiting: { due_at: string | null; wait_reason: string | null; wait_code: string | null; wait_side: string | null; state: string } | null;
  post: PostRow | null;
  /** Length at the source where the video was cut. */
  trimmed_from_seconds: number | null;
  /** Files of a gallery that do not fit into one post; `null` before it was protected. */
  files_left_out: number | null;
  content_credentials: { issuer: string | null }[] | null;
  /** What normalisation did to each file; `enlarged` is what older programs recorded instead of the size. */
  changes: { enlargedFrom?: { width: number; height: number } | null; enlarged?: boolean }[] | null;
  source_removed_at: Date | null;
}

const SELECT = `
  SELECT i.id, i.platform, i.source_id, i.original_url, i.title, i.author, i.subreddit, i.post_type, i.media_type, i.score,
         i.upvote_ratio, i.likes, i.top_comments, i.auto_process_stage, i.state, i.failed_stage, i.needs_review, i.review_reasons,
         i.version, i.retry_count, i.max_retries, i.processing_errors, i.created_at, i.updated_at, i.created_at::text AS created_text, i.source_removed_at,
         (SELECT json_agg(m ORDER BY m.position) FROM (
            SELECT role, position, media_type, object_key, file_name, content_type, bytes, sha256, width, height, duration_seconds,
                   storage_type
            FROM media_files WHERE item_id = i.id) m) AS media,
         (SELECT to_json(c) FROM (
            SELECT caption, hashtags, variations, analysis, visuals, text_analysis, violations, edited_by, edited_at, processed_at
            FROM captions WHERE item_id = i.id) c) AS caption,
         (SELECT to_json(j) FROM (
            SELECT due_at, coalesce(wait_reason, failure->>'message') AS wait_reason, coalesce(wait_code, failure->>'kind') AS wait_code,
                   coalesce(wait_side, failure->>'side') AS wait_side, state FROM stage_jobs
            WHERE item_id = i.id AND stage IN ${STAGE_SQL.withItemState} AND state IN ('waiting','retrying') LIMIT 1) j) AS waiting,
         (SELECT to_json(p) FROM (
            SELECT media_id, media_type, kind, caption, permalink, published_at FROM publish_attempts
            WHERE item_id = i.id AND state = 'published' LIMIT 1) p) AS post,
         (v.provenance->>'trimmedFromSeconds')::real AS trimmed_from_seconds, (v.provenance->>'filesLeftOut')::int AS files_left_out,
         v.provenance->'contentCredentials' AS content_credentials, v.provenance->'changes' AS changes
  FROM content_items i LEFT JOIN rights_verdicts v ON v.item_id = i.id`;

export interface ItemRowPage {
  rows: ItemRow[];
  nextCursor: string | null;
}

const REQUESTED = `i.state = '${ITEM_FLOW.activeStates[CAPTION_STAGE]}'`;
const WITHOUT_CAPTION = `i.state IN ('${ITEM_FLOW.waitingStates[CAPTION_STAGE]}','${ITEM_FLOW.activeStates[CAPTION_STAGE]}') AND (NOT (${REQUESTED})
  OR EXISTS (SELECT 1 FROM stage_jobs j WHERE j.stage = '${CAPTION_STAGE}' AND j.subject_id = i.id AND j.state = 'waiting' AND j.wait_code IS NOT NULL))`;

/** Items as lists show them: each row with its files, caption, waiting job and published post. */
export class ItemListQueries extends SqlQueries {
  /** Items in these states, newest first: all of them, or one page after `cursor`. */
  async page(states: readonly ItemState[], limit?: number, cursor?: string): Promise<ItemRowPage> {
    const after = cursor === undefined ? null : readCursor(cursor);
    const { rows } = await this.run<ItemRow>(
      `${SELECT} WHERE i.state = ANY($1::text[]) AND ($2::timestamptz IS NULL OR (i.created_at, i.id) < ($2::timestamptz, $3::uuid))
       ORDER BY i.created_at DESC, i.id DESC ${limit === undefined ? '' : `LIMIT ${Math.floor(limit) + 1}`}`,
      [states, after?.at ?? null, after?.id ?? null],
    );
    const page = limit === undefined ? rows : rows.slice(0, limit);
    const last = page[page.length - 1];
    return { rows: page, nextCursor: rows.length > page.length && last ? writeCursor(last) : null };
  }

  countInStates(states: readonly ItemState[]): Promise<number> {
    return this.count('SELECT count(*)::int FROM content_items WHERE state = ANY($1::text[])', [states]);
  }

  /** The first items of a state, in the order in which they entered it. */
  inState(state: ItemState, limit: number): Promise<ItemRow[]> {
    return this.first(`SELECT id FROM content_items WHERE state = $2 ORDER BY updated_at, id LIMIT $1`, [limit, state]);
  }

  /** The ids alone, in the same order. */
  idsInState(state: ItemState, limit: number): Promise<string[]> {
    return this.column(`SELECT id FROM content_items WHERE state = $2 ORDER BY updated_at, id LIMIT $1`, [limit, state]);
  }

  /**
   * The first items without a caption, oldest first: those that are not requested yet, then those that wait because an AI provider refused.
   * The latter continue automatically, and an administrator may request them again.
   */
  withoutCaption(limit: number): Promise<ItemRow[]> {
    return this.first(`SELECT id FROM content_items i WHERE ${WITHOUT_CAPTION} ORDER BY ${REQUESTED}, updated_at, id LIMIT $1`, [limit]);
  }

  countWithoutCaption(): Promise<number> {
    return this.count(`SELECT count(*)::int FROM content_items i WHERE ${WITHOUT_CAPTION}`);
  }

  /** The rows with these ids, in their order. Only they are joined with files and captions. */
  private async first(ids: string, values: unknown[]): Promise<ItemRow[]> {
    return this.select<ItemRow>(
      `${SELECT} JOIN unnest(ARRAY(${ids})) WITH ORDINALITY AS first (id, place) ON first.id = i.id ORDER BY first.place`,
      values,
    );
  }

  async find(id: string): Promise<ItemRow | null> {
    return this.selectFirst<ItemRow>(`${SELECT} WHERE i.id = $1`, [id]);
  }
}

const writeCursor = (row: ItemRow): string => Buffer.from(`${row.created_text}|${row.id}`).toString('base64url');

const TIME = /^([1-9]\d{3}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d{1,6})?[+-](?:0\d|1[0-4])(?::[0-5]\d)?$/;

/** `null` unless it is one of those that `page` returns: PostgreSQL refuses a time or an id that does not exist. */
export function readCursor(cursor: string): { at: string; id: string } | null {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('|');
  const [, date = '', time = ''] = TIME.exec(at) ?? [];
  const moment = new Date(`${date}T${time}Z`);
  const exists = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${date}T${time}`);
  return exists && isUuid(id) ? { at, id } : null;
}
