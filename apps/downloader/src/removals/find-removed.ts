import { FAILURE_POLICY, PipelineError, type Failure, type ItemState, type PostSource } from '@autoposter/domain';
import type { ContentItem, Database } from '@autoposter/persistence';
import { failItem, leaveQueue } from '@autoposter/stage-runner';

/** Where a post lies with us and is not out: what its author takes back until then must not go out. */
const HELD = ['downloaded', 'protected', 'captioning', 'ready', 'queued'] as const satisfies readonly ItemState[];
const BATCH = 100;
/** Requests of one round, a few minutes apart from the next, stay far below Reddit's hundred a minute: work does not wait for them. */
const MAX_BATCHES = 20;
/** Posts of a round that are asked for one by one: a subreddit that became private may hold back hundreds. */
const MAX_ASKED = 40;

export interface RemovalTools {
  reddit: PostSource & {
    /** Of at most 100 ids, those that Reddit no longer names or names as removed. */
    removedAmong(ids: readonly string[]): Promise<Set<string>>;
  };
  database: Database;
}

/** The last post that was looked at: the next round goes on behind it. */
export type Place = { createdAt: Date; id: string } | null;

/**
 * Looks once at the held posts behind `from` and takes those out of the way that are gone from Reddit: whoever keeps content of Reddit has
 * to follow its deletions. Answers how many, and where the next round goes on (`null` at the beginning). Throws `PipelineError` where
 * Reddit does not answer.
 */
export async function findRemoved({ reddit, database }: RemovalTools, from: Place): Promise<{ removed: number; place: Place }> {
  let removed = 0;
  let asked = 0;
  let place = from;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const page = await database.read.items.list({ states: HELD, limit: BATCH, ...(place ? { after: place } : {}) });
    const posts = page.filter((item) => item.platform === 'reddit' && /^[a-z0-9]+$/i.test(item.sourceId));
    const gone = await reddit.removedAmong(posts.map((item) => item.sourceId));
    for (const item of posts.filter(({ sourceId }) => gone.has(sourceId))) {
      if (asked === MAX_ASKED) return { removed, place };
      asked += 1;
      const failure = await confirmed(reddit, item);
      if (failure !== null && (await takeOut(database, item.id, failure))) removed += 1;
      place = { createdAt: item.createdAt, id: item.id };
    }
    const last = page.at(-1);
    if (last === undefined || page.length < BATCH) return { removed, place: null };
    place = { createdAt: last.createdAt, id: last.id };
  }
  return { removed, place };
}

/**
 * A list can lack a post for other reasons: only what Reddit says of the post itself counts. What it does not show us, such as a post of a
 * subreddit that became private, stays; only what holds for every post, no answer or refused credentials, ends the round.
 */
async function confirmed(reddit: PostSource, item: ContentItem): Promise<Failure | null> {
  try {
    await reddit.resolve(item.originalUrl);
    return null;
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    const { kind } = error.failure;
    if (FAILURE_POLICY[kind] !== 'never' || kind === 'not_authorised') throw error;
    if (kind !== 'not_found' && kind !== 'rights_blocked') return null;
    const message = 'The post was removed at its source after it was downloaded.';
    return { kind, message, side: 'reddit', nextAction: 'Delete it here as well: what was taken back must not be used.' };
  }
}

async function takeOut(database: Database, itemId: string, failure: Failure): Promise<boolean> {
  return database.unitOfWork(async (uow) => {
    const item = await uow.items.lock(itemId);
    if (!(HELD as readonly ItemState[]).includes(item.state)) return false;
    if (item.state === 'queued' && !(await leaveQueue(uow, itemId))) return false;
    await uow.jobs.cancelOpen(itemId);
    if (!(await failItem(uow, item, 'download', failure, 'find-removed'))) return false;
    const event = { subjectId: itemId, itemId, stage: 'download', state: 'failed', reason: failure.message, actor: 'downloader' } as const;
    uow.history.append({ type: 'download.failed', ...event });
    return true;
  });
}
