import { ERROR_CODES, type ErrorCode, type ErrorResponse, type FailureKind, type FieldIssue } from '@autoposter/contracts';
import { changeFailure, oneLine, PipelineError, secondsUntilRetry, type Failure } from '@autoposter/domain';
import { LimitedLog, type Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { ItemRefusal } from '@autoposter/workflow';
import { Catch, HttpException, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { SignedInRequest } from '../auth/current-session';
import { LOGGER } from '../bootstrap/systems';
import { requestIdOf } from './middleware';

interface ErrorReply {
  status: number;
  error: string;
  code: ErrorCode;
  nextAction?: string;
  issues?: FieldIssue[];
  retryAfter?: number | null;
}

export const DEFAULT_MESSAGES: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'Please sign in.',
  403: 'This is not allowed.',
  404: 'Not found.',
  405: 'This method is not allowed here.',
  409: 'This is not possible in the current state.',
  413: 'The request is too large.',
  415: 'The request must be JSON.',
  429: 'Too many requests; please wait a moment.',
};
/** Of an error that names no code; any other status counts as `internal`. */
const DEFAULT_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'malformed_request',
  401: 'not_signed_in',
  403: 'not_allowed',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media',
  422: 'invalid_input',
  429: 'too_many_requests',
  503: 'unavailable',
};
const codeFor = (status: number, code?: unknown): ErrorCode =>
  ERROR_CODES.find((known) => known === code) ?? DEFAULT_CODES[status] ?? (status < 500 ? 'malformed_request' : 'internal');

/** Until a route is found only the framework throws, with texts of its own. */
const UNROUTED_MESSAGES: Readonly<Record<number, string>> = { ...DEFAULT_MESSAGES, 400: 'The URL contains a malformed % sequence.' };
/** Cuts text that repeats a request or the response of another system. */
const MAX_TEXT = 1_000;
const UNEXPECTED = 'Something unexpected went wrong inside Autoposter.';
const DATABASE_UNAVAILABLE: ErrorReply = { status: 503, error: 'The database is unavailable right now.', code: 'transient', retryAfter: 5 };

/** Turns every thrown value into an `ErrorResponse`. Stack traces go to the log only. */
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
    const answered = this.database.isOutage(thrown) ? DATABASE_UNAVAILABLE : replyFor(thrown);
    const isUnrouted = thrown instanceof HttpException && (request.route as unknown) === undefined;
    const reply = isUnrouted ? { ...answered, error: UNROUTED_MESSAGES[answered.status] ?? answered.error } : answered;
    // unauthenticated requests must not flood the log
    const log = request.session === undefined ? this.limited : this.logger;
    if (reply.status >= 500) log.error({ err: thrown, requestId, path: request.path, status: reply.status }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // the throttler already set Retry-After
    if (reply.retryAfter && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', String(reply.retryAfter));
    const error = oneLine(reply.error.length > MAX_TEXT ? `${reply.error.slice(0, MAX_TEXT)}…` : reply.error);
    const body: ErrorResponse = {
      success: false,
      error,
      message: error,
      requestId,
      code: reply.code,
      nextAction: reply.nextAction,
      issues: reply.issues?.map(plainIssue),
    };
    response.status(reply.status).json(body);
  }
}

/** The names of fields and their values are text of the client. */
const plainIssue = ({ field, value, ...rest }: FieldIssue): FieldIssue => ({
  ...rest,
  field: oneLine(field),
  value: value && oneLine(value),
});

export function replyFor(thrown: unknown): ErrorReply {
  if (thrown instanceof PipelineError) {
    const failure = changeFailure(thrown.failure, { retried: false });
    const reply = { status: statusOfFailure(failure), error: failure.message, code: failure.kind, nextAction: failure.nextAction };
    return { ...reply, retryAfter: retryAfterSeconds(failure, new Date()) };
  }
  if (thrown instanceof ItemRefusal) {
    const status = thrown.code === 'unknown_item' ? 404 : 409;
    return { status, error: thrown.message, code: codeFor(status) };
  }
  if (thrown instanceof HttpException) return replyForHttp(thrown);
  const { status, expose } = thrown as { status?: unknown; expose?: unknown };
  if (typeof status === 'number' && status >= 400 && status < 500 && expose === true)
    return { status, error: DEFAULT_MESSAGES[status] ?? DEFAULT_MESSAGES[400]!, code: codeFor(status) };
  return { status: 500, error: UNEXPECTED, code: 'internal' };
}

function replyForHttp(thrown: HttpException): ErrorReply {
  const status = thrown.getStatus();
  const body = thrown.getResponse();
  const { message, issues, code, ...rest } = (typeof body === 'string' ? { message: body } : body) as {
    message?: unknown;
    issues?: FieldIssue[];
    code?: unknown;
    error?: unknown;
    statusCode?: unknown;
  };
  // of an exception without a message, Nest's body is the name of the status as `message` and has no `error`
  const isUnwritten = typeof message !== 'string' || (rest.statusCode !== undefined && rest.error === undefined);
  const error = isUnwritten ? (DEFAULT_MESSAGES[status] ?? UNEXPECTED) : message;
  return {
    status,
    error: status >= 500 && status !== 503 ? UNEXPECTED : error,
    code: codeFor(status, code),
    issues,
    retryAfter: status === 429 ? 60 : null,
  };
}

/** A provider's failure is 502, 503 or 429, never 401: the console signs the user out on 401. */
const STATUS: Record<FailureKind, number> = {
  transient: 503,
  unavailable: 503,
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

/** At least 1; `null` if the failure names no time. */
export function retryAfterSeconds(failure: Failure, now: Date): number | null {
  const seconds = secondsUntilRetry(failure, now);
  if (seconds === null) return statusOfFailure(failure) === 429 ? 60 : null;
  return Math.max(1, Math.ceil(seconds));
}
