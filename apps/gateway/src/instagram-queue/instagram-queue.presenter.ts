import {
  PUBLISH_STAGE,
  RECONCILE_STAGE,
  type QueueHold,
  type QueueItem as QueueItemView,
  type QueueStatusView,
} from '@autoposter/contracts';
import { type AccountHold, type Failure, firstFreeInstant, isInForce, type PublishingSwitch, type QueueSettings } from '@autoposter/domain';
import type { QueueItem, QueueRow } from '@autoposter/persistence';
import { isRemovable } from './plan-slots';
import { canFinishInApp } from './queue-item-actions.service';

export function presentQueueItem(
  row: QueueRow,
  outOfReach: Failure | null,
  pictures: { posterUrl: string | null; coverUrl: string | null },
): QueueItemView {
  const item = row.queueItem;
  const failure = item.failure ?? outOfReach;
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
    accountId: item.accountId,
    ...pictures,
    kind: row.kind,
    options: item.options,
    outcome: item.outcome,
    failure: failure && presentFailure(failure, item.outcome),
    permalink: row.permalink,
    finishInApp: canFinishInApp(item, row.itemState),
    removable: isRemovable(row),
    waiting: presentWaiting(row),
  };
}

const presentFailure = ({ message, nextAction, side, detail }: Failure, outcome: QueueItem['outcome']): QueueItemView['failure'] => ({
  message,
  nextAction,
  step: outcome === 'unknown' ? RECONCILE_STAGE : PUBLISH_STAGE,
  side: side ?? null,
  details: detail ?? null,
});

export function presentQueueStatus(
  settings: QueueSettings,
  publishing: PublishingSwitch,
  hold: QueueHold | null,
  next: QueueRow | null,
  totalInQueue: number,
): QueueStatusView {
  const { enabled, startTime, endTime, timeZone } = settings.timeBlocking;
  return {
    isRunning: settings.running,
    intervalMinutes: settings.intervalMinutes,
    backlogLimit: settings.backlogLimit,
    equalFailures: settings.equalFailures,
    uncheckedPosts: settings.uncheckedPosts,
    nextPost: next && { title: next.title, scheduledFor: earliestOf(next.queueItem, settings, hold)?.toISOString() ?? null },
    totalInQueue,
    timeBlocking: { enabled, startTime, endTime, timeZone },
    randomization: { ...settings.randomization },
    paused: publishing.paused,
    hold,
  };
}

/** The slot, unless a hold ends later: nothing is published before that. Post Now alone passes the blocked hours. */
function earliestOf({ scheduledFor, immediate }: QueueItem, { timeBlocking }: QueueSettings, hold: QueueHold | null): Date | null {
  const heldUntil = new Date(hold?.until ?? 0);
  if (scheduledFor === null || scheduledFor >= heldUntil) return scheduledFor;
  return immediate ? heldUntil : firstFreeInstant(heldUntil, timeBlocking);
}

/** A pause by an administrator takes precedence over a hold by Instagram. */
export function presentHold(
  publishing: PublishingSwitch,
  unreachable: Failure | null,
  hold: AccountHold | null,
  now: Date,
): QueueHold | null {
  if (publishing.paused) {
    const { cause, reason, nextAction, by } = publishing;
    return {
      cause: cause ?? 'person',
      reason: reason ?? `Publishing was paused${by === null ? '' : ` by ${by}`}.`,
      nextAction: nextAction ?? 'Resume publishing when you are ready.',
      until: null,
    };
  }
  if (unreachable !== null) {
    return { cause: 'media_access', reason: unreachable.message, nextAction: unreachable.nextAction, until: null };
  }
  if (hold === null || !isInForce(hold, now)) return null;
  return { cause: hold.cause, reason: hold.reason, nextAction: null, until: hold.until };
}

function presentWaiting({ posting }: QueueRow): QueueItemView['waiting'] {
  if (posting?.waitsFor == null) return null;
  const waiting = { reason: posting.waitsFor, until: posting.until?.toISOString() ?? null };
  const check = posting.rightsCheck;
  const isReleased = check === null || check.releasedBy !== undefined || posting.wasCalled;
  return isReleased ? waiting : { ...waiting, state: 'rights_checking', held: check.held };
}
