import { type Failure, failureOf, PipelineError, type SourceMedia, type SourcePost } from '@autoposter/domain';
import type { MediaInfo, MediaTools } from '@autoposter/media-tools';
import { defineStep, done, fail } from '@autoposter/job-engine';
import { removedAtSource } from '../unusable-source';
import type { Fetched, FetchedMedia } from './fetch-media.step';

export interface Probed extends Omit<Fetched, 'files'> {
  files: (FetchedMedia & { info: MediaInfo })[];
}

/** Relies on the bytes, not on the source: a file that is cut short or of another kind than announced ends here. */
export const probeMedia = defineStep<Fetched, Probed, { media: MediaTools }>({
  name: 'probe-media',
  effect: 'read',
  async run({ post, topComments, files }, { media }, { signal }) {
    const probed: Probed['files'] = [];
    for (const [index, file] of files.entries()) {
      const info = await readWhole(file, media, post, signal);
      if (isRemovedPlaceholder(info)) return fail(removedAtSource(post.platform), { post, topComments });
      // An animation is announced as a picture and is a video to everybody who plays it.
      if (info.kind !== file.kind && info.container !== 'gif' && info.container !== 'apng') {
        const fields = { announced: article(file.kind), found: article(info.kind) };
        return fail(failureOf('media_not_as_announced', { side: post.platform, fields }));
      }
      const shortened = shorterThanAnnounced(info, post.media[index], post);
      if (shortened !== null) return fail(shortened);
      probed.push({ ...file, kind: info.kind, info });
    }
    return done({ post, topComments, files: probed });
  },
});

const article = (kind: 'video' | 'image'): string => (kind === 'image' ? 'an image' : 'a video');

/** An incomplete file is the transfer's fault or the host's, and another attempt fetches it again. */
async function readWhole(file: FetchedMedia, media: MediaTools, post: SourcePost, signal: AbortSignal): Promise<MediaInfo> {
  try {
    for (const path of [file.file, file.audioFile]) if (path !== null) await media.assertComplete(path, signal);
  } catch (error) {
    if (!(error instanceof PipelineError) || error.failure.kind !== 'integrity') throw error;
    throw new PipelineError({ ...error.failure, side: post.platform }, { cause: error });
  }
  return media.probe(file.file, signal);
}

/** What Reddit's and imgur's image hosts serve, with status 200, in place of a picture that was taken down. */
const REMOVED_PLACEHOLDER = { width: 161, height: 81 } as const;
const isRemovedPlaceholder = ({ kind, width, height }: MediaInfo): boolean =>
  kind === 'image' && width === REMOVED_PLACEHOLDER.width && height === REMOVED_PLACEHOLDER.height;

/** Sources announce whole seconds, rounded down. Fragments that end between two boxes leave no other trace. */
function shorterThanAnnounced(info: MediaInfo, source: SourceMedia | undefined, { platform }: SourcePost): Failure | null {
  const announced = source?.durationSeconds ?? null;
  const got = info.durationSeconds;
  if (announced === null || got === null || info.kind !== 'video' || announced - got <= Math.max(2, announced * 0.1)) return null;
  const fields = { seconds: got.toFixed(1), announcedSeconds: announced };
  return failureOf('media_shorter_than_announced', { side: platform, fields, detail: { seconds: got, announcedSeconds: announced } });
}
