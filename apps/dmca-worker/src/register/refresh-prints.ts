import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REGISTER_STAGE } from '@autoposter/contracts';
import { checkedFile, type FilePrints, isPermanent } from '@autoposter/domain';
import { processName } from '@autoposter/job-engine';
import type { MediaTools } from '@autoposter/media-tools';
import { type ObjectStore, saveObject } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { repeatUntilAborted } from '@autoposter/resilience';
import { findingsOf, holdBack, requestForClaim } from '@autoposter/workflow';

export interface RefreshTools {
  media: Pick<MediaTools, 'analyse'>;
  objects: ObjectStore;
  database: Database;
  logger: Logger;
  signal: AbortSignal;
}

const ACTOR = 'dmca-worker';

/**
 * Replaces prints of an earlier version, which recognise fewer copies: requests those of the newest claim, and makes those of the newest item.
 * Returns whether a claim or an item had such prints.
 */
export async function refreshPrints(tools: RefreshTools): Promise<boolean> {
  const { rights } = tools.database.read;
  const [claimId, itemId] = [await rights.outdated('claim'), await rights.outdated('item')];
  if (claimId !== null) await requestClaim(tools.database, claimId);
  if (itemId !== null) await refreshItem(tools, itemId);
  return claimId !== null || itemId !== null;
}

const requestClaim = (database: Database, id: string): Promise<void> =>
  database.unitOfWork(async (uow) => {
    const work = (await uow.rights.findClaim(id))?.claim.work;
    if (work?.state !== 'fingerprinted') return;
    if (await requestForClaim(uow, REGISTER_STAGE, id, { actor: ACTOR, forPerson: false }))
      await uow.claims.setWork(id, { ...work, state: 'stored' });
  });

async function refreshItem(tools: RefreshTools, itemId: string): Promise<void> {
  const { database } = tools;
  const prints = await printsOf(tools, itemId);
  if (prints === null) return database.unitOfWork((uow) => uow.rights.setUpToDate('item', itemId));
  // committed before the search, so that a claim made meanwhile finds them
  await database.unitOfWork((uow) => uow.rights.saveFingerprints(itemId, prints, undefined, null));
  const known = new Set((await database.read.rights.decisionOf(itemId))?.matches.map(({ id }) => id));
  const matches = (await database.read.rights.findMatches(itemId, prints)).filter(({ kind, id }) => kind === 'claim' && !known.has(id));
  await database.unitOfWork(async (uow) => {
    for (const claimId of new Set(matches.map(({ id }) => id))) {
      const shown = { itemId, matches: matches.filter(({ id }) => id === claimId), files: prints.map(checkedFile) };
      await holdBack(uow, findingsOf([shown]), { actor: ACTOR, claimId });
    }
    await uow.rights.setUpToDate('item', itemId);
  });
}

/** `null` if a file is missing or cannot be read: the earlier prints are then kept. Rejects in an outage; a later round tries again. */
async function printsOf({ database, media, objects, logger, signal }: RefreshTools, itemId: string): Promise<FilePrints[] | null> {
  const folder = await mkdtemp(join(tmpdir(), 'prints-'));
  const prints: FilePrints[] = [];
  try {
    for (const original of await database.read.media.ofItem(itemId, 'original')) {
      const path = join(folder, 'original');
      await saveObject(objects, original.objectKey, path, signal);
      const { fingerprint } = await media.analyse(path, original.mediaType, signal);
      prints.push({ ...fingerprint, sha256: original.sha256 });
    }
    return prints;
  } catch (error) {
    if (!isPermanent(error) || signal.aborted) throw error;
    logger.warn({ itemId, kind: error.failure.kind }, 'the prints of an item could not be refreshed; the earlier ones are kept');
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const LEASE = 'refresh-prints';
/** A pause between two items leaves the processor to new posts. */
const ROUND_SECONDS = 20;

/** Runs rounds in one worker, until `signal` aborts. Never rejects. */
export function watchPrints(tools: RefreshTools): void {
  const { database, logger, signal } = tools;
  const owner = processName(ACTOR);
  const round = async (): Promise<void> => {
    if ((await database.read.leases.hold(LEASE, owner, ROUND_SECONDS * 3)) !== null) await refreshPrints(tools);
  };
  repeatUntilAborted(signal, {
    work: round,
    everyMs: ROUND_SECONDS * 1000,
    problem: 'prints of an earlier version could not be refreshed; the next round tries again',
    logger,
  });
}
