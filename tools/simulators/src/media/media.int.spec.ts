import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CREDENTIALS } from '../credentials';
import { control, reply, runSimulators } from '../testing/running';
import type { NamingGeneration } from './dash';
import { MediaGenerator } from './media-generator';

const AGENT = { 'user-agent': 'test:media:1' };
const GENERATIONS: readonly (readonly [NamingGeneration, string, string])[] = [
  ['2017', 'DASH_600_K', 'audio'],
  ['2019', 'DASH_240', 'audio'],
  ['2020', 'DASH_240.mp4', 'DASH_audio.mp4'],
  ['2023', 'DASH_220.mp4', 'DASH_AUDIO_128.mp4'],
  ['2025', 'CMAF_220.mp4', 'CMAF_AUDIO_128.mp4'],
];

describe('media hosts', () => {
  let running: Awaited<ReturnType<typeof runSimulators>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the JSON of posts is untyped in specs
  const posts = new Map<string, any>();

  const streamsOf = async (address: string): Promise<string[]> => {
    const path = join(running.dataDir, 'probed.mp4');
    await writeFile(path, Buffer.from(await (await fetch(address)).arrayBuffer()));
    const printed = execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', path], {
      encoding: 'utf8',
    });
    return printed.trim().split('\n');
  };
  const besides = (address: string, name: string): string => address.replace(/[^/]+$/, name);

  beforeAll(async () => {
    running = await runSimulators();
    const video = { type: 'video', scene: 'sea', width: 426, height: 240, fps: 24, seconds: 3 };
    const seeds = [
      ...GENERATIONS.map(([generation]) => ({ title: generation, content: { ...video, generation } })),
      { title: 'silent', content: { ...video, sound: false } },
      ...['missing', 'page', 'cut'].map((manifest) => ({ title: `manifest ${manifest}`, content: { ...video, manifest } })),
      { title: 'truncated', content: { ...video, damage: 'truncated' } },
      { title: 'picture', content: { type: 'image', scene: 'lights', width: 400, height: 500 } },
      { title: 'animation', content: { type: 'image', scene: 'lights', width: 120, height: 120, format: 'gif' } },
      { title: 'imgur', content: { type: 'external', host: 'i.imgur.com' } },
      { title: 'imgur gone', content: { type: 'external', host: 'i.imgur.com', missing: true } },
    ];
    await control(running, 'POST', 'posts', { subreddit: 'files', posts: seeds });
    const basic = Buffer.from(`${CREDENTIALS.redditClientId}:${CREDENTIALS.redditClientSecret}`).toString('base64');
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const token = await reply(
      await fetch(`${running.urls.REDDIT_AUTH_URL}/api/v1/access_token`, {
        method: 'POST',
        body,
        headers: { ...AGENT, authorization: `Basic ${basic}` },
      }),
    );
    const headers = { ...AGENT, authorization: `bearer ${token.json.access_token}` };
    const listing = await reply(await fetch(`${running.urls.REDDIT_API_URL}/r/files/new?raw_json=1&limit=100`, { headers }));
    for (const { data } of listing.json.data.children) posts.set(data.title, data);
  });
  afterAll(() => running.close());

  it('generates a video of the requested duration', async () => {
    const generator = new MediaGenerator(join(running.dataDir, 'durations'), 'ffmpeg');
    const file = await generator.videoTrack({
      scene: 'rosette',
      seed: 'duration',
      width: 180,
      height: 320,
      fps: 30,
      seconds: 3,
      sound: false,
    });
    const printed = execFileSync('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file], {
      encoding: 'utf8',
    });
    expect(Number(printed)).toBeCloseTo(3, 1);
  });

  it.each(GENERATIONS)(
    'serves the file names of %s: video without sound, separate sound, 403 for any other name',
    async (generation, video, sound) => {
      const { fallback_url, dash_url } = posts.get(generation).media.reddit_video;
      const manifest = await (await fetch(dash_url)).text();
      expect(manifest).toContain(`<BaseURL>${video}</BaseURL>`);
      expect(manifest).toContain(`<BaseURL>${sound}</BaseURL>`);
      expect(manifest.includes('contentType=')).toBe(Number(generation) > 2019);
      expect(await streamsOf(fallback_url)).toEqual(['h264']);
      expect(await streamsOf(besides(fallback_url, sound))).toEqual(['aac']);
      const wrong = await reply(await fetch(besides(fallback_url, 'DASH_999.mp4')));
      expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining('AccessDenied')]);
    },
  );

  it.each([
    ['missing', 403, /AccessDenied/, /<MPD/],
    ['page', 200, /<!doctype html>/, /<MPD/],
    ['cut', 200, /<MPD/, /<\/MPD>/],
  ])('replaces a manifest: %s', async (kind, status, contains, lacks) => {
    const { dash_url } = posts.get(`manifest ${kind}`).media.reddit_video;
    const manifest = await reply(await fetch(dash_url));
    expect(manifest).toMatchObject({ status, text: expect.stringMatching(contains) as string });
    expect(manifest.text).not.toMatch(lacks);
  });

  it('omits the audio adaptation set of a silent video', async () => {
    const { dash_url, fallback_url, has_audio } = posts.get('silent').media.reddit_video;
    expect([has_audio, (await (await fetch(dash_url)).text()).includes('audio/mp4')]).toEqual([false, false]);
    expect((await fetch(besides(fallback_url, 'CMAF_AUDIO_128.mp4'))).status).toBe(403);
  });

  it('supports range requests', async () => {
    const { fallback_url } = posts.get('2025').media.reddit_video;
    const whole = Buffer.from(await (await fetch(fallback_url)).arrayBuffer());
    const part = await fetch(fallback_url, { headers: { range: 'bytes=100-199' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${whole.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(100, 200))).toBe(true);
    expect((await fetch(fallback_url, { headers: { range: `bytes=${whole.length}-` } })).status).toBe(416);
  });

  it('closes the connection after the number of bytes that a fault specifies', async () => {
    await control(running, 'POST', 'presets/media-cut', { cut: 1_000 });
    const { fallback_url } = posts.get('2025').media.reddit_video;
    await expect(fetch(fallback_url).then((response) => response.arrayBuffer())).rejects.toThrow();
    expect((await fetch(fallback_url)).status).toBe(200);
  });

  it('serves pictures and correctly signed previews only', async () => {
    const { url, preview } = posts.get('picture');
    expect((await fetch(url)).headers.get('content-type')).toBe('image/jpeg');
    const { source, resolutions } = preview.images[0];
    expect((await fetch(source.url)).status).toBe(200);
    expect((await fetch(resolutions[0].url)).status).toBe(200);
    expect((await fetch(source.url.replace('auto=webp', 'auto=png'))).status).toBe(403);
    expect((await fetch(source.url.replaceAll('&', '&amp;'))).status).toBe(403);
    expect(await streamsOf(posts.get('animation').preview.images[0].variants.mp4.source.url)).toEqual(['h264']);
  });

  it('serves imgur files and redirects removed ones to a placeholder', async () => {
    expect(await streamsOf(posts.get('imgur').url.replace('.gifv', '.mp4'))).toEqual(['h264']);
    const gone = await fetch(posts.get('imgur gone').url.replace('.gifv', '.mp4'));
    expect([gone.url.endsWith('/i.imgur.com/removed.png'), gone.headers.get('content-type')]).toEqual([true, 'image/png']);
  });

  it('serves truncated files, files without a content length and the placeholder of a removed picture', async () => {
    const { url } = posts.get('picture');
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const part = whole.subarray(0, Math.ceil(whole.length * 0.3));
    for (const [preset, expected, length] of [
      ['media-short-length', part, String(part.length)],
      ['media-no-length', part, null],
      ['media-closing', whole, null],
    ] as const) {
      await control(running, 'POST', `presets/${preset}`, {});
      const answer = await fetch(url);
      expect([preset, answer.status, answer.headers.get('content-length')]).toEqual([preset, 200, length]);
      expect(answer.headers.get('transfer-encoding')).toBeNull();
      expect(Buffer.from(await answer.arrayBuffer()).equals(expected)).toBe(true);
    }
    await control(running, 'POST', 'presets/media-removed-picture', {});
    const removed = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect([removed.readUInt32BE(16), removed.readUInt32BE(20)]).toEqual([161, 81]);
  });

  it('denies the files of a deleted post', async () => {
    const { id, media } = posts.get('2023');
    await control(running, 'POST', `posts/${id}/remove`, { by: 'deleted' });
    expect((await fetch(media.reddit_video.fallback_url)).status).toBe(403);
  });

  it('generates a file once for concurrent requests', async () => {
    const { fallback_url } = posts.get('truncated').media.reddit_video;
    const bodies = await Promise.all([1, 2, 3].map(async () => Buffer.from(await (await fetch(fallback_url)).arrayBuffer())));
    expect(bodies.every((body) => body.equals(bodies[0] ?? Buffer.alloc(0)))).toBe(true);
  });
});
