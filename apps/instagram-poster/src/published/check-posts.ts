import {
  accountTroubleOf,
  COMMENT_VISIBLE_AFTER_MS,
  comparableCaption,
  copyrightCheckAfter,
  type CopyrightMatch,
  describeMatch,
  differencesOf,
  type Failure,
  FAILURE_POLICY,
  hasExpired,
  isInForce,
  failureOf,
  MAX_COMMENT_CALLS,
  mayGetMetrics,
  PipelineError,
} from '@autoposter/domain';
import type { InstagramPublisher } from '@autoposter/instagram';
import { ageOf, leaseInstant, LostLease, processName } from '@autoposter/job-engine';
import type { Logger } from '@autoposter/observability';
import type { Database, DuePostCheck } from '@autoposter/persistence';
import { repeatUntilAborted } from '@autoposter/resilience';
import { v7 as uuidv7 } from 'uuid';
import type { AccountSwitch } from '../account/account-breaker';
import type { PauseSwitch } from '../post/publish-conditions';

export interface PostCheckTools {
  publisher: Pick<InstagramPublisher, 'accountId' | 'readPost' | 'copyrightOf' | 'insights' | 'comments' | 'comment'>;
  /** Pause and hold of the account, which the first comment waits for. */
  publishing: PauseSwitch;
  account: Pick<AccountSwitch, 'held'>;
  database: Database;
  logger: Logger;
}

const ACTOR = 'instagram-poster';
/** Checks of one round; each makes one or two calls. */
const BATCH = 20;
const MAX_TRIES = 6;
const FIRST_RETRY_SECONDS = 300;
const INSIGHTS_RETRY_SECONDS = 6 * 3600;
const MISSING_RETRY_SECONDS = 3600;
const MISSING_FOR_MS = 6 * 3_600_000;
const COMMENT_CHECK_SECONDS = 120;
const REMOVE_WITHIN_HOURS = 48;

/** A permission that one call needs and others do not. */
const OF_ONE_CALL: readonly (string | undefined)[] = ['instagram_permission_missing', 'instagram_call_not_allowed'];

/** The trouble of the account that a failure reports: every other call would fail like this one. */
const troubleOf = (failure: Failure) => (OF_ONE_CALL.includes(failure.code) ? null : accountTroubleOf(failure));

/**
 * Runs the due checks of published posts. A failing call is repeated with growing pauses; after six failures in a row the last one is kept with
 * the check, except for the copyright check, which continues at its next time. Trouble of the account ends the round, and gives up no check.
 */
export async function checkPosts(tools: PostCheckTools): Promise<number> {
  const { database, publisher, logger } = tools;
  const { postChecks } = database.read;
  const due = await postChecks.due(publisher.accountId, BATCH);
  for (const check of due) {
    try {
      await CHECKS[check.kind](check, tools);
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error;
      logger.warn({ check: check.kind, mediaId: check.mediaId, code: error.failure.code }, 'a published post could not be checked');
      if (troubleOf(error.failure) !== null) {
        await postChecks.postpone(check, error.failure.retryAfterSeconds ?? FIRST_RETRY_SECONDS, check.tries);
        break;
      }
      const isLast = check.tries + 1 >= MAX_TRIES;
      if (isLast && check.kind === 'copyright') await postChecks.postpone(check, await untilNextCopyrightCheck(check, database), 0);
      else if (isLast) await postChecks.finish(check, check.result, error.failure);
      else await postChecks.postpone(check, FIRST_RETRY_SECONDS * 2 ** check.tries, check.tries + 1);
    }
  }
  return due.length;
}

const untilNextCopyrightCheck = async ({ publishedAt }: DuePostCheck, database: Database): Promise<number> =>
  copyrightCheckAfter(publishedAt, await database.read.now());

type Check = (check: DuePostCheck, tools: PostCheckTools) => Promise<void>;

/**
 * Compares the published post with the sent one, and stores its address if that was unknown. It is missing only after some time, because
 * Instagram also answers 100/33 for media that exist.
 */
const readBack: Check = async (check, { publisher, database }) => {
  const post = await publisher.readPost(check.mediaId);
  const now = await database.read.now();
  const isOver = post === null && hasExpired(check.postKind, check.publishedAt, now);
  if (post === null && !isOver) {
    const { missingSince = now.toISOString() } = check.result;
    if (now.getTime() - Date.parse(missingSince) < MISSING_FOR_MS)
      return database.read.postChecks.repeat(check, MISSING_RETRY_SECONDS, { missingSince });
  }
  const differences = isOver ? [] : differencesOf({ caption: check.caption, kind: check.postKind, permalink: check.permalink }, post);
  await database.unitOfWork(async (uow) => {
    if (check.permalink === null && post?.permalink) await uow.attempts.patch(check.attemptId, { permalink: post.permalink });
    await uow.postChecks.finish(check, { differences });
  });
};

const readInsights: Check = async (check, { publisher, database }) => {
  const now = await database.read.now();
  const isOver = hasExpired(check.postKind, check.publishedAt, now);
  const metrics = isOver ? {} : await publisher.insights(check.mediaId, check.postKind);
  const isEmpty = Object.keys(metrics).length === 0;
  if (isEmpty && !isOver && mayGetMetrics(check.kind, check.publishedAt, now))
    await database.read.postChecks.repeat(check, INSIGHTS_RETRY_SECONDS);
  else await database.read.postChecks.finish(check, { metrics });
};

const UNNAMED: CopyrightMatch = { title: null, owner: null, actions: [], segments: [] };

/** A work that an owner claimed after the publication opens a case, once. */
const readCopyright: Check = async (check, { publisher, database }) => {
  const found = await publisher.copyrightOf(check.mediaId);
  if (found === null) return database.read.postChecks.finish(check, { matches: [], ...check.result });
  const claimed = found.matchesFound && found.matches.length === 0 ? [UNNAMED] : found.matches;
  const matches = claimed.map((match) => (match === UNNAMED ? 'a work that Instagram does not name' : describeMatch(match)));
  const known = check.result.works ?? [];
  const added = claimed.filter(({ title, owner }) => !known.some((work) => work.title === title && work.owner === owner));
  const result = { matches, works: [...known, ...added.map(({ title, owner }) => ({ title, owner }))] };
  const seconds = await untilNextCopyrightCheck(check, database);
  return database.unitOfWork(async (uow) => {
    await uow.postChecks.repeat(check, seconds, result);
    if (added.length === 0) return;
    const { itemId, mediaId } = check;
    const detail = { mediaId, matches };
    const found = { id: uuidv7(), reason: 'platform_match', itemId, itemState: 'posted', state: 'open' } as const;
    await uow.cases.open({ ...found, dueInHours: REMOVE_WITHIN_HOURS, detail });
    await uow.audit.record({ actor: ACTOR, action: 'rights.case.opened', subject: itemId, detail });
  });
};

/** A worker that recorded a comment call makes it within this time; another one repeats it after `COMMENT_VISIBLE_AFTER_MS`. */
const CALL_WITHIN_MS = COMMENT_VISIBLE_AFTER_MS / 2;

async function isStopped({ publishing, account, database }: PostCheckTools): Promise<boolean> {
  const hold = await account.held();
  const isHeld = hold !== null && isInForce(hold, await database.read.now());
  return isHeld || publishing.isPaused();
}

/**
 * Comments once, and only while the account may publish. The call is recorded before it is made; whatever it answers, only the comment among
 * those of the post or a definite refusal ends the check. A call whose comment does not appear is repeated once.
 */
const comment: Check = async (check, tools) => {
  const { publisher, database } = tools;
  const { postChecks } = database.read;
  const message = check.options.firstComment ?? '';
  const isThere = (await publisher.comments(check.mediaId)).some(({ text }) => comparableCaption(text) === comparableCaption(message));
  if (isThere) return postChecks.finish(check, {});
  const age = check.calledAt === null ? null : (await database.read.now()).getTime() - check.calledAt.getTime();
  if (age !== null && age < COMMENT_VISIBLE_AFTER_MS) return postChecks.repeat(check, COMMENT_CHECK_SECONDS);
  if (check.calls >= MAX_COMMENT_CALLS) return postChecks.finish(check, {}, failureOf('first_comment_unconfirmed'));
  if (await isStopped(tools)) return postChecks.repeat(check, COMMENT_CHECK_SECONDS);
  const recordedAt = leaseInstant();
  if (!(await postChecks.recordCall(check))) return;
  const assertOwn = (): void => {
    if (ageOf(recordedAt) > CALL_WITHIN_MS) throw new LostLease('the worker was frozen before the comment call');
  };
  try {
    await publisher.comment(check.mediaId, message, assertOwn);
    await postChecks.finish(check, {});
  } catch (error) {
    if (error instanceof LostLease) return;
    if (!(error instanceof PipelineError)) throw error;
    if (troubleOf(error.failure) !== null) {
      // a post for which spam was suspected may be live all the same
      if (error.failure.kind !== 'policy') await postChecks.withdrawCall(check);
      throw error;
    }
    if (FAILURE_POLICY[error.failure.kind] === 'never') await postChecks.finish(check, {}, error.failure);
    else await postChecks.repeat(check, COMMENT_CHECK_SECONDS);
  }
};

const CHECKS: Record<DuePostCheck['kind'], Check> = {
  read_back: readBack,
  first_comment: comment,
  insights_1h: readInsights,
  insights_24h: readInsights,
  insights_7d: readInsights,
  copyright: readCopyright,
};

const LEASE = 'post-checks';
const ROUND_SECONDS = 30;

type PostWatch = Pick<PostCheckTools, 'database' | 'logger'> & {
  /** Of all accounts: a published post is read with the token of its account. */
  accounts: () => Promise<readonly (Pick<PostCheckTools, 'publishing' | 'account'> & { platform: PostCheckTools['publisher'] })[]>;
  signal: AbortSignal;
};

/** Runs a round every half minute in one publishing worker, until `signal` aborts. Never rejects. */
export function watchPosts(tools: PostWatch): void {
  const { accounts, database, logger, signal } = tools;
  const owner = processName(ACTOR);
  const round = async (): Promise<void> => {
    if ((await database.read.leases.hold(LEASE, owner, ROUND_SECONDS * 0.9)) === null) return;
    for (const { platform, publishing, account } of await accounts())
      await checkPosts({ publisher: platform, publishing, account, database, logger });
  };
  repeatUntilAborted(signal, {
    work: round,
    everyMs: ROUND_SECONDS * 1000,
    problem: 'published posts could not be checked; the next round tries again',
    logger,
  });
}
