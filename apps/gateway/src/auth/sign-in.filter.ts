import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { excerptOf, LimitedLog, type Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import type { Response } from 'express';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { LOGGER } from '../bootstrap/systems';
import { SignInError } from './sign-in-error';

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
