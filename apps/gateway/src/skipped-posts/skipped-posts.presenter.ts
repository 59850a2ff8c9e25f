import type { SkippedPost as SkippedPostView } from '@autoposter/contracts';
import type { SkippedPost } from '@autoposter/persistence';

const HOUR_MS = 3_600_000;

/** Age of the post when it was skipped. */
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
      subreddit: row.subreddit,
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
