import type { MediaInfo, MediaTools } from '@autoposter/media-tools';
import { defineStep, done, fail } from '@autoposter/stage-runner';
import type { Fetched, FetchedMedia } from './fetch-media.step';

export interface Probed extends Omit<Fetched, 'files'> {
  files: (FetchedMedia & { info: MediaInfo })[];
}

/** Believes the bytes, not the source: a file that lies about its kind ends here. */
export const probeMedia = defineStep<Fetched, Probed, { media: MediaTools }>({
  name: 'probe-media',
  effect: 'read',
  async run({ post, topComments, files }, { media }, { signal }) {
    const probed: Probed['files'] = [];
    for (const file of files) {
      const info = await media.probe(file.file, signal);
      // An animated GIF is announced as a picture and is a video to everybody who plays it.
      if (info.kind !== file.kind && info.container !== 'gif') {
        return fail({
          kind: 'unsupported_media',
          message: `The source announced ${article(file.kind)}, the file is ${article(info.kind)}.`,
          side: post.platform,
          nextAction: 'Open the post at its source; leave it out when the file is not what it shows.',
        });
      }
      probed.push({ ...file, kind: info.kind, info });
    }
    return done({ post, topComments, files: probed });
  },
});

const article = (kind: 'video' | 'image'): string => (kind === 'image' ? 'an image' : 'a video');
