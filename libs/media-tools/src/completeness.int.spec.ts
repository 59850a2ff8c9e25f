import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { MediaTools } from './media-tools';
import { failureKind, ffmpeg, generator, makeClip, paint } from './testing/media-samples';

const SHARES = [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99];

describe('assertComplete', () => {
  let dir: string;
  const tools = new MediaTools();
  const signal = new AbortController().signal;
  const file = async (name: string, content: Buffer) => {
    await writeFile(join(dir, name), content);
    return join(dir, name);
  };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'completeness-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const noise = (seed: number) => {
    const random = generator(seed);
    const data = Buffer.from(Array.from({ length: 96 * 64 * 3 }, () => Math.floor(random() * 256)));
    return sharp(data, { raw: { width: 96, height: 64, channels: 3 } });
  };
  const pictures: [string, () => Promise<Buffer>][] = [
    ['a JPEG', () => paint(5, 200, 150).jpeg().toBuffer()],
    ['a progressive JPEG with restart markers in noise', () => noise(1).jpeg({ progressive: true, quality: 100 }).toBuffer()],
    ['a PNG', () => noise(2).png().toBuffer()],
    ['a lossy WebP', () => noise(3).webp().toBuffer()],
    ['a GIF', () => noise(4).gif().toBuffer()],
    ['an AVIF', () => noise(5).avif({ effort: 0 }).toBuffer()],
  ];
  const clips: [string, string, string[]][] = [
    ['an MP4 with its index at the end', 'end.mp4', []],
    ['an MP4 with its index first', 'first.mp4', ['-movflags', '+faststart']],
    ['an MP4 of fragments with a segment index', 'dash.mp4', ['-movflags', '+dash+frag_keyframe+empty_moov+global_sidx', '-g', '5']],
    ['a QuickTime file', 'quick.mov', []],
    ['a WebM', 'web.webm', []],
    ['a Matroska file', 'film.mkv', []],
    ['an animated GIF', 'animated.gif', []],
  ];
  const sources: [string, () => Promise<Buffer>][] = [
    ...pictures,
    ...clips.map(([title, name, more]): [string, () => Promise<Buffer>] => [
      title,
      async () => readFile(await makeClip(join(dir, name), { width: 128, height: 96, seconds: 2, sound: !name.endsWith('.gif'), more })),
    ]),
  ];

  it.each(sources)('accepts %s and refuses every truncation of it', async (_title, make) => {
    const whole = await make();
    expect(await failureKind(tools.assertComplete(await file('whole', whole), signal))).toBe('no failure');
    for (const bytes of [...SHARES.map((share) => Math.ceil(whole.length * share)), whole.length - 1]) {
      const kind = await failureKind(tools.assertComplete(await file('cut', whole.subarray(0, bytes)), signal));
      // the first bytes alone may not identify the file
      expect([bytes, kind]).toEqual([bytes, bytes < 64 ? expect.any(String) : 'integrity']);
    }
  });

  it('does not mistake the end marker of an embedded preview for the end of a JPEG', async () => {
    const preview = await paint(6, 80, 60).jpeg().toBuffer();
    const whole = await paint(7, 300, 200).jpeg().toBuffer();
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1, (preview.length + 2) >> 8, (preview.length + 2) & 0xff]), preview]);
    const carrying = Buffer.concat([whole.subarray(0, 2), segment, whole.subarray(2)]);
    expect(await failureKind(tools.assertComplete(await file('whole', carrying), signal))).toBe('no failure');
    const cut = carrying.subarray(0, Math.ceil(carrying.length * 0.7));
    expect(await failureKind(tools.assertComplete(await file('cut', cut), signal))).toBe('integrity');
  });

  it('refuses a JPEG whose missing half was closed with an end marker', async () => {
    const whole = await paint(8, 300, 200).jpeg().toBuffer();
    const closed = Buffer.concat([whole.subarray(0, Math.ceil(whole.length / 2)), Buffer.from([0xff, 0xd9])]);
    expect(await failureKind(tools.assertComplete(await file('closed', closed), signal))).toBe('integrity');
  });

  it('refuses an MP4 whose index names samples beyond its end although every box fits', async () => {
    const source = await makeClip(join(dir, 'open.mp4'), { width: 128, height: 96, seconds: 2, more: ['-movflags', '+faststart'] });
    const whole = await readFile(source);
    const mdat = whole.indexOf('mdat') - 4;
    // a length of 0 means up to the end of the file
    whole.writeUInt32BE(0, mdat);
    expect(await failureKind(tools.assertComplete(await file('whole', whole), signal))).toBe('no failure');
    const cut = whole.subarray(0, mdat + Math.floor((whole.length - mdat) / 2));
    expect(await failureKind(tools.assertComplete(await file('cut', cut), signal))).toBe('integrity');
  });

  it('accepts a streamed WebM without a length, a file with audio only, and padding after an MP4', async () => {
    const live = join(dir, 'live.webm');
    await makeClip(live, { width: 128, height: 96, seconds: 1, more: ['-live', '1'] });
    const sound = join(dir, 'sound.mp4');
    await ffmpeg(['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'aac', sound]);
    const clip = await readFile(await makeClip(join(dir, 'padded.mp4'), { width: 128, height: 96, seconds: 1 }));
    const padded = await file('padded', Buffer.concat([clip, Buffer.alloc(100)]));
    for (const path of [live, sound, padded]) expect(await failureKind(tools.assertComplete(path, signal))).toBe('no failure');
  });
});
