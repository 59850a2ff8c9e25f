import { requestStage } from '@autoposter/job-engine';
import { RIGHTS_STAGE, type SkipReason, type Stage, STAGE_FACTS } from '@autoposter/contracts';
import {
  addReviewReasons,
  claimableTargetsOf,
  type ClaimTarget,
  type Failure,
  failureOf,
  isAboutMatch,
  isBlockingClaim,
  namesPost,
  renderReviewReasons,
  reviewReason,
  type ReviewReason,
  type RightsMatch,
  type TargetedPost,
} from '@autoposter/domain';
import { type ContentItem, type NamingClaim, type PublishAttempt, targetedPost, type UnitOfWork } from '@autoposter/persistence';
import { lastCallOf, type SettledBy, settleFailed, settleUnknown } from './settle-attempt';

/** Requests a stage of a claimed work. `false` if it is requested already. `forPerson`: an administrator waits for the result. */
export async function requestForClaim(
  uow: UnitOfWork,
  stage: Stage,
  claimId: string,
  { actor, forPerson }: { actor: string; forPerson: boolean },
): Promise<boolean> {
  return (await requestStage(uow, { stage, subjectId: claimId, itemId: null, key: claimId, forPerson, actor })).accepted;
}

/** The permanent failure of an item that contains a claimed work; `message` names the work. */
export const rightsBlocked = (message: string): Failure => failureOf('claimed_media', { fields: { message } });

/** The failure of a post whose permission is missing, refused or revoked. */
export const notPermitted = (reasons: readonly ReviewReason[]): Failure =>
  failureOf('not_permitted', { fields: { message: renderReviewReasons(reasons) } });

const TARGET_NOUNS: Record<ClaimTarget['kind'], string> = { url: 'address', author: 'author', subreddit: 'subreddit' };

/** The failure of a post that this claim names. */
export const claimedSource = ({ title, target }: Pick<NamingClaim, 'title' | 'target'>): Failure =>
  failureOf('claimed_source', { fields: { title, target: TARGET_NOUNS[target.kind] } });

/** Reads claims by their targets. */
export type ClaimLookup = Pick<UnitOfWork['claims'], 'onTargets'>;

/** The active claim that names one of these posts by address, author or subreddit: the failure of each such post. */
export async function findNamingClaims<P extends TargetedPost>(claims: ClaimLookup, posts: readonly P[]): Promise<Map<P, Failure>> {
  const found = await claims.onTargets(posts.flatMap(claimableTargetsOf));
  if (found.length === 0) return new Map();
  return new Map(
    posts.flatMap((post) => {
      const claim = found.find(namesPost(post));
      return claim === undefined ? [] : [[post, claimedSource(claim)] as const];
    }),
  );
}

/** As `findNamingClaims`, for an item. */
export async function findClaimNaming(claims: ClaimLookup, item: ContentItem): Promise<Failure | null> {
  const post = targetedPost(item);
  return (await findNamingClaims(claims, [post])).get(post) ?? null;
}

/**
 * Returns the active claim that forbids publishing this item, or `null`. Partial similarity does not count: a person has reviewed it.
 * Reads committed data. A caller that holds the lock of the item's job misses no claim: a claim entered meanwhile waits for that lock and
 * then handles the result of the job.
 */
export async function findBlockingClaim(uow: Pick<UnitOfWork, 'claims' | 'items' | 'rights'>, itemId: string): Promise<Failure | null> {
  const item = await uow.items.find(itemId);
  const naming = item === null ? null : await findClaimNaming(uow.claims, item);
  if (naming !== null) return naming;
  const matches = await uow.rights.findMatches(itemId, await uow.rights.printsOf(itemId));
  return blockingClaim(matches);
}

/** The claim that one of these matches is enough to block for, or `null`. */
export function blockingClaim(matches: readonly RightsMatch[]): Failure | null {
  const [blocking] = matches.filter(isBlockingClaim);
  return blocking === undefined ? null : failureOf('claimed_work', { fields: { title: blocking.title } });
}

/** Why the item may not be published now: an active claim, else a permission that is missing, refused or revoked, or requires a collaboration. */
export async function findPublishingRefusal(
  uow: Pick<UnitOfWork, 'claims' | 'items' | 'permissions' | 'queue' | 'rights'>,
  itemId: string,
): Promise<Failure | null> {
  const claim = await findBlockingClaim(uow, itemId);
  if (claim !== null) return claim;
  const item = await uow.items.find(itemId);
  if (item === null) return null;
  const queueItem = await uow.queue.findOpenOf(itemId);
  const { refusal, collaborator } = await uow.permissions.stateOf(item, queueItem?.accountId ?? null);
  if (refusal !== null) return notPermitted([refusal]);
  const takesPart = collaborator === null || queueItem === null || (queueItem.options.collaborators ?? []).includes(collaborator);
  return takesPart ? null : notPermitted([reviewReason('collaboration_missing', { collaborator })]);
}

/** Why a post that was found to resemble a claimed work after it was queued may not be published or queued again without a review. */
export async function findUnreviewedMatch(
  uow: Pick<UnitOfWork, 'provenance'>,
  { id, needsReview, reviewReasons }: ContentItem,
  queuedAt: Date,
): Promise<Failure | null> {
  if (!needsReview || !reviewReasons.some(isAboutMatch)) return null;
  const records = await uow.provenance.ofItem(id);
  return records.some(({ kind, recordedAt }) => kind === 'claim' && recordedAt > queuedAt) ? failureOf('looks_alike') : null;
}

/** Why the publish call of an attempt may not be made, or not be made again. */
export async function findCallRefusal(
  uow: Pick<UnitOfWork, 'claims' | 'items' | 'permissions' | 'provenance' | 'queue' | 'rights'>,
  { itemId, queueItemId }: Pick<PublishAttempt, 'itemId' | 'queueItemId'>,
): Promise<Failure | null> {
  const refusal = await findPublishingRefusal(uow, itemId);
  const item = refusal === null ? await uow.items.find(itemId) : null;
  if (item === null) return refusal;
  return findUnreviewedMatch(uow, item, (await uow.queue.find(queueItemId))?.queuedAt ?? new Date(0));
}

/** Blocks an item from publication permanently and records why in its errors and in the skipped log. Requires the lock of the item. */
export async function blockItem(uow: UnitOfWork, item: ContentItem, failure: Failure, reason: SkipReason = 'dmca_failure'): Promise<void> {
  const { kind, message, nextAction } = failure;
  if (!(await uow.items.transition(item.id, { fromVersion: item.version, from: item.state, to: 'blocked' })))
    throw new Error('a locked item was changed concurrently');
  await uow.items.addError(item.id, { stage: RIGHTS_STAGE, message, timestamp: (await uow.now()).toISOString(), nextAction, kind });
  await uow.skipped.recordItem(item, reason, message);
}

/** What stopped an item, for its evidence bundle. Requires the lock of the item or of its job. */
export const recordBlock = (uow: UnitOfWork, itemId: string, { code, message }: Failure, actor: string): Promise<void> =>
  uow.provenance.append(itemId, 'blocked', { code: code ?? null, reason: message, actor });

/** As `blockItem`, plus the event that a rights check would write; for callers outside of that stage. */
export async function blockItemForClaim(uow: UnitOfWork, item: ContentItem, claim: Failure, actor: string): Promise<void> {
  const { id } = item;
  await blockItem(uow, item, claim);
  await recordBlock(uow, id, claim, actor);
  uow.history.append({
    type: STAGE_FACTS.factOnSkip[RIGHTS_STAGE],
    subjectId: id,
    itemId: id,
    stage: RIGHTS_STAGE,
    state: 'blocked',
    reason: claim.message,
    actor,
  });
}

/**
 * As `settleFailed`, but if an active claim matches, the item is blocked with the claim as the reason instead of becoming ready; if a required
 * permission is missing, it becomes ready and needs review for that reason. An attempt that called the platform is not ended without
 * `evidence` from the account: its outcome becomes unknown, the item stays `posting`, and reconciliation decides. Returns the item's state
 * and the recorded reason. Requires the lock of the attempt.
 */
export async function settleUnpublished(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  failure: Failure,
  by: { actor: string; settledBy?: SettledBy; correlationId?: string; evidence?: true },
): Promise<{ state: 'ready' | 'blocked' | 'posting'; reason: string }> {
  if ((lastCallOf(attempt) !== null || attempt.state === 'intent') && !by.evidence) {
    await settleUnknown(uow, attempt, by, failure);
    return { state: 'posting', reason: failure.message };
  }
  const refusal = await findPublishingRefusal(uow, attempt.itemId);
  await settleFailed(uow, attempt, refusal ?? failure, by.settledBy);
  if (refusal === null) return { state: 'ready', reason: failure.message };
  const item = await uow.items.lock(attempt.itemId);
  const isClaimed = refusal.code !== 'not_permitted';
  if (item.state === 'ready') {
    await uow.cases.holdOf(item.id, by.actor);
    await (isClaimed ? blockItemForClaim(uow, item, refusal, by.actor) : awaitPermission(uow, item, attempt.queueItemId));
  }
  return { state: isClaimed ? 'blocked' : 'ready', reason: refusal.message };
}

/** The permission may have been given since the refusal was found: then there is nothing to wait for. */
async function awaitPermission(uow: UnitOfWork, item: ContentItem, queueItemId: string): Promise<void> {
  const queueItem = await uow.queue.find(queueItemId);
  const { refusal } = await uow.permissions.stateOf(item, queueItem?.accountId ?? null);
  if (refusal === null) return;
  await uow.items.patch(item.id, { needsReview: true, reviewReasons: addReviewReasons(item.reviewReasons, [refusal]) });
}
