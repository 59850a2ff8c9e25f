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
  | 'not_admin'
  | 'account_changed';

/** Reasons that concern the account: they lead to the page that says so, the others back to the landing page. */
const ABOUT_THE_ACCOUNT: ReadonlySet<SignInReason> = new Set(['email_missing', 'email_unverified', 'not_admin', 'account_changed']);

export interface SignInProblemOptions {
  cause?: unknown;
  /** The address that was refused, and the Google account that came with it. */
  email?: string;
  subject?: string;
}

/** Ends a sign-in; becomes a redirect, never a page of raw JSON. */
export class SignInProblem extends Error {
  override readonly name = 'SignInProblem';

  readonly email: string | undefined;
  readonly subject: string | undefined;

  constructor(
    readonly reason: SignInReason,
    message: string,
    { cause, email, subject }: SignInProblemOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.email = email;
    this.subject = subject;
  }

  get isAboutTheAccount(): boolean {
    return ABOUT_THE_ACCOUNT.has(this.reason);
  }

  /** Who uses several accounts has to see which one was refused; the whole address has no place in one. */
  get path(): string {
    const query = new URLSearchParams({ reason: this.reason, ...(this.email === undefined ? {} : { email: maskedEmail(this.email) }) });
    return `${this.isAboutTheAccount ? '/access-denied' : '/'}?${query.toString()}`;
  }
}
