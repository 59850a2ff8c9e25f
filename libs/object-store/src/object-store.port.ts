import type { ObjectArea } from './object-key';

export interface StoredObject {
  /** `<area>/<first two hex digits>/<sha256>.<extension>`; the address is the content, so storing twice is harmless. */
  key: string;
  bytes: number;
  /** Lower-case hex of the whole content. */
  sha256: string;
  contentType: string;
}

export interface ObjectRange {
  /** First byte, counted from 0. */
  start: number;
  /** Last byte, included; left out = to the end. An end past the object is cut to it. */
  end?: number;
}

export interface ObjectRead {
  /** Opens the object when it is first asked for bytes, so an unused answer holds nothing open. */
  stream: AsyncIterable<Uint8Array>;
  /** Bytes that the stream gives. */
  bytes: number;
  /** Bytes of the whole object. */
  total: number;
  contentType: string;
}

export interface ListedObject {
  key: string;
  bytes: number;
  modifiedAt: Date;
}

/**
 * Where media lies. Every failure is a `PipelineError` with side `storage`; an error thrown by the source of a `put` passes through as it is.
 */
export interface ObjectStore {
  /**
   * Stores a stream under its SHA-256. Memory stays bounded whatever the size; nobody ever sees a partial object.
   * `extension` and `contentType` must belong together in the closed list of media files (`invalid_input` otherwise).
   * More than `limitBytes` is `too_large`, nothing at all is `corrupt_media`, a nearly full disk is `transient`.
   */
  put(
    area: ObjectArea,
    source: AsyncIterable<Uint8Array>,
    contentType: string,
    extension: string,
    limitBytes?: number,
  ): Promise<StoredObject>;
  /**
   * Reads an object or a part of it. `not_found` when it is missing, `integrity` when its length is not the stored one; reading a whole
   * object ends with `integrity` when its hash is not the one in its key, so use nothing of it before the stream has ended.
   */
  get(key: string, range?: ObjectRange): Promise<ObjectRead>;
  /** `null` when there is no such object; `integrity` when it is truncated. */
  stat(key: string): Promise<StoredObject | null>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /** An address that reads this one object until it expires (1 second to 7 days); `null` where the store has no public address. */
  signedReadUrl(key: string, expiresSeconds: number): Promise<string | null>;
  /** All objects whose key begins with `prefix` (whole or partial key); unfinished uploads are never listed. */
  list(prefix: string): AsyncIterable<ListedObject>;
  health(): Promise<{ ok: boolean; detail: string }>;
}

/** What a store writes to; the product's logger fits. */
export interface StoreLogger {
  warn(fields: object, message: string): void;
}
