import { FETCH_STAGE } from '@autoposter/contracts';
import { mapFiles } from '@autoposter/domain';
import type { MediaAnalysis, MediaTools } from '@autoposter/media-tools';
import { defineStep, done } from '@autoposter/job-engine';
import { withResumeFrom } from '@autoposter/workflow';
import type { FileFingerprint } from '../rights-register';
import type { ReadOriginals } from './read-original.step';

export interface Fingerprinted extends ReadOriginals {
  /** One per file, in the order of the files. */
  fingerprints: FileFingerprint[];
  analyses: MediaAnalysis[];
}

/** Decodes each file once; the later steps use the results. */
export const fingerprint = defineStep<ReadOriginals, Fingerprinted, { media: MediaTools }>({
  name: 'fingerprint',
  effect: 'read',
  async run(input, { media }, { signal }) {
    const analyses = await mapFiles(input.files, ({ file, original }) =>
      withResumeFrom(FETCH_STAGE, media.analyse(file, original.mediaType, signal)),
    );
    const fingerprints = input.files.map(({ original }, index) => ({
      ...(analyses[index] as MediaAnalysis).fingerprint,
      sha256: original.sha256,
    }));
    return done({ ...input, analyses, fingerprints });
  },
});
