import type { MediaType, PublishOptions } from '@autoposter/contracts';
import { type Failure, failureOf, mapFiles } from '@autoposter/domain';
import { defineStep, done, fail } from '@autoposter/job-engine';
import { mediaSource, type ContainerTools } from '../media-source';
import { instagramNotConfigured } from '../../publisher-access';
import type { Reserved } from './reserve-quota.step';

/** Everything that the container of the post needs, as plain JSON: a resumed attempt continues from it. */
export interface Prepared {
  quotaUsed: number;
  caption: string;
  options: PublishOptions;
  files: { objectKey: string; mediaType: MediaType; bytes: number; coverSeconds: number | null }[];
  /** Object of an uploaded cover; missing in a run that an earlier version began. */
  coverKey?: string | null;
  /** The container that this attempt has already. */
  containerId: string | null;
  /** Number of earlier containers of this attempt that failed. */
  earlier: number;
  /** Containers of the files of a carousel, in order; none for a single file. */
  children: string[];
}

/** Instagram takes two to ten files in one post. */
const MAX_CHILDREN = 10;

/** DMCA protection has shortened the gallery and reported that; more files here are a failure, not a reason to drop some silently. */
const tooMany = (count: number): Failure => failureOf('gallery_too_large', { fields: { count, limit: MAX_CHILDREN } });

/**
 * Creates the containers of a carousel's files; a single file needs none. Each id is stored immediately: containers live 24 hours, and a
 * failure in between must not waste any of the 400 that Instagram allows a day.
 */
export const createChildren = defineStep<Reserved, Prepared, ContainerTools>({
  name: 'create-children',
  effect: 'idempotent',
  async run({ attempt, processed, cover, quotaUsed }, tools, { checkpoint, saveCheckpoint, assertHeld, now }) {
    const { publisher } = tools;
    if (publisher === null) throw instagramNotConfigured();
    const { containerId, containersMade, caption, options } = attempt;
    const files = processed.map(({ objectKey, mediaType, bytes, coverSeconds }) => ({ objectKey, mediaType, bytes, coverSeconds }));
    const earlier = containerId === null ? containersMade : containersMade - 1;
    const prepared: Prepared = {
      quotaUsed,
      caption,
      options,
      files,
      coverKey: cover?.objectKey ?? null,
      containerId,
      earlier,
      children: [],
    };
    if (containerId !== null || files.length < 2) return done(prepared);
    if (files.length > MAX_CHILDREN) return fail(tooMany(files.length));
    const children = [...((checkpoint as string[] | undefined) ?? [])];
    await mapFiles(files, async (file, index) => {
      if (index < children.length) return;
      assertHeld();
      const kind = file.mediaType === 'video' ? 'carousel_child_video' : 'carousel_child_image';
      const altText = options.altTexts?.[index];
      const request = { kind, caption: null, options: altText ? { altText } : {}, ...mediaSource(file, tools, now) } as const;
      children.push((await publisher.createContainer(request)).containerId);
      await saveCheckpoint(children);
    });
    return done({ ...prepared, children });
  },
});
