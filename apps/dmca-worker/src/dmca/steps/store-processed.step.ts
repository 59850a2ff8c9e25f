import { type ObjectStore, readFileStream, type StoredObject } from '@autoposter/object-store';
import type { StorageType } from '@autoposter/persistence';
import { defineStep, done } from '@autoposter/job-engine';
import type { RightsRegister } from '../rights-register';
import type { Normalised, NormalisedFile } from './normalise.step';

export interface StoreTools {
  objects: ObjectStore;
  /** Recorded with each file. */
  storageType: StorageType;
}

export interface Protected extends Pick<Normalised, 'verdict' | 'matches' | 'frames' | 'fingerprints' | 'seen' | 'leftOut' | 'layout'> {
  /** The item's own number in the register. */
  entry: number;
  files: (Pick<NormalisedFile, 'kind' | 'info' | 'trimmedFromSeconds' | 'changes' | 'coverSeconds'> & {
    position: number;
    stored: StoredObject;
  })[];
  cover: StoredObject;
  storageType: StorageType;
}

export const storeProcessed = defineStep<Normalised, Protected, StoreTools & { register: RightsRegister }>({
  name: 'store-processed',
  effect: 'idempotent',
  async run(
    { item, normalised, coverFile, verdict, matches, frames, fingerprints, seen, leftOut, layout },
    { objects, storageType, register },
    job,
  ) {
    const files: Protected['files'] = [];
    for (const [position, { file, ...about }] of normalised.entries()) {
      const [contentType, extension] = about.kind === 'video' ? ['video/mp4', 'mp4'] : ['image/jpeg', 'jpg'];
      const stored = await objects.put('processed', readFileStream(file), contentType, extension);
      job.noteStored(stored.key);
      files.push({ ...about, position, stored });
    }
    const cover = await objects.put('covers', readFileStream(coverFile), 'image/jpeg', 'jpg');
    job.noteStored(cover.key);
    // last, so that an earlier failure leaves no entry that blocks other posts
    const entry = await register.enter(item.id, fingerprints, { id: job.jobId, fence: job.fence });
    return done({ verdict, matches, frames, fingerprints, seen, entry, leftOut, layout, files, cover, storageType });
  },
});
