import { defineStep, done } from '@autoposter/job-engine';
import type { MediaTools } from '@autoposter/media-tools';
import { probeFiles, type ProbedMedia } from '../../fetching/source-files';
import type { Fetched } from './fetch-media.step';

export interface Probed extends Omit<Fetched, 'files'> {
  files: ProbedMedia[];
}

export const probeMedia = defineStep<Fetched, Probed, { media: MediaTools }>({
  name: 'probe-media',
  effect: 'read',
  async run({ post, topComments, files }, { media }, { signal }) {
    return done({ post, topComments, files: await probeFiles(post, files, media, signal) });
  },
});
