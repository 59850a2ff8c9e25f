import { FETCH_STAGE } from '@autoposter/contracts';
import { join } from 'node:path';
import type { MediaInfo, MediaTools } from '@autoposter/media-tools';
import { defineStep, done } from '@autoposter/job-engine';
import { withResumeFrom } from '@autoposter/workflow';
import type { Matched } from './match-register.step';

interface NormalisedFile {
  kind: 'video' | 'image';
  file: string;
  info: MediaInfo;
  /** Set where a longer video was cut to the longest that the Reels profile takes. */
  trimmedFromSeconds: number | null;
}

export interface Normalised extends Matched {
  normalised: NormalisedFile[];
  coverFile: string;
}

/** Brings every file to the Reels profile and strips private metadata. Picture and sound stay what they are. */
export const normalise = defineStep<Matched, Normalised, { media: MediaTools }>({
  name: 'normalise',
  effect: 'read',
  async run(input, { media }, { workFolder, signal }) {
    const normalised: NormalisedFile[] = [];
    for (const { original, file } of input.files) {
      if (original.mediaType === 'video') {
        const out = join(workFolder, `processed-${original.position}.mp4`);
        const { trimmedFromSeconds, ...info } = await withResumeFrom(FETCH_STAGE, media.normaliseVideo(file, out, signal));
        normalised.push({ kind: 'video', file: out, info, trimmedFromSeconds: trimmedFromSeconds ?? null });
      } else {
        const out = join(workFolder, `processed-${original.position}.jpg`);
        normalised.push({
          kind: 'image',
          file: out,
          info: await withResumeFrom(FETCH_STAGE, media.normaliseImage(file, out, signal)),
          trimmedFromSeconds: null,
        });
      }
    }
    const coverFile = join(workFolder, 'cover.jpg');
    const first = normalised[0];
    if (first === undefined) throw new Error('an item without files has no cover');
    await media.poster(first.file, coverFile, signal);
    return done({ ...input, normalised, coverFile });
  },
});
