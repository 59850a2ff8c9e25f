import { PipelineError } from '@autoposter/domain';
import { errorCode, serverFailure } from './storage-failures';

/** Codes of the S3 error list (docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html) that a person has to settle. */
const REFUSED = new Set(['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'AllAccessDisabled']);
const MISCONFIGURED = new Set(['NoSuchBucket', 'InvalidBucketName', 'AuthorizationHeaderMalformed', 'PermanentRedirect']);
const FULL = new Set(['XMinioStorageFull', 'QuotaExceeded', 'XMinioAdminBucketQuotaExceeded']);
const MISSING = new Set(['NoSuchKey', 'NotFound', 'NoSuchObject']);

export function isMissing(error: unknown): boolean {
  return MISSING.has(errorCode(error) ?? '');
}

/** Maps what the S3 server or the way to it says. Never carries an address with a signature or a key. */
export function minioFailure(error: unknown, doing: string): PipelineError {
  if (error instanceof PipelineError) return error;
  const code = errorCode(error) ?? (error instanceof Error ? error.name : 'unknown');
  const detail = { code };
  if (REFUSED.has(code)) {
    const next = 'Check MINIO_ACCESS_KEY and MINIO_SECRET_KEY and what they may do in the bucket.';
    return serverFailure('not_authorised', `The object storage refused ${doing} (${code}).`, next, detail, error);
  }
  if (MISCONFIGURED.has(code)) {
    const next = 'Check MINIO_ENDPOINT and MINIO_BUCKET.';
    return serverFailure('not_configured', `The object storage cannot be used for ${doing} (${code}).`, next, detail, error);
  }
  if (FULL.has(code)) {
    const next = 'Make the storage larger or free space in it; the item is tried again.';
    return serverFailure('transient', 'The object storage is full.', next, detail, error);
  }
  return serverFailure('transient', `The object storage failed at ${doing} (${code}).`, 'It is tried again by itself.', detail, error);
}

/**
 * Rejects when `work` has not ended in time: the client library waits for ever on a server that accepts a connection and stays silent.
 * The work itself cannot be taken back; its late answer is dropped.
 */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number, doing: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const seconds = Math.round(milliseconds / 1000);
      reject(serverFailure('transient', `The object storage did not answer ${doing} within ${seconds} s.`, 'It is tried again by itself.'));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
