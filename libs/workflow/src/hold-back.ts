import { FETCH_STAGE, FULL_AUTOMATION, type HeldBack, QUEUE_STEP, RIGHTS_STAGE, STAGE_FACTS } from '@autoposter/contracts';
import {
  addReviewReasons,
  decideRights,
  type Failure,
  INITIAL_ITEM_STATES,
  ITEM_FLOW,
  renderReviewReason,
  renderReviewReasons,
  reviewReason,
  type ReviewReason,
  type StoredReviewReason,
} from '@autoposter/domain';
import type { ClaimedItem, ContentItem, PublishAttempt, UnitOfWork } from '@autoposter/persistence';
import { advance, failItem } from './advance';
import { removeFromQueue } from './enqueue';
import { type ClaimEvidence, type Claimed, keepEvidence, openCase, withNotice } from './rights-cases';
import { blockItemForClaim, notPermitted, recordBlock, rightsBlocked } from './rights-claims';
import { isPublished, lastCallOf, settleFailed } from './settle-attempt';

/** What a claim means for one item. */
export interface ClaimFinding extends ClaimEvidence {
  itemId: string;
  /** The claim names the post itself: it is stopped wherever it is, also before its download. */
  failure?: Failure;
}

/** The findings of items whose files resemble a claimed work; what proves too little is none. */
export const findingsOf = (claimed: readonly ClaimedItem[]): ClaimFinding[] =>
  claimed.flatMap(({ itemId, matches, files }): ClaimFinding[] => {
    if (!matches.some(({ strength }) => strength !== 'pass')) return [];
    const { verdict, reasons } = decideRights(files, matches);
    if (verdict !== 'blocked') return [{ itemId, verdict: 'flagged', reasons, matches }];
    return [{ itemId, verdict, matches, reasons: matches.slice(0, 1).map(({ title }) => reviewReason('shows_claimed_work', { title })) }];
  });

/**
 * Blocks or flags the items that a claim matches. Those that are not past DMCA protection are matched there, unless the claim names the
 * post: then their download or check ends here. A publish attempt is ended while its publish call has not been sent. Items that are or may
 * be published, in any state, are returned as `out`, for an administrator to take down; one that only resembles the work is
 * listed for an answer instead.
 */
export async function holdBack(
  uow: UnitOfWork,
  findings: readonly ClaimFinding[],
  { actor, ...claimed }: Claimed & { actor: string },
): Promise<HeldBack> {
  const held: HeldBack = { blocked: 0, flagged: 0, out: [] };
  if (findings.length === 0) return held;
  const by = await withNotice(uow, claimed);
  for (const finding of findings) {
    const { itemId, verdict, reasons, matches = [], failure } = finding;
    // before the item, in the lock order of the publishing worker
    const attempt = await lockOpenAttempt(uow, itemId);
    const item = await uow.items.findForUpdate(itemId);
    if (item === null) continue;
    const before = { ...held, out: held.out.length };
    const { state } = item;
    const isLive = await isPublished(uow, item);
    // found before, and judged by a person
    const isDismissed = isLive && by.claimId !== null && (await uow.cases.isDismissed(itemId, by.claimId));
    const isRemoved = isLive && (await uow.cases.isRemoved(itemId));
    const isQuestion = verdict === 'flagged' && matches.length > 0;
    const isAsked = isQuestion && isLive && !isRemoved && !isDismissed;
    if (isRemoved) {
      // its claimant gets the answer that it was removed
      if (by.noticeId !== null && !isQuestion) await openCase(uow, by, { itemId, itemState: state, state: 'removed' });
    } else if (isLive && !isDismissed && !isQuestion) held.out.push({ id: itemId, title: item.title });
    if (failure !== undefined && (await stopUnchecked(uow, item, failure, actor))) held.blocked += 1;
    else {
      const isHeld = await isHeldBack(uow, { item, attempt, reasons, held, by, isQuestion });
      if (isHeld && verdict === 'blocked') await block(uow, item, failure ?? rightsBlocked(renderReviewReasons(reasons)), actor);
      else if (isHeld) await flag(uow, item, reasons);
      if (isHeld || isAsked) {
        if (matches.length > 0) await uow.rights.addMatches(itemId, { verdict, reasons: reasons.map(renderReviewReason), matches });
        held[verdict] += 1;
      }
    }
    const isFound = held.out.length > before.out || held[verdict] > before[verdict];
    if (isFound && (matches.length > 0 || by.claimId !== null)) await keepEvidence(uow, itemId, finding, by);
    if (held.out.length > before.out) await openCase(uow, by, { itemId, itemState: state, state: 'open' });
    else if (held.blocked > before.blocked) await openCase(uow, by, { itemId, itemState: state, state: 'held' });
  }
  return held;
}

/** Stops an item before or in its rights check; a post that was not downloaded fails there, so that a retry starts with its download. */
async function stopUnchecked(uow: UnitOfWork, item: ContentItem, failure: Failure, actor: string): Promise<boolean> {
  const { state } = item;
  if (state === ITEM_FLOW.doneStates[FETCH_STAGE] || state === ITEM_FLOW.activeStates[RIGHTS_STAGE]) {
    await block(uow, item, failure, actor);
    return true;
  }
  if (!INITIAL_ITEM_STATES.includes(state) && state !== ITEM_FLOW.activeStates[FETCH_STAGE]) return false;
  await uow.jobs.cancelOpen(item.id);
  await failItem(uow, item, FETCH_STAGE, failure, 'claim');
  await uow.skipped.recordItem(item, 'dmca_failure', failure.nextAction, failure.message);
  await recordBlock(uow, item.id, failure, actor);
  const event = { subjectId: item.id, itemId: item.id, stage: FETCH_STAGE, reason: failure.message, actor } as const;
  uow.history.append({ ...event, type: STAGE_FACTS.factOnSkip[FETCH_STAGE], state: 'failed' });
  return true;
}

interface Found {
  item: ContentItem;
  /** The open publish attempt, locked; `null` if there was none before the item was locked. */
  attempt: PublishAttempt | null;
  reasons: readonly ReviewReason[];
  held: HeldBack;
  by: Claimed;
  /** The item only resembles the work: a person answers that before anything is taken down. */
  isQuestion: boolean;
}

/** Whether the item is unpublished and past the rights check. Updates `item` if its publish attempt was ended. */
async function isHeldBack(uow: UnitOfWork, { item, attempt, reasons, held, by, isQuestion }: Found): Promise<boolean> {
  switch (item.state) {
    case 'failed':
      return item.failedStage !== null && STAGE_FACTS.afterRightsCheck.includes(item.failedStage);
    case 'queued':
      await removeFromQueue(uow, item.id);
      return true;
    case 'posting':
      if (await endAttempt(uow, item, attempt, by.permission ? notPermitted(reasons) : rightsBlocked(renderReviewReasons(reasons))))
        return true;
      if (isQuestion) return true;
      // reconciliation may find the post unpublished: it is then flagged before it can be queued again
      await uow.items.patch(item.id, { needsReview: true, reviewReasons: addReviewReasons(item.reviewReasons, reasons) });
      held.out.push({ id: item.id, title: item.title });
      return false;
    default:
      return ITEM_FLOW.rightsCheckedStates.includes(item.state);
  }
}

async function block(uow: UnitOfWork, item: ContentItem, failure: Failure, actor: string): Promise<void> {
  await uow.jobs.cancelOpen(item.id);
  await blockItemForClaim(uow, item, failure, actor);
}

/** An uncertain match: the item needs review before it can be queued. */
async function flag(uow: UnitOfWork, item: ContentItem, reasons: readonly ReviewReason[]): Promise<void> {
  const patch = { needsReview: true, reviewReasons: addReviewReasons(item.reviewReasons, reasons) };
  if (item.state !== 'queued') return uow.items.patch(item.id, patch);
  await uow.items.transition(item.id, { fromVersion: item.version, from: 'queued', to: 'ready', patch });
}

/**
 * Ends an attempt before its first publish call. Cancelling the job invalidates the fencing token, so the call can no longer be sent. An
 * attempt that was refused before may be published: its worker finds the claim before the next call.
 */
async function endAttempt(uow: UnitOfWork, item: ContentItem, attempt: PublishAttempt | null, failure: Failure): Promise<boolean> {
  const now = attempt ?? (await lockOpenAttempt(uow, item.id));
  if ((now?.state !== 'open' && now?.state !== 'container') || lastCallOf(now) !== null) return false;
  await uow.jobs.cancelOpen(now.id);
  await settleFailed(uow, now, failure);
  Object.assign(item, await uow.items.lock(item.id));
  return true;
}

async function lockOpenAttempt(uow: UnitOfWork, itemId: string): Promise<PublishAttempt | null> {
  const open = await uow.attempts.findOpenOf(itemId);
  return open && uow.attempts.lockAfterJobs(open.id);
}

/**
 * Removes the missing permission from the reasons for a review where none is required any more; posts that are fully automatic continue to the
 * queue. For a subreddit or an account that has stopped requiring permissions.
 */
export async function releasePermitted(uow: UnitOfWork, actor: string): Promise<void> {
  await uow.allowMinutes(2);
  const accounts = await uow.accounts.needingPermission();
  // by id, the common lock order
  for (const id of await uow.items.idsWithoutPermission()) {
    const item = await uow.items.findForUpdate(id);
    const missing = item?.reviewReasons.find(isMissing);
    if (item === null || missing === undefined || (await isRequired(uow, item, isOfAccount(missing) ? accounts : []))) continue;
    await dropReviewReasons(uow, item, isMissing, actor);
  }
}

/** A fully automatic post without another reason continues to the queue. Requires the lock of the item. */
export async function dropReviewReasons(
  uow: UnitOfWork,
  item: ContentItem,
  isOver: (reason: StoredReviewReason) => boolean,
  actor: string,
): Promise<void> {
  const reviewReasons = item.reviewReasons.filter((reason) => !isOver(reason));
  const patch = { reviewReasons, needsReview: reviewReasons.length > 0 };
  await uow.items.patch(item.id, patch);
  Object.assign(item, patch);
  if (item.state === 'ready' && !item.needsReview && item.autoProcessStage === FULL_AUTOMATION.value)
    await advance(uow, item, { by: 'person', wants: QUEUE_STEP.name }, { actor });
}

const isMissing = (reason: StoredReviewReason): boolean => typeof reason !== 'string' && reason.code === 'permission_missing';
const isOfAccount = (reason: StoredReviewReason): boolean => typeof reason !== 'string' && reason.fields?.['by'] === 'account';

/** By its subreddit or one of these accounts. */
async function isRequired(uow: UnitOfWork, item: ContentItem, accounts: readonly string[]): Promise<boolean> {
  for (const account of [null, ...accounts]) if ((await uow.permissions.stateOf(item, account)).refusal !== null) return true;
  return false;
}
