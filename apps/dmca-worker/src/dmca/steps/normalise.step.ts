import { FETCH_STAGE } from '@autoposter/contracts';
import { join } from 'node:path';
import { mapFiles } from '@autoposter/domain';
import {
  carouselRatio,
  type MediaAnalysis,
  type MediaInfo,
  type MediaTools,
  type NormalisedVideo,
  type PictureChanges,
  type VideoChanges,
} from '@autoposter/media-tools';
import { defineStep, done } from '@autoposter/job-engine';
import { withResumeFrom } from '@autoposter/workflow';
import type { WithFrames } from './keep-frames.step';

export interface NormalisedFile {
  kind: 'video' | 'image';
  file: string;
  info: MediaInfo;
  /** Set for videos. */
  probed?: NormalisedVideo['probed'];
  /** Length of a video that was cut to the maximum of the Reels profile; otherwise `null`. */
  trimmedFromSeconds: number | null;
  changes: VideoChanges | PictureChanges;
  /** Position of the best cover; `null` for pictures. */
  coverSeconds: number | null;
}

export interface Normalised extends WithFrames {
  normalised: NormalisedFile[];
  coverFile: string;
}

/**
 * Converts every file to Instagram's profile and strips private metadata. All files of a carousel get the ratio of the first one, because Instagram
 * would crop them to it.
 */
export const normalise = defineStep<WithFrames, Normalised, { media: MediaTools }>({
  name: 'normalise',
  effect: 'read',
  async run(input, { media }, { workFolder, signal }) {
    const [first] = input.analyses;
    if (first === undefined) throw new Error('an item without files has no cover');
    const shared = { layout: input.layout, ...(input.files.length > 1 ? { ratio: carouselRatio(first) } : {}) };
    const normalised = await mapFiles(input.files, async ({ original, file }, index): Promise<NormalisedFile> => {
      const isVideo = original.mediaType === 'video';
      const out = join(workFolder, `processed-${original.position}.${isVideo ? 'mp4' : 'jpg'}`);
      const options = { ...shared, analysis: input.analyses[index] as MediaAnalysis };
      if (!isVideo) {
        const { changes, ...info } = await withResumeFrom(FETCH_STAGE, media.normaliseImage(file, out, signal, options));
        return { kind: 'image', file: out, info, trimmedFromSeconds: null, changes, coverSeconds: null };
      }
      const { trimmedFromSeconds, changes, probed, ...info } = await withResumeFrom(
        FETCH_STAGE,
        media.normaliseVideo(file, out, signal, options),
      );
      const coverSeconds = input.fingerprints[index]?.coverSeconds ?? 0;
      return { kind: 'video', file: out, info, probed, trimmedFromSeconds, changes, coverSeconds };
    });
    const coverFile = join(workFolder, 'cover.jpg');
    const cover = normalised[0] as NormalisedFile;
    await media.poster(cover.file, coverFile, cover.coverSeconds ?? 0, signal, cover.probed);
    return done({ ...input, normalised, coverFile });
  },
});
