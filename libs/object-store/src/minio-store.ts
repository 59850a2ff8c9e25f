import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Client } from 'minio';
import { checkedStream, readFileStream, receiveFile, resolveRange, sweepUnfinished } from './file-streams';
import {
  assertExpiry,
  assertPrefix,
  assertStorable,
  contentKey,
  isObjectKey,
  parseKey,
  type ListedObject,
  type ObjectArea,
  type ObjectRange,
  type ObjectRead,
  type ObjectStore,
  type StoredObject,
  type StoreLogger,
} from './object-store.port';
import { damaged, errorCode, isMissing, minioFailure, notFound, withDeadline } from './storage-failures';
import http from 'node:http';
import https from 'node:https';

export interface MinioStoreOptions {
  /** Origin of the S3 server, `http://minio:9000`. */
  endpoint: string;
  accessKey: string;
  secretKey: string;
  /** Created if missing. */
  bucket: string;
  /** Default `us-east-1`, which is also MinIO's default. */
  region?: string;
  /** Folder for files that are being received; needs space for one file of the maximum size per concurrent `put`. */
  scratchFolder: string;
  /** Public origin of the same server for signed links; without it there are none. */
  publicUrl?: string | null;
  /** With less free space in the scratch folder new files are refused; default 500 MB. */
  minimumFreeBytes?: number;
  /** Maximum time without an answer; default 20 s. */
  timeoutMs?: number;
  logger?: StoreLogger;
}

/** Size of an upload part in memory; S3 requires at least 5 MB and at most 10,000 parts. */
const PART_BYTES = 8 * 1024 * 1024;
/** An upload times out below this rate, in bytes per millisecond (256 KB/s). */
const MIN_UPLOAD_RATE = 256;
const DEFAULT_TIMEOUT_MS = 20_000;
const LENGTH_FIELD = 'stored-bytes';

/**
 * Objects in an S3 bucket through the MinIO client. A file is received and hashed in the scratch folder, then uploaded under its content
 * address in one request (or one multipart upload), which S3 makes visible only when it is complete.
 */
export class MinioStore implements ObjectStore {
  private readonly client: Client;
  private readonly publicClient: Client | null;
  private readonly timeoutMs: number;
  private ready: Promise<void> | null = null;

  constructor(private readonly options: MinioStoreOptions) {
    this.client = connect(options, options.endpoint);
    this.publicClient = options.publicUrl ? connect(options, options.publicUrl) : null;
    this.timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  async put(
    area: ObjectArea,
    source: AsyncIterable<Uint8Array>,
    contentType: string,
    extension: string,
    limitBytes?: number,
  ): Promise<StoredObject> {
    const type = assertStorable(area, contentType, extension);
    await this.prepare();
    const minimumFreeBytes = this.options.minimumFreeBytes ?? 500_000_000;
    const received = await receiveFile(source, this.options.scratchFolder, { limitBytes, minimumFreeBytes });
    try {
      const key = contentKey(area, received.sha256, extension);
      const object = { key, bytes: received.bytes, sha256: received.sha256, contentType: type };
      if (!(await this.isComplete(object))) await this.upload(object, received.path);
      return object;
    } finally {
      await rm(received.path, { force: true }).catch(() => undefined);
    }
  }

  async get(key: string, range?: ObjectRange): Promise<ObjectRead> {
    const object = await this.stat(key);
    if (!object) throw notFound(key);
    const { start, bytes, whole } = resolveRange(range, object.bytes);
    const stream = checkedStream(key, this.read(key, start, bytes), bytes, whole ? object.sha256 : null);
    return { stream, bytes, total: object.bytes, sha256: object.sha256, contentType: object.contentType };
  }

  async stat(key: string): Promise<StoredObject | null> {
    const { sha256, contentType } = parseKey(key);
    await this.prepare();
    try {
      const found = await withDeadline(this.client.statObject(this.options.bucket, key), this.timeoutMs, 'reading file metadata');
      const recorded = Number((found.metaData as Record<string, unknown>)[LENGTH_FIELD] ?? found.size);
      if (found.size !== recorded) throw damaged(key, 'its length is not the stored one', { expected: recorded, got: found.size });
      return { key, bytes: found.size, sha256, contentType };
    } catch (error) {
      if (isMissing(error)) return null;
      throw minioFailure(error, 'reading file metadata');
    }
  }

  async delete(key: string): Promise<void> {
    parseKey(key);
    await this.prepare();
    try {
      await withDeadline(this.client.removeObject(this.options.bucket, key), this.timeoutMs, 'deleting a file');
    } catch (error) {
      if (!isMissing(error)) throw minioFailure(error, 'deleting a file');
    }
  }

  async signedReadUrl(key: string, expiresSeconds: number): Promise<string | null> {
    const { contentType } = parseKey(key);
    assertExpiry(expiresSeconds);
    if (!this.publicClient) return null;
    try {
      return await this.publicClient.presignedGetObject(this.options.bucket, key, expiresSeconds, { 'response-content-type': contentType });
    } catch (error) {
      throw minioFailure(error, 'signing a link');
    }
  }

  async *list(prefix: string): AsyncGenerator<ListedObject, void, undefined> {
    assertPrefix(prefix);
    await this.prepare();
    const listing = this.client.listObjectsV2(this.options.bucket, prefix, true) as unknown as Readable;
    try {
      for await (const entry of listing as AsyncIterable<{ name?: string; size?: number; lastModified?: Date }>) {
        if (!entry.name || !isObjectKey(entry.name)) continue;
        yield { key: entry.name, bytes: entry.size ?? 0, modifiedAt: entry.lastModified ?? new Date(0) };
      }
    } catch (error) {
      this.forgetLostBucket(error);
      throw minioFailure(error, 'listing files');
    } finally {
      listing.destroy();
    }
  }

  async health(): Promise<{ ok: boolean; detail: string }> {
    try {
      const exists = await withDeadline(this.client.bucketExists(this.options.bucket), Math.min(this.timeoutMs, 5_000), 'a health check');
      return { ok: true, detail: `bucket ${this.options.bucket} ${exists ? 'answers' : 'will be created at first use'}` };
    } catch (error) {
      return { ok: false, detail: minioFailure(error, 'a health check').failure.message };
    }
  }

  /** Creates the bucket if it is missing, once until it is lost and safely with concurrent processes; all other calls do it automatically. */
  prepare(): Promise<void> {
    this.ready ??= this.ensureBucket().catch((error: unknown) => {
      this.ready = null;
      throw minioFailure(error, 'preparing the bucket');
    });
    return this.ready;
  }

  /** Removes unfinished files and uploads of killed processes and returns their number; runs once at first use. */
  async sweepLeftovers(olderThanSeconds = 24 * 3600): Promise<number> {
    let removed = await sweepUnfinished(this.options.scratchFolder, olderThanSeconds);
    const before = Date.now() - olderThanSeconds * 1000;
    const uploads = this.client.listIncompleteUploads(this.options.bucket, '', true) as unknown as Readable;
    try {
      for await (const upload of uploads as AsyncIterable<{ key: string; initiated?: Date | string }>) {
        const startedAt = new Date(upload.initiated ?? 0).getTime();
        if (!isObjectKey(upload.key) || startedAt > before) continue;
        await this.client.removeIncompleteUpload(this.options.bucket, upload.key);
        removed += 1;
      }
    } finally {
      uploads.destroy();
    }
    return removed;
  }

  private async ensureBucket(): Promise<void> {
    const { bucket, region } = this.options;
    if (!(await withDeadline(this.client.bucketExists(bucket), this.timeoutMs, 'checking the bucket'))) {
      try {
        await withDeadline(this.client.makeBucket(bucket, region ?? 'us-east-1'), this.timeoutMs, 'creating the bucket');
      } catch (error) {
        if (!['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(errorCode(error) ?? '')) throw error;
      }
    }
    void this.sweepLeftovers().catch((error: unknown) => {
      this.options.logger?.warn({ err: error }, 'removing unfinished uploads failed');
    });
  }

  private async isComplete(object: StoredObject): Promise<boolean> {
    const found = await this.stat(object.key).catch(() => null);
    return found?.bytes === object.bytes;
  }

  private async upload(object: StoredObject, path: string): Promise<void> {
    try {
      await this.send(object, path).catch(async (error: unknown) => {
        if (!this.forgetLostBucket(error)) throw error;
        await this.prepare();
        await this.send(object, path);
      });
    } catch (error) {
      // a concurrent upload of the same content may have completed
      if (!(await this.isComplete(object))) throw minioFailure(error, 'an upload');
    }
  }

  private async send(object: StoredObject, path: string): Promise<void> {
    const file = readFileStream(path);
    const headers = { 'Content-Type': object.contentType, [LENGTH_FIELD]: String(object.bytes) };
    const unreadable = new Promise<never>((_resolve, reject) => file.once('error', reject));
    unreadable.catch(() => undefined);
    try {
      const sending = this.client.putObject(this.options.bucket, object.key, file, object.bytes, headers);
      const allowedMs = this.timeoutMs + object.bytes / MIN_UPLOAD_RATE;
      await withDeadline(Promise.race([sending, unreadable]), allowedMs, 'an upload');
    } finally {
      file.destroy();
    }
  }

  /** Whether the error says that there is no bucket, as after a restart with an empty disk: then the next `prepare` creates it again. */
  private forgetLostBucket(error: unknown): boolean {
    const isLost = errorCode(error) === 'NoSuchBucket';
    if (isLost) this.ready = null;
    return isLost;
  }

  private async *read(key: string, start: number, bytes: number): AsyncGenerator<Uint8Array, void, undefined> {
    let body: Readable | null = null;
    try {
      const opening = this.client.getPartialObject(this.options.bucket, key, start, bytes);
      body = await withDeadline(opening, this.timeoutMs, 'reading a file');
      const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
      for (;;) {
        const next = await withDeadline(chunks.next(), this.timeoutMs, 'reading a file');
        if (next.done) return;
        yield next.value;
      }
    } catch (error) {
      if (isMissing(error)) throw notFound(key, error);
      // a connection that breaks within the body does not mean a damaged object
      throw minioFailure(error, 'reading a file');
    } finally {
      body?.destroy();
    }
  }
}

function connect(options: MinioStoreOptions, origin: string): Client {
  const url = new URL(origin);
  const secure = url.protocol === 'https:';
  return new Client({
    endPoint: url.hostname,
    port: url.port ? Number(url.port) : secure ? 443 : 80,
    useSSL: secure,
    accessKey: options.accessKey,
    secretKey: options.secretKey,
    region: options.region ?? 'us-east-1',
    pathStyle: true,
    partSize: PART_BYTES,
    transport: withIdleTimeout(secure ? https : http, options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    retryOptions: { maximumRetryCount: 2, baseDelayMs: 200, maximumDelayMs: 2_000 },
  });
}

/**
 * Closes a connection that is idle before the response starts. After that, a pause may be the reader's (a paused video), so only reads
 * have a timeout.
 */
function withIdleTimeout(transport: typeof http | typeof https, timeoutMs: number): Pick<typeof http, 'request'> {
  const request = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void): http.ClientRequest => {
    const sent = transport.request(options, (response) => {
      sent.setTimeout(0);
      onResponse(response);
    });
    sent.setTimeout(timeoutMs, () => sent.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
    return sent;
  };
  return { request } as Pick<typeof http, 'request'>;
}
