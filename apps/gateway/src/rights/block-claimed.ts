import type { UnitOfWork } from '@autoposter/persistence';

/** States in which a post has its fingerprints and still lies with us. */
const HELD: ReadonlySet<string> = new Set(['protected', 'ready', 'queued']);

export interface Claimed {
  title: string;
  itemIds: readonly string[];
  actor: string;
}

/**
 * Posts that show a claimed work leave the way to publication, and their places in the queue. What is being published right now or is
 * out already is not touched: that is for a person to take down. Answers how many were blocked.
 */
export async function blockClaimed(uow: UnitOfWork, { title, itemIds, actor }: Claimed): Promise<number> {
  const message = `Shows the claimed work "${title}".`;
  let blocked = 0;
  for (const id of new Set(itemIds)) {
    const item = await uow.items.findForUpdate(id);
    if (item === null || !HELD.has(item.state)) continue;
    const now = await uow.now();
    const place = await uow.queue.findOpenOf(id);
    if (place !== null && (place.status === 'pending' || place.status === 'scheduled')) {
      const patch = { finishedAt: now };
      await uow.queue.transition(place.id, { fromVersion: place.version, from: place.status, to: 'cancelled', patch });
    }
    if (!(await uow.items.transition(id, { fromVersion: item.version, from: item.state, to: 'blocked' }))) continue;
    const nextAction = 'Do not post this media. If the claim is wrong, withdraw it and run DMCA protection again.';
    await uow.items.addError(id, { stage: 'dmca', message, timestamp: now.toISOString(), nextAction, kind: 'rights_blocked' });
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
    blocked += 1;
  }
  return blocked;
}
