import { createReadStream } from 'node:fs';
import type { SourceComment, SourcePost } from '@autoposter/domain';
import type { MediaInfo } from '@autoposter/media-tools';
import type { ObjectStore, StoredObject } from '@autoposter/object-store';
import type { StorageType } from '@autoposter/persistence';
import { defineStep, done } from '@autoposter/job-engine';
import type { Probed } from './probe-media.step';

export interface StoreTools {
  objects: ObjectStore;
  /** What the wire calls the place where files lie. */
  storageType: StorageType;
}

export interface StoredMedia {
  stored: StoredObject;
  info: MediaInfo;
}

export interface Downloaded {
  post: SourcePost;
  topComments: SourceComment[];
  files: StoredMedia[];
  storageType: StorageType;
}

/** Keys are containers as detected from the bytes. */
const FORMAT: Record<string, { contentType: string; extension: string }> = {
  mp4: { contentType: 'video/mp4', extension: 'mp4' },
  mov: { contentType: 'video/quicktime', extension: 'mov' },
  matroska: { contentType: 'video/x-matroska', extension: 'mkv' },
  webm: { contentType: 'video/webm', extension: 'webm' },
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  webp: { contentType: 'image/webp', extension: 'webp' },
  avif: { contentType: 'image/avif', extension: 'avif' },
  gif: { contentType: 'image/gif', extension: 'gif' },
  apng: { contentType: 'image/png', extension: 'png' },
  heic: { contentType: 'image/heic', extension: 'heic' },
};

/** Content-addressed, so that a second run stores the same object under the same name. */
export const storeOriginal = defineStep<Probed, Downloaded, StoreTools>({
  name: 'store-original',
  effect: 'idempotent',
  async run({ post, topComments, files }, { objects, storageType }) {
    const stored: StoredMedia[] = [];
    for (const { file, info } of files) {
      const format = FORMAT[info.container];
      if (format === undefined) throw new Error(`media of container ${info.container} has no place in the store`);
      stored.push({ stored: await objects.put('originals', createReadStream(file), format.contentType, format.extension), info });
    }
    return done({ post, topComments, files: stored, storageType });
  },
});
