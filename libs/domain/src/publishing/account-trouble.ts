import type { Failure } from '../errors/failure';
import type { AccountHold } from '../scheduling/stored-settings';

/** The platform refused the access token or restricts the account: nothing may be sent until a person has acted. */
export interface AccountStop {
  cause: 'token' | 'account';
  reason: string;
  nextAction: string;
}

export type AccountTrouble = { stop: AccountStop } | { hold: AccountHold } | null;

/** Where the platform names no time to come back, in seconds. */
const DEFAULT_HOLD_SECONDS = 3600;

/** What a failure of the publishing platform says about the whole account, `null` where it is about one post only. */
export function accountTroubleOf({ kind, side, message, nextAction, retryAt }: Failure, now: Date): AccountTrouble {
  const hold = (cause: AccountHold['cause']): AccountTrouble => ({
    hold: { cause, reason: message, until: retryAt ?? new Date(now.getTime() + DEFAULT_HOLD_SECONDS * 1000).toISOString() },
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
