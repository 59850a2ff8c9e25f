import type { SkipReason, SkippedPost } from '@autoposter/contracts';

export interface SkippedRow {
  id: string;
  subreddit: string;
  original_url: string;
  reason: SkipReason;
  additional_info: string | null;
  error_message: string | null;
  title: string | null;
  author: string | null;
  post_type: string | null;
  score: number;
  source_created_at: Date | null;
  skipped_at: Date;
  item_id: string | null;
}

const HOUR_MS = 3_600_000;

/** Age of the post when it was skipped. */
export function presentSkipped(row: SkippedRow): SkippedPost {
  const ageMs = row.source_created_at === null ? null : Math.max(0, row.skipped_at.getTime() - row.source_created_at.getTime());
  return {
    _id: row.id,
    originalUrl: row.original_url,
    skipReason: row.reason,
    skipDetails: { additionalInfo: row.additional_info, errorMessage: row.error_message },
    skippedAt: row.skipped_at.toISOString(),
    postAgeFormatted: ageMs === null ? null : formatAge(ageMs),
    postAgeHours: ageMs === null ? null : Math.round((ageMs / HOUR_MS) * 100) / 100,
    redditData: {
      title: row.title,
      author: row.author,
      postType: row.post_type,
      subreddit: row.subreddit,
      score: row.score,
      created: row.source_created_at?.toISOString() ?? null,
    },
    itemId: row.item_id,
  };
}

/** `45m`, `3h 20m`, `2d 5h` */
export function formatAge(ageMs: number): string {
  const minutes = Math.floor(ageMs / 60_000);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h ${minutes % 60}m` : `${Math.floor(hours / 24)}d ${hours % 24}h`;
}
