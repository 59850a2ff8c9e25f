import type { SkippedPostsQuery, SkipReason } from '@autoposter/contracts';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RowStore } from '../database/row-store';
import { SkippedPost } from './skipped-post.entity';

export type NewSkippedPost =
  Omit<SkippedPost, 'id' | 'skippedAt'> | (Pick<SkippedPost, 'subreddit' | 'sourceId' | 'originalUrl' | 'reason'> & Partial<SkippedPost>);

/** Instants: from is included, before is not. The caller turns whole days of a time zone into them. */
export interface SkippedFilter {
  subreddit?: string | undefined;
  from?: Date | undefined;
  before?: Date | undefined;
}

export type SkippedPageQuery = SkippedFilter &
  Pick<SkippedPostsQuery, 'page' | 'limit' | 'sortBy' | 'sortOrder'> & { reason?: SkipReason | undefined };

const SORT: Record<SkippedPostsQuery['sortBy'], string> = {
  skippedAt: 'skipped_at',
  'redditData.score': 'score',
  'redditData.created': 'source_created_at',
  'redditData.subreddit': 'subreddit',
};

const WHERE = `($1::text IS NULL OR subreddit = $1) AND ($2::timestamptz IS NULL OR skipped_at >= $2) AND ($3::timestamptz IS NULL OR skipped_at < $3)
  AND ($4::text IS NULL OR reason = $4)`;

export class SkippedRepository extends RowStore<SkippedPost> {
  constructor(manager: EntityManager) {
    super(manager, SkippedPost);
  }

  /** One row per subreddit and post: left out again means the row tells the newest reason and time. */
  async record(post: NewSkippedPost): Promise<void> {
    await this.insert(
      { id: uuidv7(), ...post },
      `ON CONFLICT (subreddit, source_id) DO UPDATE SET reason = excluded.reason, additional_info = excluded.additional_info,
         error_message = excluded.error_message, title = excluded.title, author = excluded.author, post_type = excluded.post_type,
         score = excluded.score, source_created_at = excluded.source_created_at, item_id = coalesce(excluded.item_id, skipped_posts.item_id),
         skipped_at = now()`,
    );
  }

  async page(query: SkippedPageQuery): Promise<{ rows: SkippedPost[]; total: number }> {
    const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
    const parameters = this.filter(query, query.reason);
    const rows = await this.rows(
      `SELECT * FROM skipped_posts WHERE ${WHERE} ORDER BY ${SORT[query.sortBy]} ${direction} NULLS LAST, id LIMIT $5 OFFSET $6`,
      [...parameters, query.limit, (query.page - 1) * query.limit],
    );
    const counted = await this.run<{ total: number }>(`SELECT count(*)::int AS total FROM skipped_posts WHERE ${WHERE}`, parameters);
    return { rows, total: counted.rows[0]?.total ?? 0 };
  }

  /** Most frequent reason first. */
  async statistics(filter: SkippedFilter): Promise<{ reason: SkipReason; count: number }[]> {
    const { rows } = await this.run<{ reason: SkipReason; count: number }>(
      `SELECT reason, count(*)::int AS count FROM skipped_posts WHERE ${WHERE} GROUP BY reason ORDER BY count DESC, reason`,
      this.filter(filter),
    );
    return rows;
  }

  async subreddits(): Promise<string[]> {
    const { rows } = await this.run<{ subreddit: string }>('SELECT DISTINCT subreddit FROM skipped_posts ORDER BY subreddit');
    return rows.map((row) => row.subreddit);
  }

  private filter({ subreddit, from, before }: SkippedFilter, reason?: SkipReason): unknown[] {
    return [subreddit ?? null, from ?? null, before ?? null, reason ?? null];
  }
}
