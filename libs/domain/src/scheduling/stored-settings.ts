import { ENVIRONMENT_ACCOUNT_ID, LIMITS, type HoldCause, type PauseCause, type UncheckedPolicy } from '@autoposter/contracts';
import type { TimeBlocking } from './zoned-time';
import type { QueuePlan } from './next-slot';

/** Names of the rows of the `settings` table. */
export const SETTING = {
  queue: 'queue',
  /** Written by the planner and the sender: its row lock serialises them. */
  queueLock: 'queue_turn',
  subredditScheduler: 'subreddit_scheduler',
  taskScheduler: 'task_scheduler',
  publishing: 'publishing',
  /** The account that the waiting posts were queued for: `QueueAccount`. */
  queueAccount: 'queue_account',
  /** When a person last let the queue continue with posts that had missed their time. */
  backlogAccepted: 'backlog_accepted',
  /** Until when the platform asks the whole account to wait. */
  accountHold: 'account_hold',
  /** A renewed access token, encrypted. */
  instagramToken: 'instagram_token',
  /** When a person last asked for a test of the public address of media: `MediaAddressTest`. */
  mediaAddressTest: 'media_address_test',
  /** `RightsThresholds` that differ from the defaults, or some of them. */
  rightsThresholds: 'rights_thresholds',
  /** `OriginalityRule` of an account's queue. */
  originality: 'originality',
  logsCleared: 'logs_cleared',
  lastAlert: 'last_alert',
} as const;

type AccountSetting = 'queue' | 'queueLock' | 'publishing' | 'backlogAccepted' | 'accountHold' | 'originality';

/** The name of a setting of one account; those of the environment's account have no suffix. */
export const accountSetting = (name: AccountSetting, accountId: string): string =>
  accountId === ENVIRONMENT_ACCOUNT_ID ? SETTING[name] : `${SETTING[name]}:${accountId}`;

/** Actor of actions of the scheduler. */
export const SCHEDULER_ACTOR = 'scheduler';
/** Its stored name. A new name would let two schedulers hold the lease during a rolling update; older rows have it as the actor. */
export const STORED_SCHEDULER_NAME = 'clock';

export interface QueueSettings extends QueuePlan {
  running: boolean;
  /** Publishing is paused when more posts than this missed their time. */
  backlogLimit: number;
  /** Equal failures in a row that stop the account. */
  equalFailures: number;
  /** What happens to a post with a video that the platform's copyright check gave no result for. */
  uncheckedPosts: UncheckedPolicy;
}

export interface MediaAddressTest {
  /** ISO time. */
  requestedAt: string;
}

export interface QueueAccount {
  accountId: string;
}

export interface SchedulerSwitch {
  running: boolean;
}

/**
 * Pauses all publishing. Besides people (`person`), Autoposter pauses when the platform refuses the access token (`token`) or restricts the
 * account (`account`), when many posts missed their time (`backlog`), when another account is configured (`account_changed`) and at the third
 * strike (`strikes`). Only a person resumes. Each account has a switch of its own; the one of the environment's account pauses all accounts with `all`.
 */
export interface PublishingSwitch {
  paused: boolean;
  by: string | null;
  since: string | null;
  cause?: PauseCause | null;
  reason?: string | null;
  nextAction?: string | null;
  /** Of the environment's account: whether a person paused all accounts. Missing in a row of an earlier version, where every person did. */
  all?: boolean;
}

/** The account's quota or call limit is used up: nothing is published before `until` (ISO time). */
export interface AccountHold {
  cause: HoldCause;
  reason: string;
  until: string;
}

export const isInForce = ({ until }: AccountHold, now: Date): boolean => now.getTime() < Date.parse(until);

/** Whether this switch of the environment's account pauses the other accounts as well. */
export const pausesAll = ({ paused, cause, all }: PublishingSwitch): boolean => paused && (all ?? (cause ?? 'person') === 'person');

/** Schedulers start stopped: a first start on real credentials must not publish. */
export const STOPPED: SchedulerSwitch = { running: false };
export const NOT_PAUSED: PublishingSwitch = { paused: false, by: null, since: null };

/** The queue's first settings. `timeZone` is that of the installation. */
export function initialQueueSettings(timeZone: string): QueueSettings {
  const { intervalMinutes, maxDelayMinutes, timeBlocking, backlogLimit, equalFailures } = LIMITS.queue;
  const blocking: TimeBlocking = { ...timeBlocking, timeZone };
  return {
    running: false,
    backlogLimit: backlogLimit.default,
    equalFailures: equalFailures.default,
    uncheckedPosts: 'hold',
    intervalMinutes: intervalMinutes.default,
    timeBlocking: blocking,
    randomization: { enabled: true, maxDelayMinutes: maxDelayMinutes.default },
  };
}
