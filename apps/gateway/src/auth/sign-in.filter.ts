import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { excerptOf, LimitedLog, type Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import type { Response } from 'express';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { LOGGER } from '../bootstrap/systems';

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

/** RFC 5321 for addresses, OpenID Connect for account ids. */
const MAX_ADDRESS_LENGTH = 320;
const MAX_SUBJECT_LENGTH = 255;

const MAX_EXCERPT_LENGTH = 200;
const MAX_CAUSES = 3;

@Catch(SignInError)
export class SignInFilter implements ExceptionFilter<SignInError> {
  private readonly limited: LimitedLog;

  constructor(
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.limited = new LimitedLog(logger);
  }

  async catch(problem: SignInError, host: ArgumentsHost): Promise<void> {
    this.limited.warn({ reason: problem.reason, causes: causesOf(problem.cause) }, excerptOf(problem.message, MAX_EXCERPT_LENGTH));
    if (problem.isAboutTheAccount) await this.audit(problem);
    host.switchToHttp().getResponse<Response>().redirect(302, `${this.settings.publicUrl}${problem.path}`);
  }

  /** Only for accounts that Google verified: otherwise any visitor could fill the audit log. */
  private async audit({ reason, email = 'unknown', subject }: SignInError): Promise<void> {
    const actor = email.slice(0, MAX_ADDRESS_LENGTH);
    const detail = { reason, ...(subject === undefined ? {} : { account: subject.slice(0, MAX_SUBJECT_LENGTH) }) };
    await this.database.read.audit
      .record({ actor, action: 'auth.refused', detail })
      .catch((error: unknown) => this.logger.error({ err: error, reason }, 'a refused sign-in is missing in the audit log'));
  }
}

/** Codes and short excerpts: an error description comes from the query string, which is untrusted. */
function causesOf(cause: unknown, most = MAX_CAUSES): { code: string | null; excerpt: string | null }[] {
  if (!(cause instanceof Error) || most === 0) return [];
  // without a description in the query, passport's error message is not a string
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const excerpt = (text: unknown): string | null => (typeof text === 'string' ? excerptOf(text, MAX_EXCERPT_LENGTH) : null);
  return [{ code: excerpt(code), excerpt: excerpt(message) }, ...causesOf(cause.cause, most - 1)];
}
