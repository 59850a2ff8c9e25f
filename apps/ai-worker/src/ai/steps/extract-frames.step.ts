import { RIGHTS_STAGE } from '@autoposter/contracts';
import { join } from 'node:path';
import { cutText, type CaptionOptions, type CaptionSource } from '@autoposter/domain';
import type { MediaTools } from '@autoposter/media-tools';
import { type ObjectStore, saveObject } from '@autoposter/object-store';
import type { ContentItem, MediaFile } from '@autoposter/persistence';
import { defineStep, done } from '@autoposter/job-engine';
import { withResumeFrom } from '@autoposter/workflow';

export interface AiInput {
  item: ContentItem;
  processed: MediaFile[];
  options: CaptionOptions;
  /** A person asked for this item, not for all of them. */
  byPerson: boolean;
  /** The item has a caption, which a failure keeps. */
  isRegeneration: boolean;
  /** Replaces the caption even if an administrator edited it. */
  replaceEdited: boolean;
}

export interface Framed {
  source: CaptionSource;
  options: CaptionOptions;
  byPerson: boolean;
  /** JPEG files in this run's folder, at most `FRAMES`. */
  frames: string[];
}

const FRAMES = 4;
/** Longer side of a frame, in pixels: large enough to recognise the scene, small enough to send. */
const MAX_PIXELS = 768;

export const extractFrames = defineStep<AiInput, Framed, { media: MediaTools; objects: ObjectStore }>({
  name: 'extract-frames',
  effect: 'read',
  async run({ item, processed, options, byPerson }, { media, objects }, { workFolder, signal }) {
    const frames: string[] = [];
    for (const processedFile of processed.slice(0, FRAMES)) {
      const file = join(workFolder, `processed-${processedFile.position}`);
      await withResumeFrom(RIGHTS_STAGE, saveObject(objects, processedFile.objectKey, file, signal));
      const count = processedFile.mediaType === 'video' ? FRAMES : 1;
      frames.push(...(await withResumeFrom(RIGHTS_STAGE, media.extractFrames(file, { count, maxPixels: MAX_PIXELS }, workFolder, signal))));
    }
    const { title, subreddit, author } = item;
    const topComments = item.topComments.slice(0, 5).map((comment) => cutText(comment.body, 300));
    return done({ source: { title, subreddit, author, topComments }, options, byPerson, frames: frames.slice(0, FRAMES) });
  },
});
