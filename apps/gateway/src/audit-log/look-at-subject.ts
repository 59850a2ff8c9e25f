import { isDeepStrictEqual } from 'node:util';
import { SETTING } from '@autoposter/domain';
import type { UnitOfWork } from '@autoposter/persistence';
import type { StoredSettings } from '../stored-settings/stored-settings';

export type Snapshot = Record<string, unknown>;

/** Where a snapshot is read. */
export interface Sight {
  read: UnitOfWork;
  stored: StoredSettings;
}

type Look = (sight: Sight, id: string) => Promise<object | null>;

const item: Look = async ({ read }, id) => {
  const found = await read.items.find(id);
  if (found === null) return null;
  const { state, autoProcessStage, retryCount, needsReview, reviewReasons, failedStage } = found;
  const caption = (await read.captions.ofItems([id])).get(id);
  return {
    ...{ state, autoProcessStage, retryCount, needsReview, reviewReasons, failedStage },
    caption: caption?.caption ?? null,
    hashtags: caption?.hashtags ?? null,
  };
};
const place: Look = async ({ read }, id) => {
  const found = await read.queue.find(id);
  if (found === null) return null;
  const { status, priority, caption, pinned, scheduledFor, outcome, failure } = found;
  return { status, priority, caption, pinned, scheduledFor, outcome, failure };
};
const subreddit: Look = async ({ read }, id) => {
  const found = await read.subreddits.find(id);
  if (found === null) return null;
  const { name, isActive, intervalMinutes, postsToFetch, timePeriod, autoProcessStage, filters, nextRunAt } = found;
  return { name, isActive, intervalMinutes, postsToFetch, timePeriod, autoProcessStage, filters, nextRunAt };
};

const UNDER_ID: readonly (readonly [RegExp, Look])[] = [
  [/^\/api\/(?:dmca|ai|downloads|reddit|instagram|content)\//u, item],
  // what goes into the queue is named by its post, what is there by its place
  [/^\/api\/instagram-queue\/:id$/u, async (sight, id) => (await place(sight, id)) ?? item(sight, id)],
  [/^\/api\/instagram-queue\//u, place],
  [/^\/api\/subreddits\//u, subreddit],
];
const WITHOUT_ID: readonly (readonly [RegExp, Look])[] = [
  [/^\/api\/instagram-queue\//u, ({ stored }) => stored.queue()],
  [/^\/api\/publishing\//u, ({ stored }) => stored.publishing()],
  [/^\/api\/scheduler\//u, async ({ stored }) => ({ running: await stored.isRunning(SETTING.taskScheduler) })],
  [/^\/api\/subreddits\/scheduler\//u, async ({ stored }) => ({ running: await stored.isRunning(SETTING.subredditScheduler) })],
];

/**
 * How what a call is about looks now, by the path as the table of routes has it; `null` where there is nothing, or nothing that could be
 * compared.
 */
export async function lookAtSubject(sight: Sight, path: string, id: string | null): Promise<Snapshot | null> {
  const look = (id === null ? WITHOUT_ID : UNDER_ID).find(([pattern]) => pattern.test(path))?.[1];
  const seen = (await look?.(sight, id ?? '')) ?? null;
  return seen === null ? null : (JSON.parse(JSON.stringify(seen)) as Snapshot);
}

/** The fields in which two snapshots differ. */
export function differenceOf(before: Snapshot | null, after: Snapshot | null): { before: Snapshot | null; after: Snapshot | null } {
  if (before === null || after === null) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const pick = (from: Snapshot) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
