import { PUBLISH_STAGE, type PublishOptions, type OriginalityRule } from '@autoposter/contracts';
import { createHash } from 'node:crypto';
import {
  accountSetting,
  type CaptionViolation,
  checkCaption,
  comparableCaption,
  composeCaption,
  creditLine,
  type ReviewReason,
  reviewReason,
  refusedRepostShare,
  withCollaborator,
} from '@autoposter/domain';
import { requestStage } from '@autoposter/job-engine';
import { currentTraceparent } from '@autoposter/observability';
import type { ContentItem, MediaFile, PermissionState, PublishAttempt, QueueItem, UnitOfWork } from '@autoposter/persistence';

/** Equal for captions that differ only in what Instagram may change when it publishes one. */
export const captionHash = (caption: string): string => createHash('sha256').update(comparableCaption(caption)).digest('hex');

export interface EnqueueRequest {
  /** Replaces the stored caption. Credit and hashtags are added to either. */
  caption?: string;
  /** When absent, a post that already waits in the queue keeps its options. */
  options?: PublishOptions | undefined;
  /** Post Now: ignores interval and blocked hours. With `accountId` the publish attempt is opened here, otherwise by the scheduler. */
  immediate: boolean;
  /** Instagram's id of the account; `null` while it is not configured. */
  accountId?: string | null;
  /** Our id of the account whose queue the post waits in. */
  queueAccountId?: string;
  /** Enqueued automatically: also refuses a caption that needs review. */
  unattended?: boolean;
  /** `INSTAGRAM_HASHTAG_LIMIT`. */
  maxHashtags?: number;
  actor: string;
  correlationId?: string;
}

type EnqueueResult =
  | { outcome: 'queued'; queueItem: QueueItem; attempt: PublishAttempt | null }
  | { outcome: 'refused'; reasons: ReviewReason[] }
  /** A concurrent writer changed the item first. */
  | { outcome: 'lost' };

/** Puts a ready item into the queue. Updates `item` in place. */
export async function enqueue(uow: UnitOfWork, item: ContentItem, request: EnqueueRequest): Promise<EnqueueResult> {
  const queueAccountId = request.queueAccountId ?? (await uow.accounts.defaultId());
  const permission = await uow.permissions.stateOf(item, queueAccountId);
  const { text, violations } = await composeText(uow, item, request, permission.credit);
  const { options, unavailable } = await withRequiredCollaborator(uow, item.id, request.options ?? {}, permission);
  const reasons = present<ReviewReason>([
    permission.refusal,
    unavailable,
    await publishedBefore(uow, item.id),
    ...violations.filter(({ severity }) => severity === 'limit' || request.unattended === true),
  ]);
  if (reasons.length > 0) return { outcome: 'refused', reasons };
  const moved = await uow.items.transition(item.id, { fromVersion: item.version, from: item.state, to: 'queued' });
  if (!moved) return { outcome: 'lost' };
  Object.assign(item, { state: 'queued', version: item.version + 1 });
  const queueItem = await uow.queue.create({
    itemId: item.id,
    accountId: queueAccountId,
    status: 'pending',
    caption: text,
    options,
    immediate: request.immediate,
    queuedBy: request.actor,
    traceparent: currentTraceparent(),
  });
  if (queueItem === null) throw new Error('a ready item had an open queue item');
  uow.history.append({
    type: 'item.queued',
    subjectId: item.id,
    itemId: item.id,
    state: 'queued',
    actor: request.actor,
    correlationId: request.correlationId,
  });
  if (!request.immediate || !request.accountId) return { outcome: 'queued', queueItem, attempt: null };
  const { accountId, actor, correlationId } = request;
  const started = await startPosting(uow, queueItem, { accountId, actor, correlationId });
  if (started.outcome !== 'started') throw new Error(`an item that was just queued could not be posted: ${started.outcome}`);
  Object.assign(item, { state: 'posting', version: item.version + 1 });
  return { outcome: 'queued', queueItem: started.queueItem, attempt: started.attempt };
}

/**
 * Post Now for an item that already waits in the queue: keeps its queue item, and its caption unless the request has another. Ignores
 * interval and blocked hours. The caller has locked first the queue item and then the item, as the dispatcher does.
 */
export async function postQueuedNow(
  uow: UnitOfWork,
  item: ContentItem,
  waiting: QueueItem,
  request: EnqueueRequest,
): Promise<EnqueueResult> {
  const permission = await uow.permissions.stateOf(item, waiting.accountId);
  const { text: caption, violations } =
    request.caption === undefined
      ? { text: waiting.caption, violations: checkCaption(waiting.caption, { maxHashtags: request.maxHashtags }) }
      : await composeText(uow, item, request, permission.credit);
  const { options, unavailable } = await withRequiredCollaborator(uow, item.id, request.options ?? waiting.options, permission);
  const overLimit = violations.filter(({ severity }) => severity === 'limit');
  const reasons = present<ReviewReason>([permission.refusal, unavailable, ...overLimit]);
  if (reasons.length > 0) return { outcome: 'refused', reasons };
  if (!(await uow.queue.patchWaiting(waiting.id, { caption, options, immediate: true }))) return { outcome: 'lost' };
  const queueItem = { ...waiting, caption, options, immediate: true, version: waiting.version + 1 };
  if (!request.accountId) return { outcome: 'queued', queueItem, attempt: null };
  const started = await startPosting(uow, queueItem, { accountId: request.accountId, actor: request.actor });
  if (started.outcome === 'refused') return { outcome: 'refused', reasons: [started.reason] };
  if (started.outcome === 'lost') return started;
  return { outcome: 'queued', queueItem: started.queueItem, attempt: started.attempt };
}

/** Adds the collaborator that the permission requires, so that a change of the options cannot remove it. */
export async function withRequiredCollaborator(
  uow: Pick<UnitOfWork, 'media'>,
  itemId: string,
  options: PublishOptions,
  { collaborator }: Pick<PermissionState, 'collaborator'>,
): Promise<{ options: PublishOptions; unavailable: ReviewReason | null }> {
  if (collaborator === null) return { options, unavailable: null };
  const found = withCollaborator(options, collaborator, postKindOf(await uow.media.ofItem(itemId, 'processed'), options));
  if ('options' in found) return { ...found, unavailable: null };
  return { options, unavailable: reviewReason('collaboration_unavailable', { collaborator, reason: found.reason }) };
}

const present = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);

/** A restored item may already be published: its attempts outlive its deletion. */
export async function publishedBefore(uow: UnitOfWork, itemId: string): Promise<ReviewReason | null> {
  const known = (await uow.attempts.ofItems([itemId])).get(itemId);
  if (known?.state !== 'published') return null;
  if (await uow.cases.isRemoved(itemId)) return reviewReason('removed_before');
  return reviewReason('published_before', { permalink: known.permalink });
}

async function composeText(
  uow: UnitOfWork,
  item: ContentItem,
  request: EnqueueRequest,
  permittedCredit: string | null,
): Promise<{ text: string; violations: CaptionViolation[] }> {
  const stored = await uow.captions.of(item.id);
  const caption = request.caption ?? stored?.caption ?? '';
  const credit = permittedCredit ?? creditLine(item);
  return composeCaption({ caption, hashtags: stored?.hashtags ?? [], credit, maxHashtags: request.maxHashtags });
}

type StartPostingResult =
  | { outcome: 'started'; queueItem: QueueItem; attempt: PublishAttempt }
  | { outcome: 'lost' }
  /** `waits`: the post stays in the queue, because the permission may still be granted. */
  | { outcome: 'refused'; reason: ReviewReason; waits?: true };

/** Opens the publish attempt of a waiting queue item and requests its `post` job. A unique index prevents a second open attempt. */
export async function startPosting(
  uow: UnitOfWork,
  queueItem: QueueItem,
  request: { accountId: string; actor: string; correlationId?: string },
): Promise<StartPostingResult> {
  const item = await uow.items.findForUpdate(queueItem.itemId);
  if (item === null || item.state !== 'queued') return { outcome: 'refused', reason: reviewReason('left_queue') };
  const published = await publishedBefore(uow, item.id);
  if (published !== null) return { outcome: 'refused', reason: published };
  // a permission may have expired or been revoked while the post waited
  const permission = await uow.permissions.stateOf(item, queueItem.accountId);
  if (permission.refusal !== null) return { outcome: 'refused', reason: permission.refusal, waits: true };
  const { options, unavailable } = await withRequiredCollaborator(uow, item.id, queueItem.options, permission);
  if (unavailable !== null) return { outcome: 'refused', reason: unavailable };
  const held = await repostHold(uow, { ...queueItem, options }, request.accountId);
  if (held !== null) return { outcome: 'refused', reason: held };
  const files = await uow.media.ofItem(item.id, 'processed');
  if (files.length === 0) return { outcome: 'refused', reason: reviewReason('no_processed_file') };
  const patch = options === queueItem.options ? {} : { options };
  const moved = await uow.queue.transition(queueItem.id, { fromVersion: queueItem.version, from: queueItem.status, to: 'posting', patch });
  if (!moved) return { outcome: 'lost' };
  const attempt = await openAttempt(uow, { ...queueItem, options }, files, request.accountId);
  await uow.items.transition(item.id, { fromVersion: item.version, from: 'queued', to: 'posting' });
  const requested = await requestStage(uow, {
    stage: PUBLISH_STAGE,
    subjectId: attempt.id,
    itemId: item.id,
    key: request.accountId,
    actor: request.actor,
    traceparent: queueItem.traceparent,
    state: 'posting',
    correlationId: request.correlationId,
  });
  if (!requested.accepted) throw new Error('a new attempt had an open job');
  return { outcome: 'started', queueItem: { ...queueItem, options, status: 'posting', version: queueItem.version + 1 }, attempt };
}

/** Throws if an attempt of this item is open. */
export async function openAttempt(
  uow: UnitOfWork,
  { id, itemId, caption, options }: QueueItem,
  files: readonly MediaFile[],
  accountId: string,
): Promise<PublishAttempt> {
  const attempt = await uow.attempts.open({
    itemId,
    queueItemId: id,
    accountId,
    caption,
    options,
    kind: postKindOf(files, options),
    captionHash: captionHash(caption),
    mediaSha256: hashOfFiles(files),
  });
  if (attempt === null) throw new Error('an attempt to publish this item is open already');
  return attempt;
}

export function postKindOf(files: readonly Pick<MediaFile, 'mediaType'>[], { story }: PublishOptions): PublishAttempt['kind'] {
  if (files.length > 1) return 'carousel';
  if (story) return 'story';
  return files[0]?.mediaType === 'video' ? 'reel' : 'image';
}

/** Why the originality rule of its queue holds this post back. Never holds Post Now, nor a post with collaborators. `userId`: Instagram's id of the account. */
export async function repostHold(
  uow: Pick<UnitOfWork, 'settings' | 'originality'>,
  { itemId, accountId, immediate, options }: QueueItem,
  userId: string,
): Promise<ReviewReason | null> {
  if (immediate || (options.collaborators ?? []).length > 0) return null;
  const rule = await uow.settings.get<OriginalityRule>(accountSetting('originality', accountId));
  if (rule?.holdReposts !== true || (await uow.originality.markOf(itemId)) !== null) return null;
  const share = refusedRepostShare(await uow.originality.counts(userId), rule);
  return share === null ? null : reviewReason('too_many_reposts', { share, greatest: rule.maxRepostShare });
}

/** The hash of a single file, or the hash of all hashes in order. */
function hashOfFiles(files: readonly Pick<MediaFile, 'sha256'>[]): string {
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0) return only.sha256;
  return createHash('sha256')
    .update(files.map((file) => file.sha256).join('\n'))
    .digest('hex');
}

/** Cancels the waiting queue item of an item. `false` if it has none or is already being posted. Requires the lock of the item. */
export async function removeFromQueue(uow: UnitOfWork, itemId: string): Promise<boolean> {
  const open = await uow.queue.findOpenOf(itemId);
  const queueItem = open && (await uow.queue.findForUpdate(open.id));
  if (queueItem?.status !== 'pending' && queueItem?.status !== 'scheduled') return false;
  const patch = { finishedAt: await uow.now() };
  return uow.queue.transition(queueItem.id, { fromVersion: queueItem.version, from: queueItem.status, to: 'cancelled', patch });
}
