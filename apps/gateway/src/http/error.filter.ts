import type { ErrorResponse, FieldIssue } from '@autoposter/contracts';
import { changeFailure, PipelineError, secondsUntilRetry, type Failure, type FailureKind } from '@autoposter/domain';
import { LimitedLog, type Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { SignedInRequest } from '../auth/current-session';
import { LOGGER } from '../bootstrap/systems';
import { requestIdOf } from './middleware';

interface Told {
  status: number;
  error: string;
  code?: string;
  nextAction?: string;
  issues?: FieldIssue[];
  retryAfter?: number | null;
}

const WORDS: Record<number, string> = {
  400: 'The request could not be read.',
  401: 'Please sign in.',
  403: 'This is not allowed.',
  404: 'There is nothing here.',
  405: 'This is not possible here.',
  409: 'This is not possible in the present state.',
  413: 'The request is too large.',
  415: 'The request must be JSON.',
  429: 'Too many requests; please wait a moment.',
};
/** Nest's own exceptions have no code to tell them from ours, only these texts (router of @nestjs/core, @nestjs/throttler, express). */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^(?:Cannot |ThrottlerException)/u, ''],
  [/^Failed to decode/u, 'The address holds a broken % sequence.'],
];
/** Longer than any sentence of ours: text that repeats a request or another system's answer is cut. */
const MAX_TEXT = 1_000;
const UNEXPECTED = 'Something unexpected went wrong inside Autoposter.';
const DATABASE_AWAY: Told = { status: 503, error: 'The database cannot be reached right now.', code: 'transient', retryAfter: 5 };

/** Turns whatever was thrown into the one shape of a failure. Stacks go to the log only. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly limited: LimitedLog;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
  ) {
    this.limited = new LimitedLog(logger);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<SignedInRequest>();
    const response = host.switchToHttp().getResponse<Response>();
    const requestId = requestIdOf(request);
    const told = this.database.isOutage(thrown) ? DATABASE_AWAY : tell(thrown);
    // What a stranger can cause again and again must not push the other lines out.
    const log = request.session === undefined ? this.limited : this.logger;
    if (told.status >= 500) log.error({ err: thrown, requestId, path: request.path, status: told.status }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // Who counts calls has said already when the next one is welcome.
    if (told.retryAfter && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', String(told.retryAfter));
    const error = told.error.length > MAX_TEXT ? `${told.error.slice(0, MAX_TEXT)}…` : told.error;
    const body: ErrorResponse = {
      success: false,
      error,
      message: error,
      requestId,
      ...(told.code === undefined ? {} : { code: told.code }),
      ...(told.nextAction === undefined ? {} : { nextAction: told.nextAction }),
      ...(told.issues === undefined ? {} : { issues: told.issues }),
    };
    response.status(told.status).json(body);
  }
}

function tell(thrown: unknown): Told {
  if (thrown instanceof PipelineError) {
    const failure = changeFailure(thrown.failure, { retried: false });
    const told = { status: statusOfFailure(failure), error: failure.message, code: failure.kind, nextAction: failure.nextAction };
    return { ...told, retryAfter: retryAfterSeconds(failure, new Date()) };
  }
  if (thrown instanceof HttpException) return tellHttp(thrown);
  const { status, expose } = thrown as { status?: unknown; expose?: unknown };
  if (typeof status === 'number' && status >= 400 && status < 500 && expose === true)
    return { status, error: WORDS[status] ?? WORDS[400]! };
  return { status: 500, error: UNEXPECTED, code: 'internal' };
}

function tellHttp(thrown: HttpException): Told {
  const status = thrown.getStatus();
  const body = thrown.getResponse();
  const { message, issues } = (typeof body === 'string' ? { message: body } : body) as { message?: unknown; issues?: FieldIssue[] };
  const written =
    typeof message === 'string' && message.includes(' ') ? (FOREIGN.find(([text]) => text.test(message))?.[1] ?? message) : '';
  const error = written === '' ? (WORDS[status] ?? UNEXPECTED) : written;
  return { status, error: status >= 500 && status !== 503 ? UNEXPECTED : error, issues, retryAfter: status === 429 ? 60 : null };
}

/**
 * A failure of our own making is a 4xx of the caller's request; a provider's own failure is 502, 503 or 429, and never 401, which would
 * sign the user out.
 */
const STATUS: Record<FailureKind, number> = {
  transient: 503,
  rate_limited: 429,
  quota_exceeded: 429,
  not_configured: 503,
  not_authorised: 502,
  not_found: 404,
  not_offered: 422,
  invalid_input: 422,
  conflict: 409,
  upstream_rejected: 502,
  unsupported_media: 422,
  too_large: 413,
  corrupt_media: 422,
  integrity: 502,
  rights_blocked: 409,
  policy: 422,
  unknown_outcome: 409,
  internal: 500,
};

export const statusOfFailure = (failure: Failure): number => STATUS[failure.kind];

/** Whole seconds until another try makes sense, at least 1; `null` where the failure names no time. */
export function retryAfterSeconds(failure: Failure, now: Date): number | null {
  const seconds = secondsUntilRetry(failure, now);
  if (seconds === null) return statusOfFailure(failure) === 429 ? 60 : null;
  return Math.max(1, Math.ceil(seconds));
}
