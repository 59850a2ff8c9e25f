import type { QueueItem as QueueItemView, QueueStatusView } from '@autoposter/contracts';
import type { PublishingSwitch, QueueSettings } from '@autoposter/domain';
import type { QueueRow } from '@autoposter/persistence';

export function presentQueueItem(row: QueueRow, posterUrl: string | null): QueueItemView {
  const item = row.queueItem;
  return {
    _id: item.id,
    status: item.status,
    priority: item.priority,
    sourceData: { postTitle: row.title === '' ? null : row.title, subreddit: row.subreddit, originalRedditUrl: row.originalUrl },
    postData: { mediaType: row.mediaType, caption: item.caption },
    scheduling: {
      queuedAt: item.queuedAt.toISOString(),
      scheduledFor: item.scheduledFor?.toISOString() ?? null,
      pinned: item.pinned,
    },
    itemId: item.itemId,
    posterUrl,
    outcome: item.outcome,
    failure: item.failure && { message: item.failure.message, nextAction: item.failure.nextAction },
    permalink: row.permalink,
  };
}

export function presentQueueStatus(
  settings: QueueSettings,
  publishing: PublishingSwitch,
  next: QueueRow | null,
  totalInQueue: number,
): QueueStatusView {
  const { enabled, startTime, endTime, timeZone } = settings.timeBlocking;
  return {
    isRunning: settings.running,
    intervalMinutes: settings.intervalMinutes,
    nextPost: next && { title: next.title, scheduledFor: next.queueItem.scheduledFor?.toISOString() ?? null },
    totalInQueue,
    timeBlocking: { enabled, startTime, endTime, timeZone },
    randomization: { ...settings.randomization },
    paused: publishing.paused,
  };
}
