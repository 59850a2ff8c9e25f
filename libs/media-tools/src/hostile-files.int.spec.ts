import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { MediaTools } from './media-tools';
import { decoderMemory } from './memory-budget';
import { runProcess } from './run-process';
import { failureKind, ffmpeg, generator, makeClip, paint } from './testing/media-samples';

const EXPECTED = ['unsupported_media', 'corrupt_media', 'too_large', 'transient'];

describe('hostile files', () => {
  let dir: string;
  let server: Server;
  let asked = 0;
  const tools = new MediaTools();
  const signal = new AbortController().signal;
  const file = async (name: string, content: string | Buffer) => {
    await writeFile(join(dir, name), content);
    return join(dir, name);
  };
  const all = async (path: string, kind: 'video' | 'image') => [
    await failureKind(tools.probe(path, signal)),
    await failureKind(tools.analyse(path, kind, signal, 'claimed')),
    await failureKind(
      kind === 'video' ? tools.normaliseVideo(path, `${path}.out`, signal) : tools.normaliseImage(path, `${path}.out`, signal),
    ),
  ];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'hostile-'));
    server = createServer((_request, response) => {
      asked += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await makeClip(join(dir, 'good.mp4'), { width: 128, height: 96, seconds: 1 });
  });
  afterAll(async () => {
    server.close();
    await rm(dir, { recursive: true, force: true });
  });
  afterEach(async () => {
    expect((await readdir(dir)).filter((name) => name.endsWith('.out'))).toEqual([]);
    const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(running.split('\n').filter((line) => line.includes(dir))).toEqual([]);
  });

  it('opens no playlist that names another file or an address', async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.ts`;
    const hls = (target: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${target}\n#EXT-X-ENDLIST\n`;
    const dash = `<?xml version="1.0"?><MPD><Period><BaseURL>${address}</BaseURL></Period></MPD>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}"/></svg>`;
    const contents = [hls('good.mp4'), hls(address), hls('file:///etc/passwd'), `ffconcat version 1.0\nfile good.mp4\n`, dash, svg];
    for (const [index, content] of contents.entries()) {
      expect(await all(await file(`list${index}.mp4`, content), 'video')).toEqual(Array(3).fill('unsupported_media'));
    }
    expect(asked).toBe(0);
  });

  it('refuses an empty file, text, and a file type box alone', async () => {
    expect(await all(await file('empty.mp4', ''), 'video')).toEqual(Array(3).fill('corrupt_media'));
    expect(await all(await file('text.mp4', 'hello, I am a video'), 'video')).toEqual(Array(3).fill('unsupported_media'));
    const ftyp = Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex');
    expect(await all(await file('ftyp.mp4', ftyp), 'video')).toEqual(Array(3).fill('corrupt_media'));
  });

  it('refuses a picture that would exhaust the memory before decoding it', async () => {
    const bomb = sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: '#000' }, limitInputPixels: false });
    // its pixels are missing: a decoder would find it corrupt
    const path = await file('bomb.png', (await bomb.png({ compressionLevel: 9 }).toBuffer()).subarray(0, 1_000));
    expect(await all(path, 'image')).toEqual(Array(3).fill('too_large'));
  });

  it('refuses files beyond its limits', async () => {
    const strict = (limits: object) => new MediaTools({ limits });
    const good = join(dir, 'good.mp4');
    expect(await failureKind(strict({ videoBytes: 1000 }).probe(good, signal))).toBe('too_large');
    expect(await failureKind(strict({ durationSeconds: 0.5 }).probe(good, signal))).toBe('too_large');
    expect(await failureKind(strict({ pixels: 100 }).probe(good, signal))).toMatch(/too_large|corrupt_media/);
    expect(await failureKind(strict({ streams: 1 }).probe(good, signal))).toBe('unsupported_media');
    expect(await failureKind(strict({ outputVideoBytes: 5000 }).normaliseVideo(good, `${good}.out`, signal))).toMatch(
      /too_large|corrupt_media/,
    );
    expect(await failureKind(strict({ longRunMs: 1, longRunMsPerSecond: 1 }).normaliseVideo(good, `${good}.out`, signal))).toBe(
      'transient',
    );
  });

  it('refuses a video of more pixels than 8K by its header, and takes a picture of as many', async () => {
    const options = { width: 8000, height: 6000, fps: 1, seconds: 1, sound: false, picture: 'color' };
    const clip = await makeClip(join(dir, 'beyond-8k.mp4'), { ...options, more: ['-crf', '51'] });
    await expect(tools.probe(clip, signal)).rejects.toMatchObject({ failure: { kind: 'too_large', code: 'media_too_many_pixels' } });
    const picture = sharp({ create: { width: 8000, height: 6000, channels: 3, background: '#000' } });
    await picture.jpeg().toFile(join(dir, 'picture.jpg'));
    expect(await tools.probe(join(dir, 'picture.jpg'), signal)).toMatchObject({ kind: 'image', width: 8000 });
  });

  it('refuses a clip of huge frames under a small memory limit and processes it under a larger one', async () => {
    const clip = await makeClip(join(dir, 'huge.mp4'), {
      ...{ width: 7680, height: 4320, fps: 5, seconds: 0.6, sound: false, picture: 'color' },
      more: ['-crf', '51'],
    });
    const inContainer = (megabytes: number) => new MediaTools({ limits: { memoryBytes: decoderMemory(megabytes * 2 ** 20, 1) } });
    for (const megabytes of [256, 512]) {
      const small = inContainer(megabytes);
      expect([megabytes, await failureKind(small.analyse(clip, 'video', signal, 'claimed'))]).toEqual([megabytes, 'too_large']);
      expect([megabytes, await failureKind(small.normaliseVideo(clip, `${clip}.out`, signal))]).toEqual([megabytes, 'too_large']);
    }
    expect(await failureKind(inContainer(768).normaliseVideo(clip, `${clip}.out`, signal))).toBe('too_large');
    // the kernel enforces the limit, so this run stays below it
    const out = join(dir, 'huge-normalised.mp4');
    expect(await failureKind(inContainer(1536).normaliseVideo(clip, out, signal))).toBe('no failure');
  });

  it('reports a decoder that exceeds its memory limit as too large and not as damaged', async () => {
    const clip = await makeClip(join(dir, 'wide.mp4'), { width: 3840, height: 2160, fps: 5, seconds: 1, sound: false });
    // the estimate allows one thread; the limit of the process stops it
    const run = runProcess({
      program: 'ffmpeg',
      arguments: ['-v', 'error', '-threads', '4', '-i', clip, '-f', 'null', '-'],
      signal,
      timeoutMs: 30_000,
      memoryBytes: 120 * 2 ** 20,
    });
    expect(await failureKind(run)).toBe('too_large');
  });

  it('refuses a file with too many tracks by its header, before a decoder of each track is opened', async () => {
    const one = await makeClip(join(dir, 'one-track.mp4'), { width: 32, height: 32, seconds: 1, sound: false });
    const many = join(dir, 'many-tracks.mkv');
    await ffmpeg(['-i', one, ...Array.from({ length: 65 }, () => ['-map', '0:v']).flat(), '-c', 'copy', many]);
    await expect(tools.probe(many, signal)).rejects.toMatchObject({
      failure: { code: 'media_too_many_tracks', message: expect.stringContaining('more than 64 tracks') },
    });
  });

  it('refuses a video whose frames have too many pixels in total', async () => {
    const strict = new MediaTools({ limits: { totalPixels: 128 * 96 * 20 } });
    expect(await failureKind(strict.probe(join(dir, 'good.mp4'), signal))).toBe('too_large');
  });

  it('refuses an incomplete video', async () => {
    const whole = await makeClip(join(dir, 'whole.mp4'), { width: 160, height: 120, seconds: 6, more: ['-movflags', '+faststart'] });
    const data = await readFile(whole);
    const cut = await file('cut.mp4', data.subarray(0, Math.floor(data.length * 0.5)));
    expect(await failureKind(tools.normaliseVideo(cut, `${cut}.out`, signal))).toBe('integrity');
  });

  it('refuses file names that a tool could misread', async () => {
    for (const name of ['-i', 'relative.mp4', 'http://127.0.0.1/x.mp4', '/tmp/a%d.jpg', '/tmp/a\n.mp4']) {
      expect(await failureKind(tools.probe(name, signal))).toBe('internal');
    }
  });

  it('returns a typed failure or a picture for every broken picture', async () => {
    const random = generator(11);
    const sources = [
      await paint(3, 200, 150).jpeg().toBuffer(),
      await paint(3, 200, 150).png().toBuffer(),
      await paint(3, 200, 150).webp().toBuffer(),
    ];
    for (let round = 0; round < 60; round += 1) {
      const path = await file('fuzz', mangle(sources[round % sources.length] as Buffer, random));
      const kind = await failureKind(tools.normaliseImage(path, `${path}.jpg`, signal));
      expect([...EXPECTED, 'no failure']).toContain(kind);
    }
  });

  it('returns a typed failure or a video for every broken video', async () => {
    const random = generator(12);
    const source = await readFile(join(dir, 'good.mp4'));
    for (let round = 0; round < 40; round += 1) {
      const path = await file('fuzz.mp4', mangle(source, random));
      const kinds = [await failureKind(tools.probe(path, signal)), await failureKind(tools.analyse(path, 'video', signal, 'claimed'))];
      for (const kind of kinds) expect([...EXPECTED, 'no failure']).toContain(kind);
    }
  });
});

/** Truncates a file, flips bytes or swaps blocks; deterministic. */
function mangle(source: Buffer, random: () => number): Buffer {
  const data = Buffer.from(source);
  const at = () => Math.floor(random() * data.length);
  const way = Math.floor(random() * 3);
  if (way === 0) return data.subarray(0, Math.max(1, at()));
  if (way === 1) {
    for (let flips = 0; flips < 20; flips += 1) data[at()] = Math.floor(random() * 256);
    return data;
  }
  const middle = at();
  return Buffer.concat([data.subarray(0, 32), data.subarray(middle), data.subarray(32, middle)]);
}
