import type { SourceComment, SourcePost } from '@autoposter/domain';
import type { MediaInfo } from '@autoposter/media-tools';
import type { ObjectStore, StoredObject } from '@autoposter/object-store';
import type { StorageType } from '@autoposter/persistence';
import { defineStep, done } from '@autoposter/job-engine';
import { storeFile } from '../../fetching/source-files';
import type { Probed } from './probe-media.step';

export interface StoreTools {
  objects: ObjectStore;
  /** The kind of object store, as API responses name it. */
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

export const storeOriginal = defineStep<Probed, Downloaded, StoreTools>({
  name: 'store-original',
  effect: 'idempotent',
  async run({ post, topComments, files }, { objects, storageType }, { noteStored }) {
    const stored: StoredMedia[] = [];
    for (const { file, info } of files) {
      const object = await storeFile(objects, file, info);
      noteStored(object.key);
      stored.push({ stored: object, info });
    }
    return done({ post, topComments, files: stored, storageType });
  },
});
