import type { AutoProcessStage } from '@autoposter/contracts';
import { nextStage } from '@autoposter/domain';
import type { ContentItem, UnitOfWork } from '@autoposter/persistence';
import { advance, type Advanced } from './advance';

const FINISHED = { downloaded: 'download', protected: 'dmca', ready: 'ai' } as const;

/**
 * A person asks by its address for a post that was here before; `item` is locked. A removed one is wanted back and starts anew, one that is
 * here goes on where more is asked for than before. `revived` is how the way back began, `null` where the post was not removed.
 */
export async function askAgain(
  uow: UnitOfWork,
  item: ContentItem,
  stopsAt: AutoProcessStage,
  actor: string,
): Promise<{ revived: Advanced | null }> {
  if (item.state === 'deleted' || item.state === 'discarded') {
    const anew = { autoProcessStage: stopsAt, processingErrors: [], retryCount: 0, needsReview: false, reviewReasons: [] };
    await uow.items.patch(item.id, anew);
    return { revived: await advance(uow, Object.assign(item, anew), { by: 'person', wants: 'download' }, { actor }) };
  }
  if (stopsAt !== 'queuePost' || item.autoProcessStage === 'queuePost') return { revived: null };
  await uow.items.patch(item.id, { autoProcessStage: stopsAt });
  item.autoProcessStage = stopsAt;
  await openDoor(uow, item, actor);
  return { revived: null };
}

/** Lets an item go on that waits at a door which its setting no longer names. */
async function openDoor(uow: UnitOfWork, item: ContentItem, actor: string): Promise<void> {
  const stage = item.state in FINISHED ? FINISHED[item.state as keyof typeof FINISHED] : null;
  if (stage === null) return;
  const step = nextStage(item, { by: 'stage', finished: stage });
  if ('enter' in step) await advance(uow, item, { by: 'person', wants: step.enter }, { actor });
}
