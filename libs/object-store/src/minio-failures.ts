import { failureOf, PipelineError, type Failure } from '@autoposter/domain';
import { errorCode } from './storage-failures';

/** Codes of the S3 error list (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html) that need a person. */
const REFUSED = new Set(['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'AllAccessDisabled']);
const MISCONFIGURED = new Set(['NoSuchBucket', 'InvalidBucketName', 'AuthorizationHeaderMalformed', 'PermanentRedirect']);
const FULL = new Set(['XMinioStorageFull', 'QuotaExceeded', 'XMinioAdminBucketQuotaExceeded']);
const MISSING = new Set(['NoSuchKey', 'NotFound', 'NoSuchObject']);

export function isMissing(error: unknown): boolean {
  return MISSING.has(errorCode(error) ?? '');
}

/** The failure of an error of the S3 server or of the connection to it. Never contains a signed address or a key. */
export function minioFailure(error: unknown, operation: string): PipelineError {
  if (error instanceof PipelineError) return error;
  const code = errorCode(error) ?? (error instanceof Error ? error.name : 'unknown');
  return new PipelineError(failureOfCode(code, operation), { cause: error });
}

function failureOfCode(code: string, operation: string): Failure {
  const parts = { fields: { operation, code }, detail: { code } };
  if (REFUSED.has(code)) return failureOf('storage_refused', parts);
  if (MISCONFIGURED.has(code)) return failureOf('storage_misconfigured', parts);
  if (FULL.has(code)) return failureOf('storage_full', { detail: { code } });
  return failureOf('storage_failed', parts);
}

/**
 * Rejects when `work` has not ended in time: the client library waits without limit on a server that accepts a connection and does not answer.
 * The work itself cannot be cancelled; its late answer is dropped.
 */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, doing: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const seconds = Math.round(milliseconds / 1000);
      reject(PipelineError.of('storage_timed_out', { fields: { operation: doing, seconds } }));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
