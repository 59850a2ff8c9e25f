import { failureOf, PipelineError, type Failure } from '@autoposter/domain';

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
  return new PipelineError(failureOfCode(code, operation), { cause: error });
}

function failureOfCode(code: string, operation: string): Failure {
  const detail = { code };
  if (code === 'ENOSPC' || code === 'EDQUOT') return failureOf('disk_full', { detail });
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return failureOf('folder_forbidden', { fields: { operation }, detail });
  return failureOf('folder_failed', { fields: { operation, code }, detail });
}

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
