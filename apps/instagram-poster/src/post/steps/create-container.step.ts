import { explainRefusedValue, PipelineError } from '@autoposter/domain';
import { defineStep, done, fail, wait } from '@autoposter/job-engine';
import { mediaSource, type ContainerTools } from '../media-source';
import { instagramNotConfigured, saysMissing } from '../../publisher-access';
import { judgeMissing, mayPrepareAgain } from './judge-container';
import type { Prepared } from './create-children.step';

export interface Contained {
  containerId: string;
  quotaUsed: number;
  /** Number of earlier containers of this attempt that failed. */
  earlier: number;
  /** Whether it holds a video, which the platform checks for protected works; missing in a run that an earlier version began. */
  isVideo?: boolean;
}

const PREPARE_AGAIN_SECONDS = 30;

/** Without a journaled output the next run begins at `preflight`, so that its checks precede the next container too. */
const prepareAgain = (reason: string) => wait(PREPARE_AGAIN_SECONDS, reason, { redo: 'create-children' });

const isOneVideo = (files: Prepared['files']): boolean => files.length === 1 && files[0]?.mediaType === 'video';

/** The platform fetches a picture in the call itself, and reports that it could not. */
const saysUnfetched = (error: unknown): error is PipelineError =>
  error instanceof PipelineError && error.failure.code === 'instagram_fetch_failed';

const refusesValue = (error: unknown): error is PipelineError =>
  error instanceof PipelineError && error.failure.code === 'instagram_value_refused';

/**
 * Makes the container, or uses the one that this attempt already has. An unpublished container expires after 24 hours, so a process that
 * dies here costs one of the day's 400 containers and nothing else. An answer that something is missing, a file of the gallery or the
 * container itself while its bytes are uploaded, is not final, and neither is one that a file could not be fetched, because its address may
 * have been unreachable for a moment: everything is prepared once more.
 */
export const createContainer = defineStep<Prepared, Contained, ContainerTools>({
  name: 'create-container',
  effect: 'idempotent',
  async run({ containerId: known, files, coverKey = null, children, caption, options, quotaUsed, earlier }, tools, { now }) {
    if (known !== null) return done({ containerId: known, quotaUsed, earlier, isVideo: isOneVideo(files) });
    const { publisher } = tools;
    if (publisher === null) throw instagramNotConfigured();
    const [file] = files;
    const isVideo = isOneVideo(files);
    if (file === undefined) throw new Error('a post needs at least one file');
    const kind = options.story ? (isVideo ? 'story_video' : 'story_image') : isVideo ? 'reel' : 'image';
    const shared = { caption: options.story ? null : caption, options };
    const coverUrl = coverKey === null ? null : tools.links.forMeta(coverKey, now);
    const request =
      children.length > 0
        ? ({ kind: 'carousel', mediaUrl: null, children, ...shared } as const)
        : ({ kind, coverSeconds: file.coverSeconds, coverUrl, ...shared, ...mediaSource(file, tools, now) } as const);
    try {
      const { containerId } = await publisher.createContainer(request);
      return done({ containerId, quotaUsed, earlier, isVideo });
    } catch (error) {
      if (saysUnfetched(error) && mayPrepareAgain(earlier)) return prepareAgain(error.failure.message);
      if (refusesValue(error)) return fail(explainRefusedValue(error.failure, options));
      if (!saysMissing(error)) throw error;
      const verdict = judgeMissing(earlier);
      return verdict.is === 'spent' ? prepareAgain(verdict.reason) : fail(verdict.failure);
    }
  },
});
