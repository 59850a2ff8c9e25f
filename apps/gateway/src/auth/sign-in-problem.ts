import { maskedEmail } from './masked-email';

/** Why a sign-in did not lead to a session: plain words for the landing page are found by this code. */
export type SignInReason =
  | 'sign_in_cancelled'
  | 'sign_in_expired'
  | 'sign_in_failed'
  | 'google_unreachable'
  | 'not_configured'
  | 'email_missing'
  | 'email_unverified'
  | 'not_admin';

/** Reasons that concern the account: they lead to the page that says so, the others back to the landing page. */
const ABOUT_THE_ACCOUNT: ReadonlySet<SignInReason> = new Set(['email_missing', 'email_unverified', 'not_admin']);

export interface SignInProblemOptions {
  cause?: unknown;
  /** The address that was refused. */
  email?: string;
}

/** Ends a sign-in; becomes a redirect, never a page of raw JSON. */
export class SignInProblem extends Error {
  override readonly name = 'SignInProblem';

  private readonly email: string | undefined;

  constructor(
    readonly reason: SignInReason,
    message: string,
    { cause, email }: SignInProblemOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.email = email;
  }

  /** Who uses several accounts has to see which one was refused; the whole address has no place in one. */
  get path(): string {
    const query = new URLSearchParams({ reason: this.reason, ...(this.email === undefined ? {} : { email: maskedEmail(this.email) }) });
    return `${ABOUT_THE_ACCOUNT.has(this.reason) ? '/access-denied' : '/'}?${query.toString()}`;
  }
}
