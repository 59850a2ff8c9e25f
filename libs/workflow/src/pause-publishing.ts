import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import { accountSetting, failureOf, NOT_PAUSED, pausesAll, STRIKES, type AccountStop, type PublishingSwitch } from '@autoposter/domain';
import type { UnitOfWork } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';

/** The actor of an automatic pause. */
export const AUTOPOSTER_ACTOR = 'autoposter';

/**
 * Pauses publishing on an account until an administrator resumes it. `false` if a pause with at least this precedence exists: the cause `token`
 * replaces any other and is never replaced, because resuming depends on it; `account` replaces all but `token`.
 */
export async function pausePublishing(
  uow: UnitOfWork,
  { cause, reason, nextAction }: AccountStop,
  accountId = ENVIRONMENT_ACCOUNT_ID,
): Promise<boolean> {
  const name = accountSetting('publishing', accountId);
  await uow.settings.lock(name);
  const before = (await uow.settings.get<PublishingSwitch>(name)) ?? NOT_PAUSED;
  const replaces = cause === 'token' || cause === 'account';
  if (before.paused && (!replaces || before.cause === cause || before.cause === 'token')) return false;
  const since = (await uow.now()).toISOString();
  // a person who paused all accounts paused the others too
  const all = accountId === ENVIRONMENT_ACCOUNT_ID && pausesAll(before) ? { all: true } : {};
  const after: PublishingSwitch = { paused: true, by: AUTOPOSTER_ACTOR, since, cause, reason, nextAction, ...all };
  await uow.settings.set(name, after, AUTOPOSTER_ACTOR);
  uow.history.append({ type: 'publishing.paused', subjectId: uuidv7(), reason, actor: AUTOPOSTER_ACTOR });
  await uow.audit.record({
    actor: AUTOPOSTER_ACTOR,
    action: 'publishing.pause',
    detail: { cause, reason, ...(accountId === ENVIRONMENT_ACCOUNT_ID ? {} : { accountId }) },
  });
  return true;
}

/** Why the strikes against an account stop it: as many as the limit count, and a person has not acknowledged all of them; `null` if they do not. */
export async function strikesStop(uow: Pick<UnitOfWork, 'notices'>, accountId: string): Promise<AccountStop | null> {
  const { active, unacknowledged } = await uow.notices.countStrikes(accountId);
  if (active < STRIKES.pausesAt || unacknowledged === 0) return null;
  const { message, nextAction } = failureOf('strikes_counted', { fields: { count: active } });
  return { cause: 'strikes', reason: message, nextAction };
}
