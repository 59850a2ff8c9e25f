import type { HeldBack } from '@autoposter/contracts';
import { decideRights, type Failure } from '@autoposter/domain';
import type { ClaimedItem, ContentItem, UnitOfWork } from '@autoposter/persistence';
import { settleFailed } from '@autoposter/stage-runner';

const NEXT_ACTION = 'Do not post this media. If the claim is wrong, withdraw it and run DMCA protection again.';

/**
 * Posts that show a claimed work leave the way to publication, wherever they wait or run beyond DMCA protection; those before it will
 * meet the claim there. One that is being published is called back as long as its call has not left. What is out, or may be, is told:
 * that is for a person to take down.
 */
export async function blockClaimed(uow: UnitOfWork, claimed: readonly ClaimedItem[], actor: string): Promise<HeldBack> {
  const held: HeldBack = { blocked: 0, flagged: 0, out: [] };
  for (const { itemId, match, usable, kind } of claimed) {
    const { verdict, reasons } = decideRights({ kind, usable, total: usable }, [match]);
    const message = verdict === 'blocked' ? `Shows the claimed work "${match.title}".` : reasons.join(' ');
    const item = await uow.items.findForUpdate(itemId);
    if (item === null || !(await isOurs(uow, item, message, held))) continue;
    if (verdict === 'blocked') await block(uow, item, message, actor);
    else await flag(uow, item, message);
    held[verdict === 'blocked' ? 'blocked' : 'flagged'] += 1;
  }
  return held;
}

/** Whether the post lies with us and would reach its audience without another look at the register. Changes `item` where it comes back. */
async function isOurs(uow: UnitOfWork, item: ContentItem, message: string, held: HeldBack): Promise<boolean> {
  switch (item.state) {
    case 'protected':
    case 'captioning':
    case 'ready':
      return true;
    case 'failed':
      return item.failedStage === 'ai';
    case 'queued':
      await leaveQueue(uow, item);
      return true;
    case 'posting':
      if (await callBack(uow, item, message)) return true;
      // the platform may yet say that nothing is out: then this stops it before it is queued again
      await uow.items.patch(item.id, { needsReview: true, reviewReasons: withReason(item, message) });
      held.out.push({ id: item.id, title: item.title });
      return false;
    case 'posted':
      held.out.push({ id: item.id, title: item.title });
      return false;
    default:
      return false;
  }
}

async function block(uow: UnitOfWork, item: ContentItem, message: string, actor: string): Promise<void> {
  const { id } = item;
  await uow.jobs.cancelOpen(id);
  if (!(await uow.items.transition(id, { fromVersion: item.version, from: item.state, to: 'blocked' })))
    throw new Error('a locked item moved');
  const timestamp = (await uow.now()).toISOString();
  await uow.items.addError(id, { stage: 'dmca', message, timestamp, nextAction: NEXT_ACTION, kind: 'rights_blocked' });
  await uow.skipped.record({
    subreddit: item.subreddit ?? item.platform,
    platform: item.platform,
    sourceId: item.sourceId,
    originalUrl: item.originalUrl,
    reason: 'dmca_failure',
    additionalInfo: message,
    title: item.title,
    author: item.author,
    postType: item.postType,
    score: item.score ?? 0,
    sourceCreatedAt: item.sourceCreatedAt,
    itemId: id,
  });
  uow.history.append({ type: 'dmca.blocked', subjectId: id, itemId: id, stage: 'dmca', state: 'blocked', reason: message, actor });
}

/** Too little in common to be sure: it goes on as far as the queue, where a person is asked. */
async function flag(uow: UnitOfWork, item: ContentItem, message: string): Promise<void> {
  const patch = { needsReview: true, reviewReasons: withReason(item, message) };
  if (item.state !== 'queued') return uow.items.patch(item.id, patch);
  await uow.items.transition(item.id, { fromVersion: item.version, from: 'queued', to: 'ready', patch });
}

async function leaveQueue(uow: UnitOfWork, item: ContentItem): Promise<void> {
  const open = await uow.queue.findOpenOf(item.id);
  const place = open && (await uow.queue.findForUpdate(open.id));
  if (place?.status !== 'pending' && place?.status !== 'scheduled') return;
  const patch = { finishedAt: await uow.now() };
  await uow.queue.transition(place.id, { fromVersion: place.version, from: place.status, to: 'cancelled', patch });
}

/** Ends an attempt whose call to publish has not left; with its job cancelled under the fence it cannot leave any more. */
async function callBack(uow: UnitOfWork, item: ContentItem, message: string): Promise<boolean> {
  const open = await uow.attempts.findOpenOf(item.id);
  const attempt = open && (await uow.attempts.findForUpdate(open.id));
  if (attempt?.state !== 'open' && attempt?.state !== 'container') return false;
  await uow.jobs.cancelOpen(attempt.id);
  const failure: Failure = { kind: 'rights_blocked', message, side: 'operator', nextAction: NEXT_ACTION };
  await settleFailed(uow, attempt, failure);
  Object.assign(item, await uow.items.lock(item.id));
  return true;
}

const withReason = ({ reviewReasons }: ContentItem, message: string): string[] => [...new Set([...reviewReasons, message])];
