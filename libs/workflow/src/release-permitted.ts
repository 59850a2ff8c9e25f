import { FULL_AUTOMATION, QUEUE_STEP } from '@autoposter/contracts';
import type { StoredReviewReason } from '@autoposter/domain';
import type { ContentItem, UnitOfWork } from '@autoposter/persistence';
import { advance } from './advance';

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
