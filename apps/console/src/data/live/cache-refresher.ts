import {
  COLLECT_STAGE,
  type Download,
  type LiveFact,
  PUBLISH_STAGE,
  RECONCILE_STAGE,
  FETCH_WORK_STAGE,
  REGISTER_STAGE,
  RIGHTS_STAGE,
} from '@autoposter/contracts';
import { DOWNLOAD_STATUS_OF } from '@autoposter/domain';
import type { QueryClient } from '@tanstack/react-query';
import { type KeyRoot, keys } from '../http/cache';

const ITEM: readonly KeyRoot[] = [keys.downloads, keys.dmca, keys.ai, keys.completed, keys.content, keys.overview];
const COLLECT: readonly KeyRoot[] = [keys.subreddits, keys.subredditScheduler, keys.skippedPosts, keys.downloads, keys.overview];
const QUEUE: readonly KeyRoot[] = [keys.queue, keys.completed, keys.content, keys.downloads, keys.overview, keys.failures, keys.accounts];

/** The query roots that a fact makes stale. Each fact may change the numbers of a stage. */
export function affectedKeys(fact: Pick<LiveFact, 'type'>): readonly KeyRoot[] | 'all' {
  const lists = listsOf(fact);
  return lists === 'all' ? lists : [...lists, keys.stages];
}

function listsOf(fact: Pick<LiveFact, 'type'>): readonly KeyRoot[] | 'all' {
  const [subject, event] = fact.type.split('.') as [string, string];
  if (subject === 'data') return 'all';
  if (subject === COLLECT_STAGE) return event === 'failed' ? [...COLLECT, keys.failures] : COLLECT;
  if (subject === PUBLISH_STAGE || subject === RECONCILE_STAGE || subject === 'queue') return QUEUE;
  if (fact.type === 'item.queued' || fact.type === 'item.unqueued') return QUEUE;
  if (subject === 'subreddit') return [keys.subreddits, keys.subredditScheduler];
  if (subject === 'scheduler') return [keys.scheduler, keys.subredditScheduler, keys.queue];
  if (subject === 'publishing') return [keys.publishing, keys.queue, keys.overview, keys.accounts];
  if (fact.type === 'stage.waiting') return [...ITEM, keys.failures];
  const rights = RIGHTS_STAGES.includes(subject) ? [keys.rights] : [];
  if (event === 'failed' || event === 'blocked' || event === 'skipped') return [...ITEM, ...rights, keys.failures, keys.skippedPosts];
  return [...ITEM, ...rights];
}

const RIGHTS_STAGES: readonly string[] = [RIGHTS_STAGE, FETCH_WORK_STAGE, REGISTER_STAGE];

/** Facts are collected for this long, so that a busy pipeline does not flood the API with requests. */
export const BATCH_MS = 300;

interface DownloadList {
  data: Download[];
}

/** Applies live facts to the cache: updates the item's row immediately, then refetches the affected queries in batches. */
export class CacheRefresher {
  private readonly stale = new Set<KeyRoot>();
  private all = false;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly client: QueryClient) {}

  apply(fact: LiveFact): void {
    this.patch(fact);
    const affected = affectedKeys(fact);
    if (affected === 'all') this.all = true;
    else for (const key of affected) this.stale.add(key);
    this.schedule();
  }

  refreshAll(): void {
    this.all = true;
    this.schedule();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      const { all } = this;
      const roots = new Set<unknown>(this.stale);
      this.all = false;
      this.stale.clear();
      void this.client.invalidateQueries({
        predicate: (query) => all || roots.has(query.queryKey[0]),
      });
    }, BATCH_MS);
  }

  private patch(fact: LiveFact): void {
    const { itemId, state } = fact;
    if (itemId === null || state === null || !(state in DOWNLOAD_STATUS_OF)) return;
    const status = DOWNLOAD_STATUS_OF[state as keyof typeof DOWNLOAD_STATUS_OF];
    this.client.setQueriesData<DownloadList>({ queryKey: [keys.downloads] }, (list) =>
      list === undefined
        ? list
        : { ...list, data: list.data.map((item) => (item._id === itemId ? { ...item, state, status, waiting: null } : item)) },
    );
  }
}
