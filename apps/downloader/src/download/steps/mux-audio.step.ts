import { defineStep, done } from '@autoposter/job-engine';
import type { MediaTools } from '@autoposter/media-tools';
import { joinSounds } from '../../fetching/source-files';
import type { Probed } from './probe-media.step';

export const muxAudio = defineStep<Probed, Probed, { media: MediaTools }>({
  name: 'mux-audio',
  effect: 'read',
  async run(input, { media }, { signal }) {
    return done({ ...input, files: await joinSounds(input.files, media, signal) });
  },
});
