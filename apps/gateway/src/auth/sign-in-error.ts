/** Why a sign-in failed; the console renders a text for each code. */
type SignInReason =
  | 'sign_in_cancelled'
  | 'sign_in_expired'
  | 'sign_in_failed'
  | 'google_unreachable'
  | 'not_configured'
  | 'not_recorded'
  | 'email_missing'
  | 'email_unverified'
  | 'not_admin'
  | 'account_changed';

/** Reasons that concern the account lead to the access-denied page, the others to the landing page. */
const ABOUT_THE_ACCOUNT: ReadonlySet<SignInReason> = new Set(['email_missing', 'email_unverified', 'not_admin', 'account_changed']);

interface SignInErrorOptions {
  cause?: unknown;
  /** The refused address and its Google account. */
  email?: string;
  subject?: string;
}

/** Ends a sign-in with a redirect, not with a JSON response. */
export class SignInError extends Error {
  override readonly name = 'SignInError';

  readonly email: string | undefined;
  readonly subject: string | undefined;

  constructor(
    readonly reason: SignInReason,
    message: string,
    { cause, email, subject }: SignInErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.email = email;
    this.subject = subject;
  }

  get isAboutTheAccount(): boolean {
    return ABOUT_THE_ACCOUNT.has(this.reason);
  }

  /** Contains the masked address, so that a user with several accounts sees which one was refused. */
  get path(): string {
    const query = new URLSearchParams({ reason: this.reason, ...(this.email === undefined ? {} : { email: maskedEmail(this.email) }) });
    return `${this.isAboutTheAccount ? '/access-denied' : '/'}?${query.toString()}`;
  }
}

/** Recognisable only by its owner, as in `ad***n@example.com`: URLs end up in browser histories and proxy logs. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const name = [...email.slice(0, at)];
  const shown = name.length < 5 ? [name.slice(0, 1), []] : [name.slice(0, 2), name.slice(-1)];
  return `${shown.map((part) => part.join('')).join('***')}${email.slice(at)}`;
}
