import type { Failure } from '../errors/failure';
import type { AccountHold } from '../scheduling/stored-settings';

/** The platform refused the access token or restricts the account: nothing may be sent until a person acts. */
export interface AccountStop {
  cause: 'token' | 'account';
  reason: string;
  nextAction: string;
}

/** The account has to wait for this many seconds from now. */
export type NewHold = Omit<AccountHold, 'until'> & { seconds: number };

export type AccountTrouble = { stop: AccountStop } | { hold: NewHold } | null;

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
