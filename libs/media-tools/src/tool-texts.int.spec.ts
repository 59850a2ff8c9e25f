import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { inputGuards } from './ffprobe';
import { paint } from './testing/media-samples';
import { FFMPEG_TEXTS, SHARP_TEXTS } from './tool-texts';

describe('texts of the installed tools', () => {
  let dir: string;
  const path = (name: string) => join(dir, name);
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'texts-'));
    await writeFile(path('list.m3u8'), '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n');
    const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-y'];
    spawnSync('ffmpeg', [...source('64x64', 1), '-map', '0:v', '-map', '0:v', ...h264, path('tracks.mkv')]);
    spawnSync('ffmpeg', [...source('4000x3000', 1), '-frames:v', '1', '-pix_fmt', 'rgb24', '-y', path('large.png')]);
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const ffmpeg = (...args: string[]) => ['ffmpeg', '-hide_banner', '-nostdin', '-loglevel', 'error', ...args];
  const source = (size: string, seconds: number) => ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=10:d=${seconds}`];
  const playlist = () => [...inputGuards('mov', 1_000_000), '-i', `file:${path('list.m3u8')}`];
  const failures: Record<keyof typeof FFMPEG_TEXTS, () => string[][]> = {
    misused: () => [
      ffmpeg('-unknown_option', '1'),
      ffmpeg(...source('64x64', 1), '-c:v', 'unknown_encoder', '-f', 'null', '-'),
      ffmpeg(...source('64x64', 1), '-vf', 'unknown_filter', '-f', 'null', '-'),
      ffmpeg(...source('64x64', 1), '-vf', 'scale=unknown:2', '-f', 'null', '-'),
      ffmpeg(...source('64x64', 1), path('name.unknown')),
    ],
    streams: () => [ffmpeg('-max_streams', '1', '-i', path('tracks.mkv'), '-f', 'null', '-')],
    memory: () => [
      ['prlimit', `--data=${56 * 2 ** 20}`, '--', 'ffprobe', '-v', 'error', '-threads', '1', '-show_frames', path('large.png')],
    ],
    forbidden: () => [
      ffmpeg('-protocol_whitelist', 'file', '-i', 'http://127.0.0.1:9/'),
      ffmpeg('-f', 'unknown_format', ...playlist().slice(-2)),
      ffmpeg('-format_whitelist', 'mov', '-i', path('list.m3u8'), '-f', 'null', '-'),
    ],
    frameSize: () => [ffmpeg('-max_pixels', '100', '-i', path('tracks.mkv'), '-f', 'null', '-')],
    // otherwise the signal ends it, without a text
    fileSize: () => [
      ['sh', '-c', `trap '' XFSZ; exec prlimit --fsize=20000 -- "$@"`, 'sh', ...ffmpeg(...source('320x240', 2), '-y', path('cut.mkv'))],
    ],
    disk: () => [ffmpeg(...source('64x64', 1), '-c:v', 'libx264', '-f', 'matroska', '-y', '/dev/full')],
  };

  // limits and full devices are those of Linux
  const linuxOnly = ['memory', 'fileSize', 'disk'];
  const names = (Object.keys(FFMPEG_TEXTS) as (keyof typeof FFMPEG_TEXTS)[]).filter(
    (name) => process.platform === 'linux' || !linuxOnly.includes(name),
  );
  it.each(names)('of ffmpeg for "%s" are known', (name) => {
    for (const [program = '', ...args] of failures[name]()) {
      const { stderr } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
      expect([args.slice(-3), stderr]).toEqual([args.slice(-3), expect.stringMatching(FFMPEG_TEXTS[name])]);
    }
  });

  const said = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no failure',
      (error: Error) => error.message,
    );

  it('of sharp are known', async () => {
    const png = await paint(1, 100, 100).png().toBuffer();
    expect(await said(sharp(png, { limitInputPixels: 100 }).raw().toBuffer())).toMatch(SHARP_TEXTS.pixels);
    const jpeg = await paint(1, 400, 400).jpeg({ quality: 90 }).toBuffer();
    const cut = jpeg.subarray(0, jpeg.length / 2);
    expect(await said(sharp(cut, { failOn: 'warning' }).raw().toBuffer())).toMatch(SHARP_TEXTS.endsEarly);
    const slow = sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#123456' } }).blur(300);
    expect(await said(slow.timeout({ seconds: 1 }).raw().toBuffer())).toMatch(SHARP_TEXTS.timeout);
  });

  it('are those of the versions that the tables name', async () => {
    const text = await readFile(join(__dirname, 'tool-texts.ts'), 'utf8');
    const [minor] = /^\d+\.\d+/u.exec(sharp.versions.sharp ?? '') ?? [];
    const [vips] = /^\d+\.\d+/u.exec(sharp.versions.vips) ?? [];
    expect(text).toContain(`sharp ${minor ?? '?'} with libvips ${vips ?? '?'}`);
  });
});
