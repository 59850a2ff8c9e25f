import type { LiveFact } from '@autoposter/contracts';
import { keys, type KeyRoot } from '../http/keys';

const ITEM: readonly KeyRoot[] = [keys.downloads, keys.dmca, keys.ai, keys.completed, keys.content, keys.overview];
const COLLECT: readonly KeyRoot[] = [keys.subreddits, keys.subredditScheduler, keys.skippedPosts, keys.downloads, keys.overview];
const QUEUE: readonly KeyRoot[] = [keys.queue, keys.completed, keys.content, keys.downloads, keys.overview, keys.failures];

/** Which parts of the cache a fact makes old. Whatever happens, happens in a stage. */
export function affectedKeys(fact: Pick<LiveFact, 'type'>): readonly KeyRoot[] | 'all' {
  const lists = listsOf(fact);
  return lists === 'all' ? lists : [...lists, keys.stages];
}

function listsOf(fact: Pick<LiveFact, 'type'>): readonly KeyRoot[] | 'all' {
  const [subject, event] = fact.type.split('.') as [string, string];
  if (subject === 'data') return 'all';
  if (subject === 'collect') return event === 'failed' ? [...COLLECT, keys.failures] : COLLECT;
  if (subject === 'post' || subject === 'reconcile' || subject === 'queue') return QUEUE;
  if (fact.type === 'item.queued' || fact.type === 'item.unqueued') return QUEUE;
  if (subject === 'subreddit') return [keys.subreddits, keys.subredditScheduler];
  if (subject === 'scheduler') return [keys.scheduler, keys.subredditScheduler, keys.queue];
  if (subject === 'publishing') return [keys.publishing, keys.queue, keys.overview];
  if (fact.type === 'stage.waiting') return [...ITEM, keys.failures];
  if (event === 'failed' || event === 'blocked' || event === 'skipped') return [...ITEM, keys.failures, keys.skippedPosts];
  return ITEM;
}
