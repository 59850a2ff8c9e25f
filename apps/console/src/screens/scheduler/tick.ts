import type { SchedulerStatus } from '@autoposter/contracts';
import { SCHEDULER_TEXT as TEXT } from '../../text/operations.text';
import { duration } from '../../ui/format';

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

/** By when a task runs next, in words: some come more often than the interval. Without a run so far, and while the clock stands still, nobody knows. */
export function nextTurn(
  lastRun: string | null,
  { intervalMinutes, isRunning }: Pick<SchedulerStatus, 'intervalMinutes' | 'isRunning'>,
  now: number,
): string {
  if (!isRunning) return TEXT.nextStopped;
  if (lastRun === null) return TEXT.nextSoon;
  const left = Date.parse(lastRun) + intervalMinutes * MINUTE_MS - now;
  return left < MINUTE_MS ? TEXT.nextSoon : TEXT.nextIn(duration(left / SECOND_MS));
}
