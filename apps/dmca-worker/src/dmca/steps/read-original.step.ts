import { FETCH_STAGE, type MediaLayout } from '@autoposter/contracts';
import { join } from 'node:path';
import { failureOf } from '@autoposter/domain';
import { PLATFORM } from '@autoposter/media-tools';
import { type ObjectStore, saveObject } from '@autoposter/object-store';
import type { ContentItem, MediaFile } from '@autoposter/persistence';
import { defineStep, done, fail } from '@autoposter/job-engine';
import { withResumeFrom } from '@autoposter/workflow';

export interface DmcaInput {
  item: ContentItem;
  originals: MediaFile[];
  /** Set by the subreddit. */
  layout: MediaLayout;
}

interface LocalOriginal {
  original: MediaFile;
  file: string;
}

export interface ReadOriginals extends DmcaInput {
  files: LocalOriginal[];
  /** Number of files of a long gallery beyond the maximum of one post. */
  leftOut: number;
}

/**
 * Copies the stored files, up to the maximum of one post, to the folder of this attempt. The SHA-256 proves that each is the one that was
 * downloaded.
 */
export const readOriginal = defineStep<DmcaInput, ReadOriginals, { objects: ObjectStore }>({
  name: 'read-original',
  effect: 'read',
  async run(input, { objects }, { workFolder, signal }) {
    const files: LocalOriginal[] = [];
    for (const original of input.originals.slice(0, PLATFORM.maxFiles)) {
      const file = join(workFolder, `original-${original.position}`);
      const sha256 = await withResumeFrom(FETCH_STAGE, saveObject(objects, original.objectKey, file, signal));
      if (sha256 !== original.sha256)
        return fail(failureOf('stored_file_changed', { fields: { number: original.position + 1 }, resumeFrom: FETCH_STAGE }));
      files.push({ original, file });
    }
    return done({ ...input, files, leftOut: input.originals.length - files.length });
  },
});
