import type { ClaimedWork, ClaimScope, WorkFile } from '@autoposter/contracts';
import { join } from 'node:path';
import { type Failure, isPermanent, type PipelineError } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import type { MediaTools } from '@autoposter/media-tools';
import { type ObjectStore, saveObject } from '@autoposter/object-store';
import type { FileFingerprint } from '../../dmca/rights-register';

export interface RegisterInput {
  claim: { id: string; title: string; scope: ClaimScope };
  work: ClaimedWork;
  files: readonly WorkFile[];
}

export interface FingerprintedWork extends RegisterInput {
  /** The files that could be fingerprinted, with their media types by content. */
  files: WorkFile[];
  /** Their paths in the attempt's folder, and their fingerprints. */
  paths: string[];
  fingerprints: FileFingerprint[];
  /** The files that could not be fingerprinted. */
  unreadable: { sha256: string; failure: Failure }[];
}

/**
 * Fingerprints the readable files; the work is recognised by these. Fails if there is none. `saveObject` verifies that each file is the one that
 * was stored.
 */
export const fingerprintWork = defineStep<RegisterInput, FingerprintedWork, { media: MediaTools; objects: ObjectStore }>({
  name: 'fingerprint-work',
  effect: 'read',
  async run(input, { media, objects }, { workFolder, signal }) {
    const read: Pick<FingerprintedWork, 'files' | 'paths' | 'fingerprints'> = { files: [], paths: [], fingerprints: [] };
    const failed: { sha256: string; error: PipelineError }[] = [];
    for (const [index, file] of input.files.entries()) {
      const path = join(workFolder, `work-${index}`);
      const sha256 = await saveObject(objects, file.objectKey, path, signal);
      try {
        // the upload knew only the first bytes, which are the same for animations and pictures
        const { mediaType, fingerprint } = await media.fingerprintWork(path, signal);
        read.fingerprints.push({ ...fingerprint, sha256 });
        read.files.push({ ...file, mediaType });
        read.paths.push(path);
      } catch (error) {
        if (!isPermanent(error) || signal.aborted) throw error;
        failed.push({ sha256: file.sha256, error });
      }
    }
    if (read.files.length === 0 && failed[0] !== undefined) throw failed[0].error;
    return done({ ...input, ...read, unreadable: failed.map(({ sha256, error }) => ({ sha256, failure: error.failure })) });
  },
});
