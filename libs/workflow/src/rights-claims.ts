import { RIGHTS_STAGE, type SkipReason, STAGE_FACTS } from '@autoposter/contracts';
import { decideRights, type Failure, failureOf, PDQ_MIN_QUALITY } from '@autoposter/domain';
import type { ContentItem, PublishAttempt, UnitOfWork } from '@autoposter/persistence';
import { type SettledBy, settleFailed } from './settle-attempt';

/** The failure of a post that shows a claimed work; `message` names the work. */
export const claimed = (message: string): Failure => failureOf('claimed_media', { fields: { message } });

export const claimedWorkMessage = (title: string): string => `Shows the claimed work "${title}".`;

/**
 * The active claim by which this post must not go out, by the rules of DMCA protection; `null` where none stands. What only looks alike
 * in part does not count: a person has decided about that. Reads what is committed. Who asks under the lock of the post's job misses no
 * claim: one that is entered at that moment waits for that job and meets what came of it.
 */
export async function findBlockingClaim(uow: Pick<UnitOfWork, 'rights' | 'media'>, itemId: string): Promise<Failure | null> {
  const prints = await uow.rights.fingerprintsOf(itemId);
  const files = prints.flatMap(({ sha256 }) => sha256 ?? []);
  const pictures = prints.flatMap(({ pdqHash, pdqQuality }) => (pdqHash !== null && (pdqQuality ?? 0) >= PDQ_MIN_QUALITY ? [pdqHash] : []));
  const matches = (await uow.rights.findMatches(itemId, files, pictures)).filter(({ kind }) => kind === 'claim');
  if (matches.length === 0) return null;
  const kind = (await uow.media.ofItem(itemId)).some(({ role, mediaType }) => role !== 'cover' && mediaType === 'video')
    ? 'video'
    : 'image';
  const summary = { kind, usable: pictures.length, total: pictures.length } as const;
  const certain = matches.find((match) => decideRights(summary, [match]).verdict === 'blocked');
  return certain === undefined ? null : failureOf('claimed_work', { fields: { title: certain.title } });
}

/** Takes a post out of the way to publication for good; its errors and the skipped log say why. The item is locked. */
export async function blockItem(uow: UnitOfWork, item: ContentItem, failure: Failure, reason: SkipReason = 'dmca_failure'): Promise<void> {
  const { kind, message, nextAction } = failure;
  if (!(await uow.items.transition(item.id, { fromVersion: item.version, from: item.state, to: 'blocked' })))
    throw new Error('a locked item moved');
  await uow.items.addError(item.id, { stage: RIGHTS_STAGE, message, timestamp: (await uow.now()).toISOString(), nextAction, kind });
  await uow.skipped.recordItem(item, reason, message);
}

/** As `blockItem`, where no run of DMCA protection ends that would tell it. */
export async function blockItemForClaim(uow: UnitOfWork, item: ContentItem, claim: Failure, actor: string): Promise<void> {
  const { id } = item;
  await blockItem(uow, item, claim);
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
 * As `settleFailed`, but a post that an active claim stands against does not become ready again: the claim is the reason, and the item is
 * blocked. Answers what became of the post, and the reason that was written. The attempt is locked.
 */
export async function settleUnpublished(
  uow: UnitOfWork,
  attempt: PublishAttempt,
  failure: Failure,
  by: { actor: string; settledBy?: SettledBy },
): Promise<{ state: 'ready' | 'blocked'; reason: string }> {
  const claim = await findBlockingClaim(uow, attempt.itemId);
  await settleFailed(uow, attempt, claim ?? failure, by.settledBy);
  if (claim === null) return { state: 'ready', reason: failure.message };
  const item = await uow.items.lock(attempt.itemId);
  if (item.state === 'ready') await blockItemForClaim(uow, item, claim, by.actor);
  return { state: 'blocked', reason: claim.message };
}
