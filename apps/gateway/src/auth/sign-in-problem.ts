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

/** Ends a sign-in; becomes a redirect, never a page of raw JSON. */
export class SignInProblem extends Error {
  override readonly name = 'SignInProblem';

  constructor(
    readonly reason: SignInReason,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  get path(): string {
    return ABOUT_THE_ACCOUNT.has(this.reason) ? `/access-denied?reason=${this.reason}` : `/?reason=${this.reason}`;
  }
}
