/** Why a sign-in did not lead to a session: plain words for the landing page are found by this code. */
type SignInReason =
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

interface SignInErrorOptions {
  cause?: unknown;
  /** The address that was refused, and the Google account that came with it. */
  email?: string;
  subject?: string;
}

/** Ends a sign-in; becomes a redirect, never a page of raw JSON. */
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

  /** Who uses several accounts has to see which one was refused; the whole address has no place in one. */
  get path(): string {
    const query = new URLSearchParams({ reason: this.reason, ...(this.email === undefined ? {} : { email: maskedEmail(this.email) }) });
    return `${this.isAboutTheAccount ? '/access-denied' : '/'}?${query.toString()}`;
  }
}

/**
 * An address as its owner recognises it, and nobody else: `ad***n@example.com`. For places that are kept by others, such as the history
 * of a browser and the logs of proxies.
 */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const name = [...email.slice(0, at)];
  const shown = name.length < 5 ? [name.slice(0, 1), []] : [name.slice(0, 2), name.slice(-1)];
  return `${shown.map((part) => part.join('')).join('***')}${email.slice(at)}`;
}
