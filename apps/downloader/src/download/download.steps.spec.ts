import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostSource, SourceMedia, SourcePost } from '@autoposter/domain';
import { PipelineError } from '@autoposter/domain';
import type { StepContext } from '@autoposter/job-engine';
import type { MediaInfo, MediaTools } from '@autoposter/media-tools';
import type { ObjectStore } from '@autoposter/object-store';
import type { ContentItem } from '@autoposter/persistence';
import { failing, stepContext } from '@autoposter/testkit';
import type { KnownPost } from '../collect/steps/drop-known.step';
import type { MediaFetcher } from '../fetching/media-fetcher';
import type { FetchedMedia } from '../fetching/source-files';
import { downloadStage } from './download.stage';
import { fetchMedia } from './steps/fetch-media.step';
import { muxAudio } from './steps/mux-audio.step';
import { probeMedia } from './steps/probe-media.step';
import { resolveSource } from './steps/resolve-source.step';
import { storeOriginal } from './steps/store-original.step';

const VIDEO: SourceMedia = {
  kind: 'video',
  url: 'https://v.redd.it/abc/CMAF_1080.mp4',
  manifestUrl: 'https://v.redd.it/abc/DASHPlaylist.mpd',
  audioUrl: null,
  width: null,
  height: null,
  durationSeconds: null,
};
const post = (change: Partial<SourcePost> = {}): SourcePost =>
  ({
    platform: 'reddit',
    sourceId: 'a1',
    title: 'A fox',
    postType: 'video',
    media: [VIDEO],
    unfetchable: null,
    removed: false,
    ...change,
  }) as SourcePost;
const info = (change: Partial<MediaInfo> = {}): MediaInfo =>
  ({ container: 'mp4', kind: 'video', width: 720, height: 1280, durationSeconds: 10, ...change }) as MediaInfo;

describe('downloadStage', () => {
  it('reserves a slot for jobs that a person waits for', () => expect(downloadStage.limits.slotsForPeople).toBe(1));
});

describe('resolveSource', () => {
  const item = { platform: 'reddit', sourceId: 'a1', originalUrl: 'https://www.reddit.com/comments/a1' } as ContentItem;
  const run = (resolve: PostSource['resolve'] | null, context: Partial<StepContext> = {}, known: readonly string[] = []) => {
    const reddit = resolve === null ? null : { resolve };
    const findKnown = (_platform: unknown, ids: readonly string[]) =>
      Promise.resolve(
        new Map<string, KnownPost>(ids.filter((id) => known.includes(id)).map((id) => [id, { id, removed: false, interrupted: false }])),
      );
    return resolveSource.run(
      { item },
      { sources: { reddit, instagram: null }, known: { findKnown }, claims: { onTargets: () => Promise.resolve([]) } },
      stepContext(context),
    );
  };
  const finding = (change: Partial<SourcePost>) => () => Promise.resolve({ post: post(change), topComments: [] });

  it('gives the post with its comments', async () => {
    expect(await run(finding({}))).toMatchObject({ kind: 'done', output: { post: { sourceId: 'a1' }, topComments: [] } });
  });

  it('fails for a post that was removed at its source, and keeps what the source still says', async () => {
    expect(await run(finding({ removed: true }))).toMatchObject({
      kind: 'fail',
      failure: { kind: 'not_found', side: 'reddit' },
      reached: { post: { title: 'A fox' } },
    });
  });

  it('skips a share link that leads to a known post, and accepts one that leads to a new post', async () => {
    expect(await run(finding({ sourceId: 'b2' }), {}, ['b2'])).toMatchObject({
      kind: 'skip',
      reason: 'duplicate_post',
      evidence: { sourceId: 'b2' },
    });
    expect(await run(finding({ sourceId: 'b2' }))).toMatchObject({ kind: 'done' });
  });

  it.each([
    ['content_type_filter', { postType: 'text', media: [] }],
    ['unsupported_format', { unfetchable: 'It is hosted elsewhere.' }],
    ['unsupported_format', { media: [] }],
  ] as const)('skips a post without usable media: %s', async (reason, change) => {
    expect(await run(finding(change as Partial<SourcePost>))).toMatchObject({ kind: 'skip', reason });
  });

  it.each(['not_authorised', 'not_configured'] as const)('waits while access is %s, unless a person waits', async (kind) => {
    expect(await run(failing(kind))).toMatchObject({ kind: 'wait', seconds: 60 });
    await expect(run(failing(kind), { forPerson: true })).rejects.toMatchObject({ failure: { kind } });
  });

  it('waits without credentials, unless a person waits', async () => {
    expect(await run(null)).toMatchObject({ kind: 'wait' });
    await expect(run(null, { forPerson: true })).rejects.toMatchObject({ failure: { kind: 'not_configured' } });
  });

  it('waits for a video that the source is still processing, for an hour at most', async () => {
    const pending = () => Promise.reject(PipelineError.of('reddit_post_pending', { fields: { message: 'Still processing.' } }));
    const saveCheckpoint = jest.fn(() => Promise.resolve());
    expect(await run(pending, { saveCheckpoint })).toMatchObject({ kind: 'wait', seconds: 60 });
    expect(saveCheckpoint).toHaveBeenCalledWith('2026-05-01T10:00:00.000Z');
    expect(await run(pending, { checkpoint: '2026-05-01T09:00:01.000Z' })).toMatchObject({ kind: 'wait' });
    expect(await run(pending, { checkpoint: '2026-05-01T09:00:00.000Z' })).toMatchObject({
      kind: 'fail',
      failure: { kind: 'upstream_rejected' },
    });
  });

  it('throws any other failure', async () => {
    await expect(run(failing('rate_limited'))).rejects.toMatchObject({ failure: { kind: 'rate_limited' } });
  });
});

describe('fetchMedia', () => {
  const rendition = (name: string, bandwidth: number, type = 'video'): string =>
    `<AdaptationSet contentType="${type}"><Representation bandwidth="${bandwidth}" mimeType="${type}/mp4"><BaseURL>${name}</BaseURL></Representation></AdaptationSet>`;
  const manifestOf = (...sets: string[]): string => `<MPD><Period>${sets.join('')}</Period></MPD>`;
  const VIDEOS = manifestOf(rendition('CMAF_480.mp4', 480), rendition('CMAF_1080.mp4', 1080), rendition('CMAF_720.mp4', 720));

  interface Plan {
    media?: SourceMedia | SourceMedia[];
    manifest?: string | (() => Promise<string>);
    /** The kind of failure with which an address is refused. */
    refuses?: (name: string) => 'too_large' | 'not_found' | 'transient' | false;
  }

  const run = async ({ media = VIDEO, manifest = VIDEOS, refuses = () => false }: Plan) => {
    const requested: string[] = [];
    const fetcher: Pick<MediaFetcher, 'text' | 'toFile'> = {
      text: () => (typeof manifest === 'string' ? Promise.resolve(manifest) : manifest()),
      toFile: (address) => {
        const name = address.split('/').at(-1) ?? '';
        requested.push(name);
        const kind = refuses(name);
        return kind === false ? Promise.resolve({ bytes: 1, contentType: 'video/mp4' }) : failing(kind)();
      },
    };
    const input = { post: post({ media: [media].flat() }), topComments: [] };
    const outcome = await fetchMedia
      .run(input, { fetcher: fetcher as MediaFetcher }, stepContext({ workFolder: '/work' }))
      .catch((error: unknown) => error);
    return { outcome, requested };
  };
  const heightAbove = (limit: number) => (name: string) => Number(/(\d+)\.mp4$/.exec(name)?.[1]) > limit && ('too_large' as const);

  it('fetches the best rendition that is not too large', async () => {
    const { outcome, requested } = await run({ refuses: heightAbove(720) });
    expect(outcome).toMatchObject({ kind: 'done', output: { files: [{ kind: 'video', file: '/work/media-0', audioFile: null }] } });
    expect(requested).toEqual(['CMAF_1080.mp4', 'CMAF_720.mp4']);
  });

  it('fails as too large if even the smallest rendition is', async () => {
    const { outcome, requested } = await run({ refuses: heightAbove(100) });
    expect(outcome).toMatchObject({ failure: { kind: 'too_large' } });
    expect(requested).toEqual(['CMAF_1080.mp4', 'CMAF_720.mp4', 'CMAF_480.mp4']);
  });

  it('fetches an image from its only address', async () => {
    const { outcome, requested } = await run({ media: { ...VIDEO, kind: 'image', url: 'https://i.redd.it/a.jpg', manifestUrl: null } });
    expect(outcome).toMatchObject({ output: { files: [{ kind: 'image', audioFile: null }] } });
    expect(requested).toEqual(['a.jpg']);
  });

  it('names the file of a gallery that is missing', async () => {
    const media = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => ({
      ...VIDEO,
      kind: 'image' as const,
      url: `https://i.redd.it/${name}`,
      manifestUrl: null,
    }));
    const { outcome, requested } = await run({ media, refuses: (name) => name === 'b.jpg' && 'not_found' });
    expect(outcome).toMatchObject({
      failure: { kind: 'not_found', file: { number: 2, of: 3 }, message: expect.stringMatching(/^File 2 of 3: /u) },
    });
    expect(requested).toEqual(['a.jpg', 'b.jpg']);
  });

  it('fetches the audio track that the manifest names, and fails without it', async () => {
    const manifest = manifestOf(rendition('CMAF_720.mp4', 720), rendition('AUDIO_128.mp4', 128, 'audio'));
    expect(await run({ manifest })).toMatchObject({
      outcome: { output: { files: [{ audioFile: '/work/sound-0' }] } },
      requested: ['CMAF_720.mp4', 'AUDIO_128.mp4'],
    });
    const { outcome } = await run({ manifest, refuses: (name) => name.startsWith('AUDIO') && 'not_found' });
    expect(outcome).toMatchObject({ failure: { code: 'media_sound_missing', side: 'reddit' } });
  });

  it('fetches the next audio track that the manifest names if the host refuses the best one', async () => {
    const sounds = [rendition('AUDIO_64.mp4', 64, 'audio'), rendition('AUDIO_128.mp4', 128, 'audio')];
    const { outcome, requested } = await run({
      manifest: manifestOf(rendition('CMAF_720.mp4', 720), ...sounds),
      refuses: (name) => name === 'AUDIO_128.mp4' && 'not_found',
    });
    expect(outcome).toMatchObject({ output: { files: [{ audioFile: '/work/sound-0' }] } });
    expect(requested).toEqual(['CMAF_720.mp4', 'AUDIO_128.mp4', 'AUDIO_64.mp4']);
  });

  it('guesses the audio track without a manifest, and accepts that there is none', async () => {
    const { outcome, requested } = await run({
      manifest: failing('not_found'),
      refuses: (name) => name !== 'CMAF_1080.mp4' && 'not_found',
    });
    expect(outcome).toMatchObject({ output: { files: [{ audioFile: null }] } });
    expect(requested.length).toBeGreaterThan(1);
  });

  it.each([
    ['a web page', '<!doctype html><html><body>blocked</body></html>'],
    ['empty', ''],
    ['cut behind its videos', VIDEOS.slice(0, VIDEOS.indexOf('</Period>'))],
  ])('guesses the audio track if the manifest is %s', async (_what, manifest) => {
    const { outcome, requested } = await run({ manifest });
    expect(outcome).toMatchObject({ output: { files: [{ audioFile: '/work/sound-0' }] } });
    expect(requested).toEqual(['CMAF_1080.mp4', 'CMAF_AUDIO_128.mp4']);
  });

  it('fetches the files that the manifest names where the source names no other, and never the manifest as a video', async () => {
    const media = { ...VIDEO, url: VIDEO.manifestUrl ?? '', audioUrl: null };
    const manifest = manifestOf(rendition('CMAF_720.mp4', 720), rendition('AUDIO_128.mp4', 128, 'audio'));
    expect((await run({ media, manifest })).requested).toEqual(['CMAF_720.mp4', 'AUDIO_128.mp4']);
    for (const [gone, failure] of [
      [failing('not_found'), { kind: 'not_found' }],
      ['<html>blocked</html>', { code: 'manifest_unreadable', kind: 'transient', side: 'reddit' }],
    ] as const) {
      const { outcome, requested } = await run({ media, manifest: gone });
      expect(outcome).toMatchObject({ failure });
      expect(requested).toEqual([]);
    }
  });

  it('fails if a video with sound has no file of it under any guessed name', async () => {
    const { outcome } = await run({
      media: { ...VIDEO, hasSound: true },
      manifest: failing('not_found'),
      refuses: (name) => name !== 'CMAF_1080.mp4' && 'not_found',
    });
    expect(outcome).toMatchObject({ failure: { code: 'media_sound_missing', side: 'reddit' } });
    expect(await run({ media: { ...VIDEO, hasSound: true } })).toMatchObject({ outcome: { output: { files: [{ audioFile: null }] } } });
  });

  it.each([
    ['the manifest', { manifest: failing('transient') }],
    ['the media', { refuses: () => 'transient' as const }],
  ] as [string, Plan][])('fails if %s is temporarily unavailable', async (_what, plan) => {
    expect((await run(plan)).outcome).toMatchObject({ failure: { kind: 'transient' } });
  });
});

describe('probeMedia', () => {
  const run = (
    found: MediaInfo,
    file: Partial<FetchedMedia> = {},
    media: Partial<SourceMedia> = {},
    assertComplete: MediaTools['assertComplete'] = () => Promise.resolve(),
  ) => {
    const tools = { media: { assertComplete, probe: () => Promise.resolve(found) } as unknown as MediaTools };
    const files: FetchedMedia[] = [{ kind: 'video', file: '/work/media-0', audioFile: null, ...file }];
    return probeMedia.run({ post: post({ media: [{ ...VIDEO, ...media }] }), topComments: [], files }, tools, stepContext());
  };

  it('adds what the bytes say', async () => {
    expect(await run(info())).toMatchObject({ kind: 'done', output: { files: [{ kind: 'video', info: { container: 'mp4' } }] } });
  });

  it('checks picture and sound for completeness and names the platform if one is cut short', async () => {
    const checked: string[] = [];
    const assertComplete = (path: string) => (checked.push(path), checked.length === 2 ? failing('integrity')() : Promise.resolve());
    await expect(run(info(), { audioFile: '/work/sound-0' }, {}, assertComplete)).rejects.toMatchObject({
      failure: { kind: 'integrity', side: 'reddit' },
    });
    expect(checked).toEqual(['/work/media-0', '/work/sound-0']);
  });

  it('fails as removed at its source for the placeholder that image hosts serve', async () => {
    await expect(run(info({ kind: 'image', container: 'png', width: 161, height: 81 }), { kind: 'image' })).rejects.toMatchObject({
      failure: { code: 'removed_at_source', kind: 'not_found' },
    });
  });

  it('fails if the file is of another kind than announced, but accepts an animated GIF', async () => {
    await expect(run(info(), { kind: 'image' })).rejects.toMatchObject({ failure: { code: 'media_not_as_announced' } });
    expect(await run(info({ container: 'gif' }), { kind: 'image' })).toMatchObject({
      kind: 'done',
      output: { files: [{ kind: 'video' }] },
    });
  });

  it.each([
    [10, 7.9, 'media_shorter_than_announced'],
    [10, 8, 'done'],
    [60, 53, 'media_shorter_than_announced'],
    [60, 54, 'done'],
  ] as const)('announced %s s, received %s s: %s', async (durationSeconds, received, outcome) => {
    const probed = run(info({ durationSeconds: received }), {}, { durationSeconds });
    expect(await probed.then(({ kind }) => kind).catch((error: PipelineError) => error.failure.code)).toBe(outcome);
  });
});

describe('muxAudio', () => {
  const run = (file: Partial<FetchedMedia>) => {
    const muxVideoAndAudio = jest.fn(() => Promise.resolve());
    const media = { muxVideoAndAudio, probe: () => Promise.resolve(info({ hasAudio: true })) } as unknown as MediaTools;
    const files = [{ kind: 'video' as const, file: '/work/media-0', audioFile: null, info: info(), ...file }];
    return { result: muxAudio.run({ post: post(), topComments: [], files }, { media }, stepContext()), muxVideoAndAudio };
  };

  it('joins picture and sound into a new file', async () => {
    const { result, muxVideoAndAudio } = run({ audioFile: '/work/sound-0' });
    expect(await result).toMatchObject({
      output: { files: [{ file: '/work/media-0-with-sound.mp4', audioFile: null, info: { hasAudio: true } }] },
    });
    expect(muxVideoAndAudio).toHaveBeenCalledWith('/work/media-0', '/work/sound-0', '/work/media-0-with-sound.mp4', expect.anything());
  });

  it.each([{ audioFile: null }, { kind: 'image' as const, audioFile: '/work/sound-0' }])('leaves %j as it is', async (file) => {
    const { result, muxVideoAndAudio } = run(file);
    expect(await result).toMatchObject({ output: { files: [{ file: '/work/media-0' }] } });
    expect(muxVideoAndAudio).not.toHaveBeenCalled();
  });
});

describe('storeOriginal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-original-'));
  const file = join(folder, 'media-0');
  beforeAll(() => writeFileSync(file, 'bytes'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (container: string, put: ObjectStore['put']) => {
    const files = [{ kind: 'video' as const, file, audioFile: null, info: info({ container }) }];
    return storeOriginal.run(
      { post: post(), topComments: [], files },
      { objects: { put } as ObjectStore, storageType: 'local' },
      stepContext(),
    );
  };
  const storing = jest.fn<ReturnType<ObjectStore['put']>, Parameters<ObjectStore['put']>>(async (_prefix, stream, contentType) => {
    let bytes = 0;
    for await (const chunk of stream) bytes += (chunk as Uint8Array).length;
    return { key: 'originals/a', sha256: 'a', bytes, contentType } as never;
  });

  it.each([
    ['mp4', 'video/mp4', 'mp4'],
    ['matroska', 'video/x-matroska', 'mkv'],
    ['jpeg', 'image/jpeg', 'jpg'],
    ['gif', 'image/gif', 'gif'],
  ])('stores %s as %s', async (container, contentType, extension) => {
    expect(await run(container, storing)).toMatchObject({
      kind: 'done',
      output: { files: [{ stored: { bytes: 5 } }], storageType: 'local' },
    });
    expect(storing).toHaveBeenLastCalledWith('originals', expect.anything(), contentType, extension);
  });

  it('throws for a container that has no format in the store', async () => {
    await expect(run('avi', storing)).rejects.toThrow('avi');
  });

  it('throws the failure of the store', async () => {
    const put = async (...[, stream]: Parameters<ObjectStore['put']>) => {
      for await (const _chunk of stream);
      throw new PipelineError({ code: 'disk_full', kind: 'transient', message: 'Full.', side: 'storage', nextAction: 'Wait.' });
    };
    await expect(run('mp4', put)).rejects.toMatchObject({ failure: { side: 'storage' } });
  });
});
