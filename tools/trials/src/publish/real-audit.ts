import type { PublishedMedia } from '@autoposter/testkit';
import type { Database } from '@autoposter/persistence';

/** A post that the trial puts into the queue of an account. */
export interface QueuedPost {
  /** No other post has it. */
  caption: string;
  /** The account's Instagram user id. */
  userId: string;
}

/** An item with its newest queue item, as the product records it. */
export interface RealPost {
  itemId: string;
  state: string;
  queueItemId: string | null;
  status: string | null;
  /** The product asks a person what became of the post. */
  isQuestion: boolean;
}

export interface RealAttempt {
  itemId: string;
  state: string;
  caption: string;
  mediaId: string | null;
  containerId: string | null;
  /** Publish calls that it recorded before it made them. */
  calls: number;
}

export interface RealRecords {
  posts: readonly RealPost[];
  attempts: readonly RealAttempt[];
  /** What the simulated accounts show. */
  published: readonly PublishedMedia[];
  /** Publish calls that reached the platform, by container. */
  callsOf: Readonly<Record<string, number>>;
}

export interface RealVerdict {
  publishedTwice: number;
  lost: number;
  /** Of the lost ones, those on the account. */
  unnoticed: number;
  inLimbo: number;
  /** Posts with a publish call that was not recorded. */
  unrecorded: number;
  failures: string[];
}

const POSTS = `
  SELECT i.id AS "itemId", i.state, q.id AS "queueItemId", q.status,
    coalesce(q.outcome = 'unknown' AND q.failure IS NOT NULL, false) AS "isQuestion"
  FROM content_items i
  LEFT JOIN LATERAL (SELECT * FROM queue_items q WHERE q.item_id = i.id ORDER BY q.queued_at DESC, q.id DESC LIMIT 1) q ON true
  ORDER BY i.id`;

const ATTEMPTS = `
  SELECT item_id AS "itemId", state, caption, media_id AS "mediaId", container_id AS "containerId", calls
  FROM publish_attempts ORDER BY created_at, id`;

export async function readRecords({ sql }: Database): Promise<Pick<RealRecords, 'posts' | 'attempts'>> {
  return { posts: await sql.query<RealPost>(POSTS), attempts: await sql.query<RealAttempt>(ATTEMPTS) };
}

const UNFINISHED = new Set(['open', 'container', 'intent', 'unknown']);

/**
 * Compares the accounts with the records after everything has come to rest. A post is known on an account by its caption, which no other post
 * has, so that a second media is found although another container or no recorded attempt made it.
 */
export function auditReal({ posts, attempts, published, callsOf }: RealRecords, queued: ReadonlyMap<string, QueuedPost>): RealVerdict {
  const verdict: RealVerdict = { publishedTwice: 0, lost: 0, unnoticed: 0, inLimbo: 0, unrecorded: 0, failures: [] };
  const fail = (sentence: string): void => void verdict.failures.push(sentence);
  const byItem = new Map(posts.map((post) => [post.itemId, post]));
  const known = new Set<string>();
  for (const [itemId, { caption, userId }] of queued) {
    const media = published.filter((one) => one.caption === caption || one.caption?.startsWith(`${caption}\n`));
    media.forEach(({ mediaId }) => known.add(mediaId));
    const own = attempts.filter((attempt) => attempt.itemId === itemId);
    const post = byItem.get(itemId);
    for (const { accountId } of media) if (accountId !== userId) fail(`${caption} is on the account ${accountId} instead of ${userId}`);
    if (media.length > 1) {
      verdict.publishedTwice += 1;
      fail(`${caption} is ${media.length} times on the account`);
    }
    for (const { containerId, calls } of own) {
      const received = callsOf[containerId ?? ''] ?? 0;
      if (received <= calls) continue;
      verdict.unrecorded += 1;
      fail(`${caption} was called ${received} times and ${calls} calls are recorded`);
    }
    const open = own.filter(({ state }) => UNFINISHED.has(state));
    if (open.length > 0 || post?.state === 'posting' || post?.state === 'queued') {
      verdict.inLimbo += 1;
      fail(`${caption} is in limbo: item ${post?.state ?? 'missing'}, attempts ${own.map(({ state }) => state).join(', ') || 'none'}`);
      continue;
    }
    if (media.length === 0 || post?.state !== 'posted') {
      verdict.lost += 1;
      if (media.length > 0) verdict.unnoticed += 1;
      fail(`${caption} is lost: ${media.length} times on the account, item ${post?.state ?? 'missing'}, queue ${post?.status ?? 'none'}`);
      continue;
    }
    const ids = own.filter(({ state }) => state === 'published').map(({ mediaId }) => mediaId);
    if (ids.length !== 1 || ids[0] !== media[0]?.mediaId)
      fail(`${caption} is recorded with media ${ids.join(', ') || 'none'} and is media ${media[0]?.mediaId}`);
  }
  for (const { mediaId, caption } of published)
    if (!known.has(mediaId)) fail(`media ${mediaId} belongs to no post of the trial: ${caption ?? 'no caption'}`);
  return verdict;
}
