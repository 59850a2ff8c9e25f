import { PipelineError, type SourceMedia, type SourcePost } from '@autoposter/domain';
import type { StepContext } from '@autoposter/job-engine';
import type { MediaFetcher } from '../../fetching/media-fetcher';
import { fetchMedia } from './fetch-media.step';

const rendition = (name: string, bandwidth: number): string =>
  `<Representation bandwidth="${bandwidth}" mimeType="video/mp4"><BaseURL>${name}</BaseURL></Representation>`;
const MANIFEST = `<MPD><Period><AdaptationSet contentType="video">
  ${rendition('CMAF_480.mp4', 480)}${rendition('CMAF_1080.mp4', 1080)}${rendition('CMAF_720.mp4', 720)}
</AdaptationSet></Period></MPD>`;

const VIDEO: SourceMedia = {
  kind: 'video',
  url: 'https://v.redd.it/abc/CMAF_1080.mp4',
  manifestUrl: 'https://v.redd.it/abc/DASHPlaylist.mpd',
  audioUrl: null,
  width: null,
  height: null,
  durationSeconds: null,
};

describe('fetchMedia', () => {
  const asked: string[] = [];
  const tooLarge = (address: string): PipelineError =>
    new PipelineError({ kind: 'too_large', message: `${address} is too large.`, side: 'reddit', nextAction: 'Leave it out.' });
  const fetching = (limit: number) => {
    asked.length = 0;
    const fetcher: Pick<MediaFetcher, 'text' | 'toFile'> = {
      text: () => Promise.resolve(MANIFEST),
      toFile: (address) => {
        asked.push(address.split('/').at(-1) ?? '');
        const height = Number(/(\d+)\.mp4$/.exec(address)?.[1]);
        return height > limit ? Promise.reject(tooLarge(address)) : Promise.resolve({ bytes: 1, contentType: 'video/mp4' });
      },
    };
    const context = { workFolder: '/nowhere', signal: new AbortController().signal } as StepContext;
    const input = { post: { media: [VIDEO] } as SourcePost, topComments: [] };
    return fetchMedia.run(input, { fetcher: fetcher as MediaFetcher }, context);
  };

  it('takes the best rendition that is not too large', async () => {
    expect(await fetching(720)).toMatchObject({ kind: 'done' });
    expect(asked).toEqual(['CMAF_1080.mp4', 'CMAF_720.mp4']);
  });

  it('fails as too large where even the smallest rendition is', async () => {
    await expect(fetching(100)).rejects.toMatchObject({ failure: { kind: 'too_large' } });
    expect(asked).toEqual(['CMAF_1080.mp4', 'CMAF_720.mp4', 'CMAF_480.mp4']);
  });
});
