import type { SkipReason } from '@autoposter/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { ContentItem } from '../content-item/content-item.entity';
import { SqlRepository } from '../database/sql-repository';
import type { Statement } from '../database/transaction';
import {
  boundsOf,
  dayOf,
  positionsOf,
  rangeInDay,
  rangeOfPage,
  reasonsOf,
  rowsOf,
  SUBREDDITS,
  type Bounds,
  type Day,
  type RowRange,
  type SkippedFilter,
  type SkippedPageQuery,
} from './skipped-pages';
import { SkippedPost } from './skipped-post.entity';

export type NewSkippedPost =
  Omit<SkippedPost, 'id' | 'skippedAt'> | (Pick<SkippedPost, 'subreddit' | 'sourceId' | 'originalUrl' | 'reason'> & Partial<SkippedPost>);

export class SkippedRepository extends SqlRepository<SkippedPost> {
  protected readonly entity = SkippedPost;

  private readonly removeAccepted = async (posts: readonly Pick<ContentItem, 'platform' | 'sourceId'>[]): Promise<void> => {
    await this.send(
      `DELETE FROM skipped_posts USING unnest($1::text[], $2::text[]) AS taken (platform, source_id)
       WHERE skipped_posts.source_id = taken.source_id AND skipped_posts.platform = taken.platform`,
      [posts.map(({ platform }) => platform), posts.map(({ sourceId }) => sourceId)],
    );
  };

  /** One row per subreddit and post, with the newest reason and time; of equal posts the last one counts. One statement. */
  async record(...posts: readonly NewSkippedPost[]): Promise<void> {
    const byPost = new Map(posts.map((post) => [`${post.subreddit}/${post.sourceId}`, { id: uuidv7(), ...post }]));
    await this.insertMany(
      [...byPost.values()],
      `ON CONFLICT (subreddit, source_id) DO UPDATE SET reason = excluded.reason, additional_info = excluded.additional_info,
         error_message = excluded.error_message, title = excluded.title, author = excluded.author, post_type = excluded.post_type,
         score = excluded.score, source_created_at = excluded.source_created_at, item_id = coalesce(excluded.item_id, skipped_posts.item_id),
         skipped_at = now()`,
    );
  }

  /**
   * As `record`, for a post that has an item; without a subreddit (a pasted link), the name of the platform takes its place.
   * The message of a failure is the error message, and its next action the details.
   */
  recordItem(item: ContentItem, reason: SkipReason, details: string, errorMessage: string | null = null): Promise<void> {
    const { id: itemId, platform, subreddit, sourceId, originalUrl, title, author, postType, score, sourceCreatedAt } = item;
    return this.record({
      subreddit: subreddit ?? platform,
      platform,
      sourceId,
      originalUrl,
      reason,
      additionalInfo: details,
      errorMessage,
      title,
      author,
      postType,
      score: score ?? 0,
      sourceCreatedAt,
      itemId,
    });
  }

  /** Removes the rows of a post that was accepted after all. */
  async resolve({ platform, sourceId }: Pick<ContentItem, 'platform' | 'sourceId'>): Promise<void> {
    if (this.deferred) this.deferred.add(this.removeAccepted, { platform, sourceId });
    else await this.removeAccepted([{ platform, sourceId }]);
  }

  /** A numbered page with the total, in about constant time. Rows with equal sort keys follow the sort direction, too. */
  async page(query: SkippedPageQuery): Promise<{ rows: SkippedPost[]; total: number }> {
    if (isEmpty(query)) return { rows: [], total: 0 };
    const [bounds = { low: 0, high: 0 }] = await this.read<Bounds>(boundsOf(query));
    const total = bounds.high - bounds.low;
    const range = query.sortBy === 'skippedAt' ? await this.rangeByTime(query, bounds) : rangeOfPage(query, total);
    if (range === null) return { rows: [], total };
    const { text, values } = rowsOf(query, query.sortBy, range);
    const rows = await this.rows(text, values);
    return { rows: query.sortOrder === 'desc' ? rows.reverse() : rows, total };
  }

  /** Most frequent reason first. */
  async statistics(filter: SkippedFilter): Promise<{ reason: SkipReason; count: number }[]> {
    return isEmpty(filter) ? [] : this.read(reasonsOf(filter));
  }

  subreddits(): Promise<string[]> {
    return this.column(SUBREDDITS);
  }

  private async rangeByTime(query: SkippedPageQuery, bounds: Bounds): Promise<RowRange | null> {
    const positions = positionsOf(query, bounds);
    if (positions === null) return null;
    const [day] = await this.read<Day>(dayOf(query, positions.low));
    return day === undefined ? null : rangeInDay(positions, day);
  }

  private read<R>({ text, values }: Statement): Promise<R[]> {
    return this.select<R>(text, values);
  }
}

/** The counts of days before each end would be subtracted the wrong way round. */
const isEmpty = ({ from, before }: SkippedFilter): boolean => from !== undefined && before !== undefined && from >= before;
