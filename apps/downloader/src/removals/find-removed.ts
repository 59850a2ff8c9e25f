import { FETCH_STAGE } from '@autoposter/contracts';
import {
  type Failure,
  FAILURE_POLICY,
  failureOf,
  ITEM_FLOW,
  type ItemState,
  PipelineError,
  type PostSource,
  REMOVE_WITHIN_HOURS,
} from '@autoposter/domain';
import { processName } from '@autoposter/job-engine';
import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import type { ContentItem, Database, UnitOfWork } from '@autoposter/persistence';
import { repeatUntilAborted } from '@autoposter/resilience';
import { v7 as uuidv7 } from 'uuid';
import { deleteUnreferencedObjects, failItem, isPublished, recordError, removeFromQueue } from '@autoposter/workflow';

/** Items that may still be published; one whose author removes the post must not be. */
const HELD = ITEM_FLOW.storedStates;
/** Items that are not published (again) automatically, but whose content is stored. */
const KEPT = ['posted', 'failed', 'blocked', 'discarded'] as const satisfies readonly ItemState[];
const KEPT_SECONDS = 24 * 3600;
/** Shorter than the pause between two rounds, so that each round checks all held posts. */
const HELD_SECONDS = 240;
const BATCH = 100;
/** Requests of one round: automatic work and people have to get theirs from the same budget. */
const MAX_BATCHES = 20;
/** Posts of a round that are asked for one by one: a subreddit that became private may hold back hundreds. */
const MAX_ASKED = 40;

export interface RemovalTools {
  reddit: PostSource & {
    /** Of at most 100 ids, those that Reddit no longer names or names as removed. */
    removedAmong(ids: readonly string[]): Promise<Set<string>>;
  };
  database: Database;
  objects: ObjectStore;
  logger: Logger;
}

/**
 * Checks posts at Reddit and deletes the content of removed ones: Reddit's terms require that stored content follows its deletions.
 * Each checked post is marked in the database, so that the next round, here or elsewhere, continues behind it. Answers how many were
 * gone. Throws `PipelineError` where Reddit does not answer.
 */
export async function findRemoved(tools: RemovalTools): Promise<number> {
  const round: Round = { left: MAX_BATCHES, mayAsk: MAX_ASKED, removed: 0 };
  const { items } = tools.database.read;
  await check(tools, () => items.dueForSourceCheck(HELD, HELD_SECONDS, BATCH), round);
  await check(tools, () => items.dueForSourceCheck(KEPT, KEPT_SECONDS, BATCH), round);
  await check(tools, () => items.deletedDueForSourceCheck(KEPT_SECONDS, BATCH), round);
  return round.removed;
}

interface Round {
  left: number;
  mayAsk: number;
  removed: number;
}

async function check(tools: RemovalTools, due: () => Promise<ContentItem[]>, round: Round): Promise<void> {
  const { reddit, database } = tools;
  while (round.left > 0) {
    const items = await due();
    if (items.length === 0) return;
    round.left -= 1;
    const posts = items.filter((item) => /^[a-z0-9]+$/i.test(item.sourceId));
    const gone = await reddit.removedAmong(posts.map((item) => item.sourceId));
    const missing = posts.filter(({ sourceId }) => gone.has(sourceId));
    const asked = missing.slice(0, round.mayAsk);
    const putOff = new Set(missing.slice(round.mayAsk).map(({ id }) => id));
    await database.read.items.markSourceChecked(items.filter((item) => !missing.includes(item)).map(({ id }) => id));
    for (const item of asked) {
      round.mayAsk -= 1;
      const failure = await confirmed(reddit, item);
      if (failure !== null && (await remove(tools, item.id, failure))) round.removed += 1;
      await database.read.items.markSourceChecked([item.id]);
    }
    // the same posts would be found again, so the next round continues
    if (putOff.size > 0) return;
  }
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
    const { kind, message } = error.failure;
    if (FAILURE_POLICY[kind] !== 'never' || kind === 'not_authorised' || kind === 'not_configured') throw error;
    if (kind !== 'not_found' && kind !== 'rights_blocked') return null;
    return failureOf('removed_after_download', { kind, fields: { reason: message } });
  }
}

/** `false` if the item cannot be changed now: the next round retries. */
async function remove({ database, objects, logger }: RemovalTools, itemId: string, failure: Failure): Promise<boolean> {
  const keys = await database.unitOfWork(async (uow) => {
    const item = await uow.items.lock(itemId);
    const was = item.state;
    const told = await takeOut(uow, item, failure);
    if (told === null) return null;
    const files = await uow.items.purgeContent(itemId);
    await uow.provenance.append(itemId, 'source_removed', { sourceId: item.sourceId, was, reason: told.message });
    const event = { subjectId: itemId, itemId, stage: FETCH_STAGE, reason: told.message, actor: 'downloader' } as const;
    uow.history.append({ type: `${FETCH_STAGE}.failed`, ...event, state: await uow.items.stateOf(itemId) });
    await uow.audit.record({
      actor: 'downloader',
      action: 'item.removed_at_source',
      subject: itemId,
      detail: { sourceId: item.sourceId, was, files: files.length, sha256: files.map(({ sha256 }) => sha256) },
    });
    return files.map(({ objectKey }) => objectKey);
  });
  if (keys === null) return false;
  await deleteUnreferencedObjects(database, objects, keys, logger);
  return true;
}

/** Stops the item in any state. Returns the recorded failure, or `null` if the item cannot be stopped now. */
async function takeOut(uow: UnitOfWork, item: ContentItem, failure: Failure): Promise<Failure | null> {
  const { id, state } = item;
  const isLive = (await isPublished(uow, item)) && !(await uow.cases.isRemoved(id));
  const about = { kind: failure.kind, fields: { reason: String(failure.fields?.['reason'] ?? '') } };
  const told = isLive
    ? failureOf('removed_after_publication', about)
    : wasDownloaded(item)
      ? failure
      : failureOf('removed_before_download', about);
  if (!(await stop(uow, item, told))) return null;
  if (isLive) {
    await uow.skipped.recordItem(item, 'other', told.nextAction, told.message);
    const found = { reason: 'source_removed', itemId: id, itemState: state, state: 'open', dueInHours: REMOVE_WITHIN_HOURS } as const;
    await uow.cases.open({ ...found, id: uuidv7() });
  }
  return told;
}

/** A download finds out what kind of files a post has. */
const wasDownloaded = ({ mediaType }: ContentItem): boolean => mediaType !== 'other';

async function stop(uow: UnitOfWork, item: ContentItem, failure: Failure): Promise<boolean> {
  const { id, state } = item;
  if (state === 'deleted') return true;
  // the content is deleted, so a discarded item cannot be restored
  if (state === 'discarded') return uow.items.transition(id, { fromVersion: item.version, from: state, to: 'deleted' });
  if ((KEPT as readonly ItemState[]).includes(state)) {
    await uow.jobs.cancelOpen(id);
    await recordError(uow, id, FETCH_STAGE, failure, 'find-removed');
    if (state === 'failed') await uow.items.patch(id, { failedStage: FETCH_STAGE });
    return true;
  }
  if (!(HELD as readonly ItemState[]).includes(state)) return false;
  if (state === 'queued' && !(await removeFromQueue(uow, id))) return false;
  await uow.jobs.cancelOpen(id);
  return failItem(uow, item, FETCH_STAGE, failure, 'find-removed');
}

const LEASE = 'removals';
/** Well below the shortest queue interval, so that a removed post is not published. */
const ROUND_SECONDS = 300;
const FIRST_ROUND_MS = 60_000;

interface RemovalWatch extends RemovalTools {
  signal: AbortSignal;
  /** Pause between two rounds; by default five minutes. */
  roundSeconds?: number;
  /** Pause before the first round; by default a minute. */
  firstRoundMs?: number;
}

/** Finds posts that were removed from Reddit, once per round in one downloader process, until `signal` aborts. Never rejects. */
export function watchRemovals(watch: RemovalWatch): void {
  const { database, logger, signal, roundSeconds = ROUND_SECONDS, firstRoundMs = FIRST_ROUND_MS } = watch;
  const owner = processName('downloader');
  const round = async (): Promise<void> => {
    // the lease ends shortly before the next round, so that another process takes over when this one has stopped
    if ((await database.read.leases.hold(LEASE, owner, roundSeconds * 0.9)) === null) return;
    const removed = await findRemoved(watch);
    if (removed > 0) logger.info({ removed }, 'removed items whose posts no longer exist on Reddit');
  };
  repeatUntilAborted(signal, {
    work: round,
    everyMs: roundSeconds * 1000,
    firstMs: firstRoundMs,
    problem: 'could not check whether posts still exist on Reddit; the next round retries',
    logger,
  });
}
