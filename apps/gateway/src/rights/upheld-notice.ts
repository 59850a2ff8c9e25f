import { claimTarget, type ClaimTarget, REPEAT_INFRINGER, STRIKES } from '@autoposter/domain';
import type { RepeatInfringer, UnitOfWork } from '@autoposter/persistence';
import { pausePublishing, strikesStop } from '@autoposter/workflow';
import { v7 as uuidv7 } from 'uuid';

/**
 * A strike against each account on which posts of the notice were published, which pauses publishing there at the agreed number. Without such a
 * post the strike is recorded and counts for no account.
 */
export async function strike(uow: UnitOfWork, given: { noticeId: string; reason: string; recordedBy: string }): Promise<void> {
  const located = await uow.notices.accountsOf(given.noticeId);
  for (const accountId of located.length === 0 ? [null] : located) {
    await uow.notices.strike({ id: uuidv7(), accountId, ...given }, STRIKES.countDays);
    if (accountId === null) return;
    const stop = await strikesStop(uow, accountId);
    if (stop !== null) await pausePublishing(uow, stop, accountId);
  }
}

/** The strikes of the notice of this claim no longer count. Returns the notices whose strikes it clears. */
export async function clearStrikes(uow: UnitOfWork, claimId: string, actor: string): Promise<string[]> {
  const noticeIds = await uow.notices.clearStrikesOf(claimId, actor);
  for (const subject of noticeIds) await uow.audit.record({ actor, action: 'rights.strike.cleared', subject, detail: { claimId } });
  return noticeIds;
}

/** How a claim names the author; the target is `null` for a name that no claim can have. */
export function namingOf({ platform, author }: Pick<RepeatInfringer, 'platform' | 'author'>): {
  written: string;
  target: ClaimTarget | null;
} {
  const written = platform === 'instagram' ? `@${author}` : `u/${author}`;
  return { written, target: claimTarget('author', written) };
}

/**
 * Revises the claims on authors that were repeat infringers because of this notice, which is no longer upheld. A claim that other notices still
 * justify depends on those from now on. Returns the ids of the claims that nothing justifies any more.
 */
export async function reviseAuthorClaims(uow: UnitOfWork, noticeId: string): Promise<string[]> {
  const infringers = await uow.cases.repeatInfringers(noticeId, REPEAT_INFRINGER);
  const noticesOf = new Map(infringers.map((infringer) => [namingOf(infringer).target?.key, infringer.noticeIds]));
  const unjustified: string[] = [];
  for (const { id, key } of await uow.claims.onAuthorsOf(noticeId)) {
    const noticeIds = noticesOf.get(key);
    if (noticeIds === undefined) unjustified.push(id);
    else await uow.claims.setUpheldNotices(id, noticeIds);
  }
  return unjustified;
}
