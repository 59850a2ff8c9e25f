import { ENVIRONMENT_ACCOUNT_ID, LIMITS } from '@autoposter/contracts';
import {
  accountSetting,
  type Failure,
  failureOf,
  NOT_PAUSED,
  pausesAll,
  type PublishingSwitch,
  type Publisher,
  type QueueSettings,
  firstFreeInstant,
  PINNED_APART_MS,
  initialQueueSettings,
} from '@autoposter/domain';
import { wait } from '@autoposter/job-engine';
import type { Database, PublishAttempt, QueueItem, UnitOfWork } from '@autoposter/persistence';
import type { AccountSwitch } from '../account/account-breaker';

export interface PauseSwitch {
  /** Whether a person has paused all publishing. */
  isPaused(): Promise<boolean>;
}

/** Whether publishing is paused on this account, by its own switch or by the switch of all accounts. */
export async function isPausedOn(settings: Pick<UnitOfWork['settings'], 'get'>, accountId: string): Promise<boolean> {
  const stateOf = async (of: string) => (await settings.get<PublishingSwitch>(accountSetting('publishing', of))) ?? NOT_PAUSED;
  return (await stateOf(accountId)).paused || pausesAll(await stateOf(ENVIRONMENT_ACCOUNT_ID));
}

/** As `isPausedOn`; a pause that is stored meanwhile waits until this transaction ends. */
export async function isPausedNow({ settings }: Pick<UnitOfWork, 'settings'>, accountId: string): Promise<boolean> {
  for (const id of new Set([ENVIRONMENT_ACCOUNT_ID, accountId])) await settings.keep(accountSetting('publishing', id));
  return isPausedOn(settings, accountId);
}

const CHECK_SECONDS = 60;

export const whilePaused = () => wait(CHECK_SECONDS, 'Publishing is paused.');

export interface Spacing {
  /** When the settings of the queue allow the attempt to be published; `null` if now. */
  freeAt(attemptId: string, now: Date): Promise<Date | null>;
}

/**
 * Applies the conditions of the slot again, because the preparation of a post may take long: the interval to the previous post, or to a call with
 * an unknown result, and the blocked hours. A pinned post needs a minute instead of the interval, because the preparation of one pinned post may
 * last until the next one is due. Post Now passes both.
 */
export class QueueSpacing implements Spacing {
  constructor(
    private readonly database: Pick<Database, 'read'>,
    private readonly timeZone: string,
  ) {}

  async freeAt(attemptId: string, now: Date): Promise<Date | null> {
    const { read } = this.database;
    const attempt = await read.attempts.find(attemptId);
    const place = attempt && (await read.queue.find(attempt.queueItemId));
    if (!place || place.immediate) return null;
    const stored = await read.settings.get<Partial<QueueSettings>>(accountSetting('queue', place.accountId));
    const settings = { ...initialQueueSettings(this.timeZone), ...stored };
    const apartAt = await distanceKeptAt(read, attempt, place, settings);
    const free = firstFreeInstant(new Date(Math.max(now.getTime(), apartAt)), settings.timeBlocking);
    return free > now ? free : null;
  }
}

/** From when on the attempt keeps its distance from the posts of its queue; Post Now needs none. */
async function distanceKeptAt(
  { attempts, queue }: Pick<UnitOfWork, 'attempts' | 'queue'>,
  { id, accountId }: Pick<PublishAttempt, 'id' | 'accountId'>,
  { accountId: queueAccountId, pinned }: Pick<QueueItem, 'accountId' | 'pinned'>,
  { intervalMinutes }: Pick<QueueSettings, 'intervalMinutes'>,
): Promise<number> {
  const posts = [await queue.lastPostAt(queueAccountId), await attempts.lastOpenCallAt(accountId, id)];
  const apartMs = pinned ? PINNED_APART_MS : intervalMinutes * 60_000;
  return Math.max(0, ...posts.map((post) => (post === null ? 0 : post.getTime() + apartMs)));
}

/** As `Spacing`, without blocked hours, in the transaction that records the call: a person may have recorded a post meanwhile. */
export async function waitForDistance(uow: UnitOfWork, attempt: PublishAttempt, place: QueueItem | null) {
  if (place === null || place.immediate) return null;
  const stored = await uow.settings.get<Partial<QueueSettings>>(accountSetting('queue', place.accountId));
  const { intervalMinutes = LIMITS.queue.intervalMinutes.default } = stored ?? {};
  const keptAt = await distanceKeptAt(uow, attempt, place, { intervalMinutes });
  const now = await uow.now();
  return keptAt > now.getTime() ? waitUntilFree(new Date(keptAt), now) : null;
}

/** Longest wait in seconds before the settings are read again. */
const MAX_WAIT_SECONDS = 900;

export const waitUntilFree = (at: Date, now: Date) =>
  wait(
    Math.min(Math.ceil((at.getTime() - now.getTime()) / 1000), MAX_WAIT_SECONDS),
    'It keeps its distance from the post before it and from blocked hours.',
  );

/** Maximum number of repeated publish calls of one attempt; afterwards an administrator decides. */
const MAX_CALLS_AGAIN = 5;

/** Why an attempt makes no further publish call; `null` while it may. */
export function calledTooOften({ calls, failure }: Pick<PublishAttempt, 'calls' | 'failure'>): Failure | null {
  if (calls <= MAX_CALLS_AGAIN) return null;
  if (failure?.code === 'container_refused') return failure;
  return failureOf('container_refused', { fields: { times: calls, reason: failure?.message ?? 'It named no reason.' } });
}

/** The failure of a post whose caption is on the account, with the address of that post if it is known. */
export const alreadyPublished = (permalink: string | null): Failure =>
  failureOf('same_caption_published', { fields: { permalink: permalink === null ? '' : ` (${permalink})` } });

/** The window is rolling and Instagram does not say when it allows another post, so the quota is read again every half hour. */
const QUOTA_CHECK_SECONDS = 1800;

/** Holds the account if its quota is used up, until it is read again; `null` if another post is allowed. */
export async function waitForQuota({ used, total }: Awaited<ReturnType<Publisher['quota']>>, account: AccountSwitch) {
  if (used < total) return null;
  const reason = `Instagram's quota is used up (${used} of ${total} posts in its window).`;
  await account.hold({ cause: 'quota', reason, seconds: QUOTA_CHECK_SECONDS });
  return wait(QUOTA_CHECK_SECONDS, reason);
}
