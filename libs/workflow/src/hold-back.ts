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
import { type ClaimEvidence, type Claimed, keepEvidence, type Noticed, openCase, withNotice } from './rights-cases';
import { blockItemForClaim, notPermitted, recordBlock, rightsBlocked } from './rights-claims';
import { isPublished, lastCallOf, settleFailed } from './settle-attempt';

/** What a claim means for one item. */
export interface ClaimFinding extends ClaimEvidence {
  itemId: string;
  /** The claim names the post itself: it is stopped wherever it is, also before its download. */
  failure?: Failure;
}

/** The items with files that resemble a claimed work, with their findings. Weak evidence is no finding. */
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
    // before the item, in the lock order of the publishing worker
    const attempt = await lockOpenAttempt(uow, finding.itemId);
    const item = await uow.items.findForUpdate(finding.itemId);
    if (item === null) continue;
    const { isStopped, isOut } = await holdBackItem(uow, { item, attempt, finding, by, actor });
    if (isStopped) held[finding.verdict] += 1;
    if (isOut) held.out.push({ id: item.id, title: item.title });
  }
  return held;
}

interface Found {
  item: ContentItem;
  /** The open publish attempt, locked; `null` if there was none before the item was locked. */
  attempt: PublishAttempt | null;
  finding: ClaimFinding;
  by: Noticed;
  actor: string;
}

/** `isStopped`: it is blocked, flagged or listed for an answer. `isOut`: it is or may be published, and is to be taken down. */
async function holdBackItem(uow: UnitOfWork, found: Found): Promise<{ isStopped: boolean; isOut: boolean }> {
  const { item, finding, by } = found;
  const { verdict, reasons, matches = [] } = finding;
  const { id: itemId, state: itemState } = item;
  const publication = await publicationOf(uow, item, by.claimId);
  // its claimant gets the answer that it was removed
  if (publication === 'removed' && by.noticeId !== null && !isQuestion(finding))
    await openCase(uow, by, { itemId, itemState, state: 'removed' });
  const stop = await stopItem(uow, found);
  const isListed = stop === 'checked' || (isQuestion(finding) && publication === 'live');
  if (isListed && matches.length > 0) await uow.rights.addMatches(itemId, { verdict, reasons: reasons.map(renderReviewReason), matches });
  const isStopped = isListed || stop === 'unchecked';
  const isOut = stop === 'publishing' || (publication === 'live' && !isQuestion(finding));
  if ((isStopped || isOut) && (matches.length > 0 || by.claimId !== null)) await keepEvidence(uow, itemId, finding, by);
  if (isOut) await openCase(uow, by, { itemId, itemState, state: 'open' });
  else if (isStopped && verdict === 'blocked') await openCase(uow, by, { itemId, itemState, state: 'held' });
  return { isStopped, isOut };
}

/** Whether the item only resembles the work: a person answers that before anything is taken down. */
const isQuestion = ({ verdict, matches = [] }: ClaimFinding): boolean => verdict === 'flagged' && matches.length > 0;

/** `removed`: it was taken down. `dismissed`: a person judged that it does not show this work. */
async function publicationOf(
  uow: UnitOfWork,
  item: ContentItem,
  claimId: string | null,
): Promise<'none' | 'live' | 'removed' | 'dismissed'> {
  if (!(await isPublished(uow, item))) return 'none';
  if (await uow.cases.isRemoved(item.id)) return 'removed';
  return claimId !== null && (await uow.cases.isDismissed(item.id, claimId)) ? 'dismissed' : 'live';
}

/**
 * Stops the item where it is: before the end of its rights check (`unchecked`) or after it (`checked`). `publishing`: too late, because its publish
 * call may have been sent. `null`: there is nothing to stop.
 */
async function stopItem(uow: UnitOfWork, found: Found): Promise<'unchecked' | 'checked' | 'publishing' | null> {
  const { item, finding, actor } = found;
  const { failure, verdict, reasons } = finding;
  if (failure !== undefined && (await stopUnchecked(uow, item, failure, actor))) return 'unchecked';
  if (item.state === 'queued') await removeFromQueue(uow, item.id);
  else if (item.state === 'posting') {
    const isEnded = await endAttempt(uow, found);
    if (!isEnded && !isQuestion(finding)) {
      // reconciliation may find the post unpublished: it is then flagged before it can be queued again
      await uow.items.patch(item.id, { needsReview: true, reviewReasons: addReviewReasons(item.reviewReasons, reasons) });
      return 'publishing';
    }
  } else if (!isChecked(item)) return null;
  if (verdict === 'blocked') await block(uow, item, failure ?? rightsBlocked(renderReviewReasons(reasons)), actor);
  else await flag(uow, item, reasons);
  return 'checked';
}

const isChecked = ({ state, failedStage }: ContentItem): boolean =>
  state === 'failed'
    ? failedStage !== null && STAGE_FACTS.afterRightsCheck.includes(failedStage)
    : ITEM_FLOW.rightsCheckedStates.includes(state);

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
async function endAttempt(uow: UnitOfWork, { item, attempt, finding: { reasons }, by }: Found): Promise<boolean> {
  const now = attempt ?? (await lockOpenAttempt(uow, item.id));
  if ((now?.state !== 'open' && now?.state !== 'container') || lastCallOf(now) !== null) return false;
  await uow.jobs.cancelOpen(now.id);
  await settleFailed(uow, now, by.permission ? notPermitted(reasons) : rightsBlocked(renderReviewReasons(reasons)));
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
