import { Injectable } from '@nestjs/common';
import {
  SKIP_REASON_LABELS,
  SKIP_REASONS,
  type SkippedPostsQuery,
  type SkipReasonOption,
  type SkipStatisticsQuery,
} from '@autoposter/contracts';
import { dayBounds } from '@autoposter/domain';
import { Database, type SkippedFilter, type SkippedPost } from '@autoposter/persistence';
import { StoredSettings } from '../stored-settings/stored-settings';

@Injectable()
export class SkippedPostsService {
  constructor(
    private readonly database: Database,
    private readonly settings: StoredSettings,
  ) {}

  async list(query: SkippedPostsQuery): Promise<{ rows: SkippedPost[]; total: number }> {
    const { page, limit, sortBy, sortOrder, skipReason } = query;
    return this.database.read.skipped.page({ ...(await this.filter(query)), page, limit, sortBy, sortOrder, reason: skipReason });
  }

  subreddits(): Promise<string[]> {
    return this.database.read.skipped.subreddits();
  }

  reasons(): SkipReasonOption[] {
    return SKIP_REASONS.map((value) => ({ value, label: SKIP_REASON_LABELS[value] }));
  }

  async statistics(query: SkipStatisticsQuery): Promise<{ reason: string; count: number }[]> {
    return this.database.read.skipped.statistics(await this.filter(query));
  }

  /** Days are whole ones of the queue's time zone, both ends included. */
  private async filter({ subreddit, dateFrom, dateTo }: SkipStatisticsQuery): Promise<SkippedFilter> {
    const filter: SkippedFilter = { subreddit: subreddit === '' ? undefined : subreddit };
    if (dateFrom === undefined && dateTo === undefined) return filter;
    const { timeZone } = (await this.settings.queue()).timeBlocking;
    return {
      ...filter,
      from: dateFrom === undefined ? undefined : dayBounds(dateFrom, timeZone).from,
      before: dateTo === undefined ? undefined : dayBounds(dateTo, timeZone).until,
    };
  }
}
