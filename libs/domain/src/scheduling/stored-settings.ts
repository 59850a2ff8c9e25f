import { LIMITS, type HoldCause, type PauseCause } from '@autoposter/contracts';
import type { TimeBlocking } from './blocked-time';
import type { QueuePlan } from './next-slot';

/** Names of the rows of the `settings` table. */
export const SETTING = {
  queue: 'queue',
  /** Written by whoever plans or sends: its row lock makes them take turns. */
  queueTurn: 'queue_turn',
  subredditScheduler: 'subreddit_scheduler',
  taskScheduler: 'task_scheduler',
  publishing: 'publishing',
  /** Until when the platform asks the whole account to wait. */
  accountHold: 'account_hold',
  /** A renewed access token, encrypted. */
  instagramToken: 'instagram_token',
  logsCleared: 'logs_cleared',
  lastAlert: 'last_alert',
} as const;

export interface QueueSettings extends QueuePlan {
  running: boolean;
}

export interface SchedulerSwitch {
  running: boolean;
}

/**
 * The one switch over everything that publishes. Beside people (`person`) Autoposter itself pauses: when the platform refuses the access
 * token (`token`) or restricts the account (`account`). Only a person resumes.
 */
export interface PublishingSwitch {
  paused: boolean;
  by: string | null;
  since: string | null;
  cause?: PauseCause | null;
  reason?: string | null;
  nextAction?: string | null;
}

/** The account's quota is used up, or it has called too often: nothing goes out before `until` (ISO time). */
export interface AccountHold {
  cause: HoldCause;
  reason: string;
  until: string;
}

/** Nothing runs by itself until a person has said so: a first start on real credentials must not publish. */
export const STOPPED: SchedulerSwitch = { running: false };
export const NOT_PAUSED: PublishingSwitch = { paused: false, by: null, since: null };

/** What the queue begins with. `timeZone` is that of the installation. */
export function initialQueueSettings(timeZone: string): QueueSettings {
  const { intervalMinutes, maxDelayMinutes, timeBlocking } = LIMITS.queue;
  const blocking: TimeBlocking = { ...timeBlocking, timeZone };
  return {
    running: false,
    intervalMinutes: intervalMinutes.default,
    timeBlocking: blocking,
    randomization: { enabled: true, maxDelayMinutes: maxDelayMinutes.default },
  };
}
