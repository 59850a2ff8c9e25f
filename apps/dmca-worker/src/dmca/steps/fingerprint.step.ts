import { FETCH_STAGE } from '@autoposter/contracts';
import type { Fingerprint, MediaAnalysis, MediaTools } from '@autoposter/media-tools';
import { failureOf } from '@autoposter/domain';
import { defineStep, done, fail } from '@autoposter/job-engine';
import { withResumeFrom } from '@autoposter/workflow';
import type { ReadOriginals } from './read-original.step';

export interface Fingerprinted extends ReadOriginals {
  /** One per file, in the order of the files. */
  fingerprints: Fingerprint[];
  analyses: MediaAnalysis[];
}

/** The only decoding before the decision; its hash proves that each file is the one that was downloaded. */
export const fingerprint = defineStep<ReadOriginals, Fingerprinted, { media: MediaTools }>({
  name: 'fingerprint',
  effect: 'read',
  async run(input, { media }, { signal }) {
    const analyses: MediaAnalysis[] = [];
    for (const { file, original } of input.files) {
      const analysis = await withResumeFrom(FETCH_STAGE, media.analyse(file, original.mediaType, signal));
      if (analysis.fingerprint.sha256 !== original.sha256)
        return fail(failureOf('stored_file_changed', { fields: { number: original.position + 1 }, resumeFrom: FETCH_STAGE }));
      analyses.push(analysis);
    }
    return done({ ...input, analyses, fingerprints: analyses.map(({ fingerprint }) => fingerprint) });
  },
});
