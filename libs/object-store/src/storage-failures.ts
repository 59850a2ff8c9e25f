import { PipelineError, type Failure, type FailureKind } from '@autoposter/domain';

type Detail = Failure['detail'];

function storageError(kind: FailureKind, message: string, nextAction: string, detail?: Detail, cause?: unknown): PipelineError {
  return new PipelineError({ kind, message, side: 'storage', nextAction, ...(detail ? { detail } : {}) }, { cause });
}

export function invalidInput(message: string): PipelineError {
  return storageError('invalid_input', message, 'This is a defect in the caller; report it with the item.');
}

export function notFound(key: string, cause?: unknown): PipelineError {
  return storageError('not_found', `The stored file ${key} is missing.`, 'Retry the item from its download.', { key }, cause);
}

export function damaged(key: string, what: string, detail?: Detail): PipelineError {
  return storageError('integrity', `The stored file ${key} is damaged: ${what}.`, 'Retry the item from its download.', { key, ...detail });
}

export function emptySource(): PipelineError {
  return storageError('corrupt_media', 'The file to store is empty.', 'Check whether the source still offers the file, then retry.');
}

export function tooLarge(limitBytes: number): PipelineError {
  const megabytes = Math.floor(limitBytes / 1_000_000);
  return storageError(
    'too_large',
    `The file is larger than the ${megabytes > 0 ? `${megabytes} MB` : `${limitBytes} bytes`} that are allowed.`,
    'Nothing to do: files of this size are left out.',
    { limitBytes },
  );
}

export function diskNearlyFull(freeBytes: number, neededBytes: number): PipelineError {
  return storageError(
    'transient',
    `The disk is nearly full: ${Math.floor(freeBytes / 1_000_000)} MB are free, ${Math.ceil(neededBytes / 1_000_000)} MB must stay free.`,
    'Free disk space or make the volume larger; the item is tried again.',
    { freeBytes, neededBytes },
  );
}

/** Maps what the file system says; `ENOENT` is left to the caller, who knows whether a missing file matters. */
export function fileSystemFailure(error: unknown, doing: string): PipelineError {
  if (error instanceof PipelineError) return error;
  const code = errorCode(error) ?? 'unknown';
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return storageError('transient', 'The disk is full.', 'Free disk space; the item is tried again.', { code }, error);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return storageError(
      'not_authorised',
      `The storage folder does not allow ${doing}.`,
      'Give the service write access to its data folder.',
      { code },
      error,
    );
  }
  return storageError('transient', `The storage folder failed at ${doing} (${code}).`, 'It is tried again by itself.', { code }, error);
}

export function serverFailure(kind: FailureKind, message: string, nextAction: string, detail?: Detail, cause?: unknown): PipelineError {
  return storageError(kind, message, nextAction, detail, cause);
}

export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
