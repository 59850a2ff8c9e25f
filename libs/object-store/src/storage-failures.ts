import { failureOf, PipelineError, type Failure } from '@autoposter/domain';
import { withinTime } from '@autoposter/resilience';

/** A defect of the caller; `problem` is a sentence. */
export const invalidInput = (problem: string): PipelineError => PipelineError.of('storage_misused', { fields: { problem } });

export const notFound = (key: string, cause?: unknown): PipelineError =>
  new PipelineError(failureOf('stored_file_missing', { fields: { key }, detail: { key } }), { cause });

export const damaged = (key: string, problem: string, detail?: Failure['detail']): PipelineError =>
  PipelineError.of('stored_file_damaged', { fields: { key, problem }, detail: { key, ...detail } });

export function tooLarge(limitBytes: number): PipelineError {
  const megabytes = Math.floor(limitBytes / 1_000_000);
  const limit = megabytes > 0 ? `${megabytes} MB` : `${limitBytes} bytes`;
  return PipelineError.of('stored_file_too_large', { fields: { limit }, detail: { limitBytes } });
}

export function diskNearlyFull(freeBytes: number, neededBytes: number): PipelineError {
  const fields = { freeMegabytes: Math.floor(freeBytes / 1_000_000), neededMegabytes: Math.ceil(neededBytes / 1_000_000) };
  return PipelineError.of('disk_nearly_full', { fields, detail: { freeBytes, neededBytes } });
}

/** The failure of a file system error; callers handle `ENOENT`, because they know whether a missing file matters. */
export function fileSystemFailure(error: unknown, operation: string): PipelineError {
  if (error instanceof PipelineError) return error;
  const code = errorCode(error) ?? 'unknown';
  return new PipelineError(fileFailureOf(code, operation), { cause: error });
}

function fileFailureOf(code: string, operation: string): Failure {
  const detail = { code };
  if (code === 'ENOSPC' || code === 'EDQUOT') return failureOf('disk_full', { detail });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return failureOf('folder_forbidden', { fields: { operation }, detail });
  return failureOf('folder_failed', { fields: { operation, code }, detail });
}

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Codes of the S3 error list (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html) that need a person. */
const REFUSED = new Set(['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'AllAccessDisabled']);
const MISCONFIGURED = new Set(['NoSuchBucket', 'InvalidBucketName', 'AuthorizationHeaderMalformed', 'PermanentRedirect']);
const FULL = new Set(['XMinioStorageFull', 'QuotaExceeded', 'XMinioAdminBucketQuotaExceeded']);
/** No connection, or a server that starts, stops or is overloaded: codes of Node.js, of that list, and of MinIO. */
const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ServiceUnavailable', 'SlowDown', 'SlowDownRead', 'SlowDownWrite', 'XMinioServerNotInitialized'],
]);
const MISSING = new Set(['NoSuchKey', 'NotFound', 'NoSuchObject']);

export function isMissing(error: unknown): boolean {
  return MISSING.has(errorCode(error) ?? '');
}

/** The failure of an error of the S3 server or of the connection to it. Never contains a signed address or a key. */
export function minioFailure(error: unknown, operation: string): PipelineError {
  if (error instanceof PipelineError) return error;
  // the answer to a HEAD request has no body, and without one the client leaves the code empty
  const code = errorCode(error) || (error instanceof Error ? error.name : 'unknown');
  return new PipelineError(minioFailureOf(code, operation), { cause: error });
}

function minioFailureOf(code: string, operation: string): Failure {
  const parts = { fields: { operation, code }, detail: { code } };
  if (REFUSED.has(code)) return failureOf('storage_refused', parts);
  if (MISCONFIGURED.has(code)) return failureOf('storage_misconfigured', parts);
  if (FULL.has(code)) return failureOf('storage_full', { detail: { code } });
  return failureOf(AWAY.has(code) ? 'storage_unavailable' : 'storage_failed', parts);
}

/**
 * Rejects when `work` has not ended in time: the client library waits without limit on a server that accepts a connection and does not answer.
 * The work itself cannot be cancelled; its late answer is dropped.
 */
export const withDeadline = <T>(work: Promise<T>, milliseconds: number, operation: string): Promise<T> =>
  withinTime(work, milliseconds, () =>
    PipelineError.of('storage_timed_out', { fields: { operation, seconds: Math.round(milliseconds / 1000) } }),
  );
