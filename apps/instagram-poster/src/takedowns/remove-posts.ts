import { ACCOUNT_REPORT, accountName, type AccountReport, failureOf, PipelineError } from '@autoposter/domain';
import type { InstagramPublisher } from '@autoposter/instagram';
import { processName } from '@autoposter/job-engine';
import type { Logger } from '@autoposter/observability';
import type { Database, RightsCase } from '@autoposter/persistence';
import { repeatUntilAborted } from '@autoposter/resilience';
import { moveCase } from '@autoposter/workflow';

export interface RemovalTools {
  /** Of the account with this id for publishing; `null` where it is not connected. */
  publisherOf: (userId: string) => Promise<Pick<InstagramPublisher, 'remove'> | null>;
  database: Database;
  logger: Logger;
  /** Ids of cases with a failed removal; `removePosts` adds to it and skips the cases in it. */
  failed?: Set<string>;
}

const ACTOR = 'instagram-poster';
const BATCH = 20;

/**
 * Removes the published posts whose removal an administrator started. Removing is idempotent: a post that is gone already counts as removed,
 * so that an interrupted round is repeated. Where the login does not allow it, or the account is not connected, the case goes back to its
 * administrator, with the reason.
 */
export async function removePosts(tools: RemovalTools): Promise<number> {
  let removed = 0;
  for (const found of await tools.database.read.cases.removable([...(tools.failed ?? [])], BATCH)) {
    const { mediaId } = found;
    if (mediaId !== null && (await removePost(tools, found, mediaId))) removed += 1;
  }
  return removed;
}

/** A case that was dismissed or left to a person during the call, too: the post is gone all the same. */
const GONE = [['removing', 'open', 'dismissed'], 'removed'] as const;
const LEFT_TO_A_PERSON = [['removing'], 'open'] as const;

async function removePost({ publisherOf, database, logger, failed }: RemovalTools, found: RightsCase, mediaId: string): Promise<boolean> {
  const userId = found.publishedOn ?? '';
  let refused: 'post_of_disconnected_account' | 'removals_not_offered' | null = null;
  try {
    const publisher = await publisherOf(userId);
    if (publisher === null) refused = 'post_of_disconnected_account';
    else if ((await publisher.remove(mediaId)) === 'not_offered') refused = 'removals_not_offered';
  } catch (error) {
    if (!(error instanceof PipelineError)) throw error;
    // the case stays in state `removing`: a later round tries again
    failed?.add(found.id);
    await database.unitOfWork((uow) => uow.cases.noteFailure(found.id, error.failure));
    logger.warn({ caseId: found.id, kind: error.failure.kind }, 'a post was not removed');
    return false;
  }
  const failure =
    refused === null
      ? null
      : failureOf(refused, { fields: { account: await nameOf(database, userId, refused === 'removals_not_offered') } });
  await database.unitOfWork((uow) =>
    moveCase(uow, found, failure === null ? GONE : LEFT_TO_A_PERSON, { actor: ACTOR, note: null, failure }),
  );
  return failure === null;
}

/** An account that `isUsed` and was not connected is that of the environment. */
async function nameOf({ read }: Database, userId: string, isUsed: boolean): Promise<string> {
  const connected = await read.accounts.findByUser(userId);
  const report = connected === null && isUsed ? await read.workerReports.find<AccountReport>(ACCOUNT_REPORT) : null;
  return accountName({ username: connected?.username ?? report?.report.username ?? null, userId });
}

const LEASE = 'takedowns';
/** An administrator waits for the removal. */
const ROUND_SECONDS = 10;
/** Rounds after which failed removals are tried again: each costs calls of the account's budget. */
const RETRY_ROUNDS = 6;

/** Runs rounds in one publishing worker, until `signal` aborts. Never rejects. */
export function watchTakedowns(tools: RemovalTools & { signal: AbortSignal }): void {
  const { database, logger, signal } = tools;
  const owner = processName(ACTOR);
  const failed = new Set<string>();
  let rounds = 0;
  const round = async (): Promise<void> => {
    if ((await database.read.leases.hold(LEASE, owner, ROUND_SECONDS * 0.9)) === null) return;
    if (rounds++ % RETRY_ROUNDS === 0) failed.clear();
    const removed = await removePosts({ ...tools, failed });
    if (removed > 0) logger.info({ removed }, 'removed published posts after a takedown');
  };
  repeatUntilAborted(signal, {
    work: round,
    everyMs: ROUND_SECONDS * 1000,
    problem: 'published posts could not be removed; the next round tries again',
    logger,
  });
}
