import { Injectable } from '@nestjs/common';
import {
  SKIP_REASON_LABELS,
  SKIP_REASONS,
  type SkippedPostsQuery,
  type SkipReason,
  type SkipReasonOption,
  type SkipStatisticsQuery,
} from '@autoposter/contracts';
import { dayBounds } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { StoredSettings } from '../stored-settings/stored-settings';
import type { SkippedRow } from './skipped-posts.presenter';

const ORDER: Record<SkippedPostsQuery['sortBy'], string> = {
  skippedAt: 'skipped_at',
  'redditData.score': 'score',
  'redditData.created': 'source_created_at',
  'redditData.subreddit': 'lower(subreddit)',
};

type Range = Pick<SkippedPostsQuery, 'subreddit' | 'dateFrom' | 'dateTo'> & { skipReason?: SkipReason };

@Injectable()
export class SkippedPostsService {
  constructor(
    private readonly database: Database,
    private readonly settings: StoredSettings,
  ) {}

  async list(query: SkippedPostsQuery): Promise<{ rows: SkippedRow[]; totalCount: number }> {
    const { where, values } = await this.conditions(query);
    const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
    const rows = await this.database.sql.query<SkippedRow>(
      `SELECT * FROM skipped_posts WHERE ${where} ORDER BY ${ORDER[query.sortBy]} ${direction} NULLS LAST, id ${direction}
       LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
      [...values, query.limit, (query.page - 1) * query.limit],
    );
    const [count] = await this.database.sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM skipped_posts WHERE ${where}`, values);
    return { rows, totalCount: count?.n ?? 0 };
  }

  async subreddits(): Promise<string[]> {
    const rows = await this.database.sql.query<{ name: string }>(
      'SELECT min(subreddit) AS name FROM skipped_posts GROUP BY lower(subreddit) ORDER BY lower(min(subreddit))',
    );
    return rows.map((row) => row.name);
  }

  reasons(): SkipReasonOption[] {
    return SKIP_REASONS.map((value) => ({ value, label: SKIP_REASON_LABELS[value] }));
  }

  async statistics(query: SkipStatisticsQuery): Promise<{ reason: string; count: number }[]> {
    const { where, values } = await this.conditions(query);
    return this.database.sql.query(
      `SELECT reason, count(*)::int AS count FROM skipped_posts WHERE ${where} GROUP BY reason ORDER BY count(*) DESC, reason`,
      values,
    );
  }

  /** Days are whole ones of the queue's time zone, both ends included. */
  private async conditions(query: Range): Promise<{ where: string; values: unknown[] }> {
    const parts: string[] = ['true'];
    const values: unknown[] = [];
    const add = (condition: string, value: unknown) => parts.push(condition.replace('?', `$${values.push(value)}`));
    if (query.subreddit !== undefined && query.subreddit !== '') add('lower(subreddit) = lower(?)', query.subreddit);
    if (query.skipReason !== undefined) add('reason = ?', query.skipReason);
    if (query.dateFrom !== undefined || query.dateTo !== undefined) {
      const { timeZone } = (await this.settings.queue()).timeBlocking;
      if (query.dateFrom !== undefined) add('skipped_at >= ?', dayBounds(query.dateFrom, timeZone).from);
      if (query.dateTo !== undefined) add('skipped_at < ?', dayBounds(query.dateTo, timeZone).until);
    }
    return { where: parts.join(' AND '), values };
  }
}
