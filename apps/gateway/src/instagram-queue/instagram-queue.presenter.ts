import type { QueueItem, QueueStatusView } from '@autoposter/contracts';
import type { PublishingSwitch, QueueSettings } from '@autoposter/domain';
import type { QueueRow } from './queue-rows';

export function presentQueueItem(row: QueueRow, posterUrl: string | null): QueueItem {
  return {
    _id: row.id,
    status: row.status,
    priority: row.priority,
    sourceData: { postTitle: row.title === '' ? null : row.title, subreddit: row.subreddit, originalRedditUrl: row.original_url },
    postData: { mediaType: row.media_type, caption: row.caption },
    scheduling: {
      queuedAt: row.queued_at.toISOString(),
      scheduledFor: row.scheduled_for?.toISOString() ?? null,
      pinned: row.pinned,
    },
    itemId: row.item_id,
    posterUrl,
    outcome: row.outcome,
    failure: row.failure && { message: row.failure.message ?? 'It could not be posted.', nextAction: row.failure.nextAction ?? null },
    permalink: row.permalink,
  };
}

export function presentQueueStatus(
  settings: QueueSettings,
  publishing: PublishingSwitch,
  next: { title: string; scheduled_for: Date | null } | null,
  totalInQueue: number,
): QueueStatusView {
  const { enabled, startTime, endTime, timeZone } = settings.timeBlocking;
  return {
    isRunning: settings.running,
    intervalMinutes: settings.intervalMinutes,
    nextPost: next && { title: next.title, scheduledFor: next.scheduled_for?.toISOString() ?? null },
    totalInQueue,
    timeBlocking: { enabled, startTime, endTime, timeZone },
    randomization: { ...settings.randomization },
    paused: publishing.paused,
  };
}
