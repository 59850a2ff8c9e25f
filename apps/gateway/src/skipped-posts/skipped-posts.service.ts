import {
  SKIP_REASON_LABELS,
  SKIP_REASONS,
  type SkippedPostsQuery,
  type SkipReasonOption,
  type SkipStatisticsQuery,
  type SkippedPost as SkippedPostView,
} from '@autoposter/contracts';
import { dayBounds } from '@autoposter/domain';
import { Database, type SkippedFilter, type SkippedPost } from '@autoposter/persistence';
import { Injectable } from '@nestjs/common';
import { StoredSettings } from '../settings/stored-settings';

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

  /** The name as it is recorded; Reddit ignores case. */
  private async spelled(subreddit: string): Promise<string> {
    const names = await this.subreddits();
    if (names.includes(subreddit)) return subreddit;
    return names.find((name) => name.toLowerCase() === subreddit.toLowerCase()) ?? subreddit;
  }

  /** Whole days in the queue's time zone, both ends included. */
  private async filter({ subreddit, dateFrom, dateTo }: SkipStatisticsQuery): Promise<SkippedFilter> {
    const filter: SkippedFilter = { subreddit: subreddit === undefined || subreddit === '' ? undefined : await this.spelled(subreddit) };
    if (dateFrom === undefined && dateTo === undefined) return filter;
    const { timeZone } = (await this.settings.queue()).timeBlocking;
    return {
      ...filter,
      from: dateFrom === undefined ? undefined : dayBounds(dateFrom, timeZone).from,
      before: dateTo === undefined ? undefined : dayBounds(dateTo, timeZone).until,
    };
  }
}

const HOUR_MS = 3_600_000;

export function presentSkipped(row: SkippedPost): SkippedPostView {
  const ageMs = row.sourceCreatedAt === null ? null : Math.max(0, row.skippedAt.getTime() - row.sourceCreatedAt.getTime());
  return {
    _id: row.id,
    originalUrl: row.originalUrl,
    skipReason: row.reason,
    skipDetails: { additionalInfo: row.additionalInfo, errorMessage: row.errorMessage },
    skippedAt: row.skippedAt.toISOString(),
    postAgeFormatted: ageMs === null ? null : formatAge(ageMs),
    postAgeHours: ageMs === null ? null : Math.round((ageMs / HOUR_MS) * 100) / 100,
    redditData: {
      title: row.title,
      author: row.author,
      postType: row.postType,
      subreddit: row.platform === 'instagram' ? null : row.subreddit,
      score: row.score,
      created: row.sourceCreatedAt?.toISOString() ?? null,
    },
    itemId: row.itemId,
  };
}

/** `45m`, `3h 20m`, `2d 5h` */
export function formatAge(ageMs: number): string {
  const minutes = Math.floor(ageMs / 60_000);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}
