import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { accountSetting, failureOf, type QueueAccount, type QueueSettings, SETTING } from '@autoposter/domain';
import type { UnitOfWork } from '@autoposter/persistence';
import { pausePublishing } from '@autoposter/workflow';

/** A waiting item that is later than this lost its time, as after an outage. Dispatching takes seconds. */
export const LATE_MS = 5 * 60_000;

interface BacklogAnswer {
  at: string;
}

/**
 * Pauses publishing if more posts missed their time than the queue's limit, so that an administrator is asked before automation continues;
 * every post keeps its slot until then. When a person resumes publishing or starts the queue, the posts are spaced from then on; pinned ones
 * keep the time that has passed and count as accepted.
 */
export async function stopForBacklog(
  uow: UnitOfWork,
  { backlogLimit }: Pick<QueueSettings, 'backlogLimit'>,
  accountId = ENVIRONMENT_ACCOUNT_ID,
): Promise<boolean> {
  const accepted = await uow.settings.get<BacklogAnswer>(accountSetting('backlogAccepted', accountId));
  const count = await uow.queue.countMissed(LATE_MS / 1000, accepted?.at ?? null, accountId);
  if (!(count > backlogLimit)) return false;
  const { message, nextAction } = failureOf('queue_backlog', { fields: { count } });
  return pausePublishing(uow, { cause: 'backlog', reason: message, nextAction }, accountId);
}

/** Records that a person lets the queue continue with the posts that have missed their time so far. */
export async function acceptBacklog(uow: UnitOfWork, actor: string, accountId = ENVIRONMENT_ACCOUNT_ID): Promise<void> {
  const answer: BacklogAnswer = { at: (await uow.now()).toISOString() };
  await uow.settings.set(accountSetting('backlogAccepted', accountId), answer, actor);
}

/**
 * Pauses publishing if posts wait that were queued for another account than the configured one: what was meant for one account would
 * appear on another. An empty queue follows the configuration.
 */
export async function stopForOtherAccount(uow: UnitOfWork, accountId: string): Promise<boolean> {
  const bound = await uow.settings.get<QueueAccount>(SETTING.queueAccount);
  if (bound?.accountId === accountId) return false;
  if (bound?.accountId === undefined || (await uow.queue.next()).waiting === 0) {
    await bindQueue(uow, accountId);
    return false;
  }
  const { message, nextAction } = failureOf('queue_for_other_account', { fields: { accountId: bound.accountId } });
  return pausePublishing(uow, { cause: 'account_changed', reason: message, nextAction });
}

/** From now on the waiting posts belong to this account. */
export async function bindQueue(uow: UnitOfWork, accountId: string, actor?: string): Promise<void> {
  await uow.settings.set(SETTING.queueAccount, { accountId } satisfies QueueAccount, actor);
}
