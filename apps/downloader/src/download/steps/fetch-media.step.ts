import { defineStep, done } from '@autoposter/job-engine';
import type { MediaFetcher } from '../../fetching/media-fetcher';
import { type FetchedMedia, fetchFiles } from '../../fetching/source-files';
import type { Resolved } from './resolve-source.step';

export interface Fetched extends Resolved {
  files: FetchedMedia[];
}

export const fetchMedia = defineStep<Resolved, Fetched, { fetcher: MediaFetcher }>({
  name: 'fetch-media',
  effect: 'read',
  async run(input, { fetcher }, { workFolder, signal }) {
    return done({ ...input, files: await fetchFiles(input.post, workFolder, fetcher, signal) });
  },
});
