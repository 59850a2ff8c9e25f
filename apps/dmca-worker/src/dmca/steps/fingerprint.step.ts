import { FETCH_STAGE } from '@autoposter/contracts';
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

/** The only decoding before the decision. */
export const fingerprint = defineStep<ReadOriginals, Fingerprinted, { media: MediaTools }>({
  name: 'fingerprint',
  effect: 'read',
  async run(input, { media }, { signal }) {
    const analyses: MediaAnalysis[] = [];
    const fingerprints: FileFingerprint[] = [];
    for (const { file, original } of input.files) {
      const analysis = await withResumeFrom(FETCH_STAGE, media.analyse(file, original.mediaType, signal));
      analyses.push(analysis);
      fingerprints.push({ ...analysis.fingerprint, sha256: original.sha256 });
    }
    return done({ ...input, analyses, fingerprints });
  },
});
