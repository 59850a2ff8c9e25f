import type { FailureCode } from '../errors/failure-catalogue';
import { changeFailure, type Failure, failureOf, isOfPlatform } from '../errors/failure';
import { FAILURE_POLICY, type NextActionCode } from '../errors/failure-kinds';
import type { PauseCause } from '@autoposter/contracts';
import type { AccountHold } from '../scheduling/stored-settings';
import type { PublishOutcome } from './publisher.port';

/**
 * Failures that hold a due post in its place, because their cause is not this one post: it would fail each of its kind in turn. The posts
 * behind it keep their times.
 */
export const HELD_CODES: readonly FailureCode[] = ['pictures_need_address', 'repost_held'];

export const isHeld = ({ failure }: { failure?: Failure | null }): boolean =>
  failure?.code !== undefined && HELD_CODES.includes(failure.code);

/** Nothing may be sent until a person acts. */
export interface AccountStop {
  cause: Exclude<PauseCause, 'person'>;
  reason: string;
  nextAction: string;
}

/** Refusals that the contract does not list: each stops the account until an administrator has seen it. */
const UNLISTED: readonly (string | undefined)[] = [
  'instagram_refused',
  'instagram_refused_without_reason',
  'instagram_processing_unlisted',
];

export const isUnlisted = ({ code }: Failure): boolean => UNLISTED.includes(code);

/**
 * The failure that leaves the outcome of a publish call open, with what the platform answered. An error of its servers, one that passes and a
 * missing answer say nothing about the next post.
 */
export function publishUnanswered({ code, message, failure }: Omit<Extract<PublishOutcome, { outcome: 'unknown' }>, 'outcome'>): Failure {
  const isLasting = failure !== undefined && FAILURE_POLICY[failure.kind] === 'never' && !(Number(failure.detail?.['status']) >= 500);
  return failureOf('publish_unanswered', {
    fields: { reason: message },
    detail: { ...failure?.detail, code },
    ...(isLasting ? { answer: failure } : {}),
  });
}

/**
 * Why publishing stops after the newest attempts of an account, newest first (`failure` is `null` where one was published); `null` if it
 * continues. Causes are equal if their codes and the platform's codes are; the cause of an unknown outcome is what the platform answered.
 * `equalFailures` in a row stop the account: a tool that repeats a refused request for each post of its queue is flagged as automated.
 */
export function repeatedFailure(newest: readonly { failure: Failure | null }[], equalFailures: number): AccountStop | null {
  const [last, ...earlier] = newest.map(({ failure }) => failure?.answer ?? failure);
  if (!last || !isOfPlatform(last)) return null;
  const count = isUnlisted(last) ? 1 : equalFailures;
  const equal = earlier.slice(0, count - 1).filter((failure) => failure !== null && causeOf(failure) === causeOf(last));
  if (equal.length < count - 1) return null;
  const { message, nextAction } = failureOf('publishing_fails', { fields: { count, reason: last.message } });
  return { cause: 'account', reason: message, nextAction };
}

const causeOf = ({ code, kind, detail }: Failure): string => [code ?? kind, detail?.['code'], detail?.['subcode']].join('/');

/** The account has to wait for this many seconds from now. */
export type NewHold = Omit<AccountHold, 'until'> & { seconds: number };

type AccountTrouble = { stop: AccountStop } | { hold: NewHold } | null;

/** Seconds to wait where the platform names no time. */
const DEFAULT_HOLD_SECONDS = 3600;

/** What a failure of the publishing platform means for the whole account; `null` where it concerns one post only. */
export function accountTroubleOf({ kind, side, message, nextAction, retryAfterSeconds }: Failure): AccountTrouble {
  const hold = (cause: AccountHold['cause']): AccountTrouble => ({
    hold: { cause, reason: message, seconds: retryAfterSeconds ?? DEFAULT_HOLD_SECONDS },
  });
  switch (kind) {
    case 'not_authorised':
      return { stop: { cause: 'token', reason: message, nextAction } };
    case 'policy':
      return side === 'instagram' ? { stop: { cause: 'account', reason: message, nextAction } } : null;
    case 'rate_limited':
      return hold('rate_limit');
    case 'quota_exceeded':
      return hold('quota');
    default:
      return null;
  }
}

/** The token of a connected account comes from a login: no variable of the environment changes it. */
const AS_CONNECTED: Partial<Record<NextActionCode, NextActionCode>> = {
  create_token: 'connect_again',
  create_token_by_hand: 'connect_again',
  create_token_with_permission: 'connect_with_permissions',
  sign_in_again: 'sign_in_and_connect',
  confirm_account: 'confirm_and_connect',
  add_page_role: 'add_page_role_and_connect',
  set_account_of_token: 'connect_again',
  check_account_and_token: 'check_accounts',
};

/** The failure with the action for a connected account, which no variable of the environment configures. */
export function ofConnectedAccount(failure: Failure): Failure {
  const action = failure.action === undefined ? undefined : AS_CONNECTED[failure.action];
  return action === undefined ? failure : changeFailure(failure, { action });
}
