import { FETCH_STAGE } from '@autoposter/contracts';
import type { Fingerprint, MediaAnalysis, MediaTools } from '@autoposter/media-tools';
import { defineStep, done } from '@autoposter/job-engine';
import { withResumeFrom } from '@autoposter/workflow';
import type { ReadOriginals } from './read-original.step';

export interface Fingerprinted extends ReadOriginals {
  /** One per file, in the order of the files. */
  fingerprints: Fingerprint[];
  analyses: MediaAnalysis[];
}

/** The only decoding before the decision. */
export const fingerprint = defineStep<ReadOriginals, Fingerprinted, { media: MediaTools }>({
  name: 'fingerprint',
  effect: 'read',
  async run(input, { media }, { signal }) {
    const analyses: MediaAnalysis[] = [];
    for (const { file, original } of input.files)
      analyses.push(await withResumeFrom(FETCH_STAGE, media.analyse(file, original.mediaType, signal)));
    return done({ ...input, analyses, fingerprints: analyses.map(({ fingerprint }) => fingerprint) });
  },
});
