import { PipelineError } from '@autoposter/domain';
import { fileSystemFailure, isMissing, minioFailure, tooLarge, withDeadline } from './storage-failures';

const coded = (code: string) => Object.assign(new Error('http://minio:9000/bucket?X-Amz-Signature=secret'), { code });

describe('minioFailure', () => {
  it.each([
    ['AccessDenied', 'storage_refused', 'not_authorised'],
    ['SignatureDoesNotMatch', 'storage_refused', 'not_authorised'],
    ['NoSuchBucket', 'storage_misconfigured', 'not_configured'],
    ['XMinioStorageFull', 'storage_full', 'unavailable'],
    ['ECONNREFUSED', 'storage_unavailable', 'unavailable'],
    ['SlowDown', 'storage_unavailable', 'unavailable'],
    ['InternalError', 'storage_failed', 'transient'],
  ])('maps %s to %s', (code, expected, kind) => {
    const { failure } = minioFailure(coded(code), 'an upload');
    expect(failure).toMatchObject({ code: expected, kind, side: 'storage', detail: { code } });
    expect(JSON.stringify(failure)).not.toContain('Signature=');
  });

  it('passes a failure through and names an error without a code by its class', () => {
    const failure = tooLarge(1);
    expect(minioFailure(failure, 'an upload')).toBe(failure);
    expect(minioFailure(new RangeError('x'), 'an upload').failure.detail).toEqual({ code: 'RangeError' });
    expect(minioFailure(coded(''), 'an upload').failure.message).toBe('The object storage failed at an upload (Error).');
  });
});

describe('isMissing', () => {
  it('accepts the codes of a missing object only', () => {
    expect(['NoSuchKey', 'NotFound', 'NoSuchObject', 'NoSuchBucket'].map((code) => isMissing(coded(code)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(isMissing(null)).toBe(false);
  });
});

describe('fileSystemFailure', () => {
  it.each([
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EACCES', 'folder_forbidden'],
    ['EROFS', 'folder_forbidden'],
    ['EIO', 'folder_failed'],
  ])('maps %s to %s', (code, expected) => {
    expect(fileSystemFailure(coded(code), 'writing a file').failure).toMatchObject({ code: expected, side: 'storage', detail: { code } });
  });
});

describe('withDeadline', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('returns the result or the error of work that ends in time', async () => {
    await expect(withDeadline(Promise.resolve(1), 1000, 'reading')).resolves.toBe(1);
    await expect(withDeadline(Promise.reject(new Error('broken')), 1000, 'reading')).rejects.toThrow('broken');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects after the deadline', async () => {
    const late = withDeadline(new Promise(() => undefined), 5000, 'reading').catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(5000);
    expect(await late).toBeInstanceOf(PipelineError);
    expect(((await late) as PipelineError).failure).toMatchObject({ code: 'storage_timed_out', kind: 'unavailable' });
  });
});
