import { createReadStream } from 'node:fs';
import type { RightsMatch, RightsDecision } from '@autoposter/domain';
import type { Fingerprint, MediaInfo } from '@autoposter/media-tools';
import type { ObjectStore, StoredObject } from '@autoposter/object-store';
import type { StorageType } from '@autoposter/persistence';
import { defineStep, done } from '@autoposter/job-engine';
import type { Normalised } from './normalise.step';

export interface StoreTools {
  objects: ObjectStore;
  /** What the wire calls the place where files lie. */
  storageType: StorageType;
}

export interface Protected {
  verdict: RightsDecision;
  matches: RightsMatch[];
  fingerprints: Fingerprint[];
  seen: number;
  leftOut: number;
  files: { kind: 'video' | 'image'; position: number; stored: StoredObject; info: MediaInfo; trimmedFromSeconds: number | null }[];
  cover: StoredObject;
  storageType: StorageType;
}

export const storeProcessed = defineStep<Normalised, Protected, StoreTools>({
  name: 'store-processed',
  effect: 'idempotent',
  async run({ normalised, coverFile, verdict, matches, fingerprints, seen, leftOut }, { objects, storageType }) {
    const files: Protected['files'] = [];
    for (const [position, { kind, file, info, trimmedFromSeconds }] of normalised.entries()) {
      const [contentType, extension] = kind === 'video' ? ['video/mp4', 'mp4'] : ['image/jpeg', 'jpg'];
      const stored = await objects.put('processed', createReadStream(file), contentType, extension);
      files.push({ kind, position, stored, info, trimmedFromSeconds });
    }
    const cover = await objects.put('covers', createReadStream(coverFile), 'image/jpeg', 'jpg');
    return done({ verdict, matches, fingerprints, seen, leftOut, files, cover, storageType });
  },
});
