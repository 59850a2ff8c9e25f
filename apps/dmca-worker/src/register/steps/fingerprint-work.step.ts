import type { ClaimedWork, ClaimScope } from '@autoposter/contracts';
import { join } from 'node:path';
import { defineStep, done } from '@autoposter/job-engine';
import type { MediaTools } from '@autoposter/media-tools';
import { type ObjectStore, saveObject } from '@autoposter/object-store';
import type { FileFingerprint } from '../../dmca/rights-register';

export interface RegisterInput {
  claim: { id: string; title: string; scope: ClaimScope };
  work: ClaimedWork;
  objectKey: string;
  mediaType: 'video' | 'image';
}

export interface FingerprintedWork extends RegisterInput {
  /** Path of the work in the attempt's folder. */
  file: string;
  fingerprint: FileFingerprint;
}

/** The store proves at the end of the stream that the file is the one that was uploaded. */
export const fingerprintWork = defineStep<RegisterInput, FingerprintedWork, { media: MediaTools; objects: ObjectStore }>({
  name: 'fingerprint-work',
  effect: 'read',
  async run(input, { media, objects }, { workFolder, signal }) {
    const { objectKey, mediaType } = input;
    const file = join(workFolder, 'work');
    const sha256 = await saveObject(objects, objectKey, file, signal);
    return done({ ...input, file, fingerprint: { ...(await media.fingerprint(file, mediaType, signal)), sha256 } });
  },
});
