import type { ScheduledTask, SchedulerStatus } from '@autoposter/contracts';
import { SCHEDULER_TEXT as TEXT } from '../../text/operations.text';
import { duration, formatDateTime } from '../../ui/format';

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** As many intervals may pass before silence is worth a warning. */
const LATE_AFTER = 2;

export interface Tick {
  text: string;
  /** Whether the clock has been silent for too long. */
  late: boolean;
}

/** When the clock last did anything; `null` before its first time. */
export function lastTick({ tasks, intervalMinutes, isRunning }: SchedulerStatus, now: number): Tick | null {
  const last = Math.max(...tasks.map(({ lastRun }) => (lastRun === null ? 0 : Date.parse(lastRun))), 0);
  if (last === 0) return null;
  const passed = Math.max(0, now - last);
  return { text: TEXT.lastTick(duration(passed / SECOND_MS)), late: isRunning && passed > LATE_AFTER * intervalMinutes * MINUTE_MS };
}

/** When a task runs next, in words: the moment and how long until then. */
export function nextTurn({ nextRun }: Pick<ScheduledTask, 'nextRun'>, isRunning: boolean, now: number): string {
  if (nextRun === null) return isRunning ? TEXT.nextSoon : TEXT.nextStopped;
  const left = Date.parse(nextRun) - now;
  return left < SECOND_MS ? TEXT.nextSoon : TEXT.nextAt(formatDateTime(nextRun), duration(left / SECOND_MS));
}
