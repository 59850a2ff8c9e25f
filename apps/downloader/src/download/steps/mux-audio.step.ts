import type { MediaTools } from '@autoposter/media-tools';
import { defineStep, done } from '@autoposter/job-engine';
import type { Probed } from './probe-media.step';

/** Joins picture and sound that came as two files, without re-encoding either. */
export const muxAudio = defineStep<Probed, Probed, { media: MediaTools }>({
  name: 'mux-audio',
  effect: 'read',
  async run(input, { media }, { signal }) {
    const files: Probed['files'] = [];
    for (const entry of input.files) {
      if (entry.audioFile === null || entry.kind === 'image') {
        files.push(entry);
        continue;
      }
      const joined = `${entry.file}-with-sound.mp4`;
      await media.muxVideoAndAudio(entry.file, entry.audioFile, joined, signal);
      files.push({ kind: 'video', file: joined, audioFile: null, info: await media.probe(joined, signal) });
    }
    return done({ ...input, files });
  },
});
