import type { CaseNaming, CaseState } from '@autoposter/contracts';
import {
  claimableTargetsOf,
  deadlinesOf,
  type Failure,
  isBlockingClaim,
  namesPost,
  REMOVE_WITHIN_HOURS,
  reviewReason,
  type ReviewReason,
  type RightsMatch,
} from '@autoposter/domain';
import {
  type ContentItem,
  type MatchedFrame,
  type NewCase,
  recordedFrames,
  type RightsCase,
  targetedPost,
  type UnitOfWork,
} from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';

/** The claim that holds items back; without one, how a permission ended. */
export interface Claimed {
  claimId: string | null;
  permission?: 'refused' | 'revoked' | 'expired';
}

export interface Noticed extends Claimed {
  /** The notice that the claim came with. */
  noticeId: string | null;
  /** When it requires published posts to be removed; `null` once it is closed or has a counter notice. */
  removeBy: Date | null;
}

/** How a claim concerns an item. */
export interface ClaimEvidence {
  verdict: 'blocked' | 'flagged';
  reasons: readonly ReviewReason[];
  /** What the files of the item show of the work. */
  matches?: readonly RightsMatch[];
  /** The pictures of both sides of the matches. */
  frames?: readonly MatchedFrame[];
  /** The claim names the post itself. */
  named?: CaseNaming;
}

/** What is found later (by fingerprints made since, or once the claim is active again) belongs to the notice as well. */
export async function withNotice(uow: UnitOfWork, by: Claimed): Promise<Noticed> {
  const notice = by.claimId === null ? null : await uow.notices.ofClaim(by.claimId);
  const isDue = notice !== null && notice.closedAt === null && notice.counterReceivedAt === null;
  return { ...by, noticeId: notice?.id ?? null, removeBy: isDue ? deadlinesOf(notice).removeBy : null };
}

/** For the evidence bundle of the item, and for the case of the claim. */
export async function keepEvidence(
  uow: UnitOfWork,
  itemId: string,
  evidence: ClaimEvidence,
  { claimId, noticeId }: Noticed,
): Promise<void> {
  const { verdict, reasons, matches = [], frames = [], named = null } = evidence;
  await uow.provenance.append(itemId, 'claim', { claimId, noticeId, verdict, reasons, matches, named, frames: recordedFrames(frames) });
  await uow.frames.add(itemId, frames);
}

export const openCase = (
  uow: UnitOfWork,
  { claimId, noticeId, removeBy, permission }: Noticed,
  found: Pick<NewCase, 'itemId' | 'itemState' | 'state'>,
) =>
  uow.cases.open({
    ...found,
    id: uuidv7(),
    reason: noticeId !== null ? 'notice' : permission === undefined ? 'claim' : `permission_${permission}`,
    claimId,
    noticeId,
    dueInHours: found.state === 'open' ? REMOVE_WITHIN_HOURS : null,
    dueAt: found.state === 'open' ? removeBy : null,
  });

/** A published post shows the claimed work: it is to be removed, unless it is gone already. */
export async function openRemovalCase(uow: UnitOfWork, { id: itemId, state: itemState }: ContentItem, claimId: string): Promise<void> {
  if (await uow.cases.isRemoved(itemId)) return;
  await openCase(uow, await withNotice(uow, { claimId }), { itemId, itemState, state: 'open' });
}

/** A claim that is disputed or expired requires no removal: its cases stay, for a person to decide, and count again once it is active. */
export async function stopRemovals(uow: UnitOfWork, claimId: string, actor: string): Promise<void> {
  for (const subject of await uow.cases.stopRemovals(claimId))
    await uow.audit.record({ actor, action: 'rights.case.open', subject, detail: { claimId } });
}

const OVER = { permission_refused: 'refused', permission_revoked: 'revoked', permission_expired: 'expired' } as const;

/**
 * A claim that was entered, or a permission that ended, while the post counted as unpublished stopped the item or found nothing to stop. The
 * post is live, so what was stopped is to be removed; what has no case yet gets one.
 */
export async function openCasesOfLivePost(uow: UnitOfWork, item: ContentItem): Promise<void> {
  const { id: itemId, state: itemState } = item;
  const reopened = new Set(await uow.cases.reopenHeld(itemId, REMOVE_WITHIN_HOURS));
  const found = { itemId, itemState, state: 'open' } as const;
  for (const { claimId, title, ...evidence } of await blockingClaims(uow, item)) {
    if (reopened.has(claimId)) continue;
    const noticed = await withNotice(uow, { claimId });
    const reasons = [reviewReason('shows_claimed_work', { title })];
    await keepEvidence(uow, itemId, { verdict: 'blocked', reasons, ...evidence }, noticed);
    await openCase(uow, noticed, found);
  }
  const { refusal } = await uow.permissions.stateOf(item, null);
  const permission = refusal !== null && refusal.code in OVER ? OVER[refusal.code as keyof typeof OVER] : null;
  if (permission === null || reopened.has(itemId)) return;
  await openCase(uow, { claimId: null, noticeId: null, removeBy: null, permission }, found);
}

interface BlockingClaim extends Pick<ClaimEvidence, 'matches' | 'named'> {
  claimId: string;
  title: string;
}

/** By the files of the item and by its address, author and subreddit. */
async function blockingClaims(uow: UnitOfWork, item: ContentItem): Promise<BlockingClaim[]> {
  const post = targetedPost(item);
  const naming = (await uow.claims.onTargets(claimableTargetsOf(post))).filter(namesPost(post));
  const matches = (await uow.rights.findMatches(item.id, await uow.rights.printsOf(item.id))).filter(isBlockingClaim);
  const claims = new Map<string, BlockingClaim>();
  for (const { id, title, target } of naming) claims.set(id, { claimId: id, title, named: target.kind });
  for (const match of matches) {
    const { id: claimId, title } = match;
    const known = claims.get(claimId) ?? { claimId, title };
    claims.set(claimId, { ...known, matches: [...(known.matches ?? []), match] });
  }
  return [...claims.values()];
}

/**
 * Moves a case that is in one of these states; `false` for any other. A post that is gone has that in its provenance, and its other cases end
 * as well. `failure`: why the removal is given back to a person; an earlier one is over.
 */
export async function moveCase(
  uow: UnitOfWork,
  { id, itemId, mediaId, permalink, claimTitle }: RightsCase,
  [from, to]: readonly [from: readonly CaseState[], to: CaseState],
  { actor, note, failure = null }: { actor: string; note?: string | null; failure?: Failure | null },
): Promise<boolean> {
  // the lock of the item orders its provenance
  await uow.items.findForUpdate(itemId);
  if (!(await uow.cases.move(id, from, to, actor, { failure, ...(note === undefined ? {} : { note }) }))) return false;
  const said = note ?? null;
  const moved = [id];
  if (to === 'removed') {
    await uow.provenance.append(itemId, 'removed', { caseId: id, mediaId, permalink, claimTitle, note: said, actor });
    moved.push(...(await uow.cases.removeOthers(itemId, actor)));
  }
  for (const subject of moved)
    await uow.audit.record({ actor, action: `rights.case.${to}`, subject, detail: { mediaId, note: said, code: failure?.code ?? null } });
  return true;
}
