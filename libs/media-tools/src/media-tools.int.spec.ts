import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { REEL } from './media-limits';
import { hammingDistance } from '@autoposter/domain';
import { MediaTools } from './media-tools';
import { readMp4Layout } from './mp4';
import { failureKind, ffmpeg, makeClip, paint } from './testing/media-samples';

describe('MediaTools with ffmpeg', () => {
  let dir: string;
  const tools = new MediaTools();
  const signal = new AbortController().signal;
  const path = (name: string) => join(dir, name);
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'media-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('reports the capabilities of the installed tools', async () => {
    expect(await tools.capabilities()).toEqual({
      ffmpeg: { available: true, message: expect.stringMatching(/^FFmpeg \S+ is available$/), version: expect.any(String) },
      ffprobe: { available: true, message: expect.stringMatching(/^FFprobe \S+ is available$/), version: expect.any(String) },
      encoders: { h264: true, aac: true },
      toneMapping: true,
      soundPrints: true,
    });
    const missing = new MediaTools({ ffmpegPath: '/nowhere/ffmpeg', ffprobePath: '/nowhere/ffprobe' });
    const report = await missing.capabilities();
    expect([report.ffmpeg.available, report.ffprobe.available, report.encoders]).toEqual([false, false, { h264: false, aac: false }]);
    expect(await failureKind(missing.probe(await makeClip(path('m.mp4')), signal))).toBe('not_configured');
  });

  it('probes the content and ignores the file name', async () => {
    const named = path('not-a-video.jpg');
    await makeClip(path('clip.mp4'), { width: 320, height: 240, seconds: 2 });
    await writeFile(named, await readFile(path('clip.mp4')));
    expect(await tools.probe(named, signal)).toMatchObject({
      container: 'mp4',
      kind: 'video',
      width: 320,
      height: 240,
      fps: 25,
      videoCodec: 'h264',
      audioCodec: 'aac',
      hasAudio: true,
      rotation: 0,
    });
    expect(await tools.probe(await makeClip(path('clip.webm'), { sound: false }), signal)).toMatchObject({
      container: 'webm',
      videoCodec: 'vp8',
      audioCodec: null,
      hasAudio: false,
    });
    expect(await tools.probe(await makeClip(path('clip.gif'), { sound: false, fps: 5 }), signal)).toMatchObject({
      container: 'gif',
      kind: 'video',
    });
    await ffmpeg(['-i', path('clip.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90', path('turned.mp4')]);
    const turned = await tools.probe(path('turned.mp4'), signal);
    if (turned.rotation !== 0) expect(turned).toMatchObject({ width: 240, height: 320 });
  });

  it.each([
    { name: 'landscape with sound', width: 640, height: 360, seconds: 2, fps: 24, sound: true },
    { name: 'portrait without sound', width: 360, height: 640, seconds: 2, fps: 60, sound: false },
    { name: 'square with odd sides', width: 322, height: 322, seconds: 1, fps: 15, sound: true },
  ])(
    'brings a $name video to the Reels profile',
    async ({ name, ...clip }) => {
      const source = await makeClip(path(`${name}.mp4`), {
        ...clip,
        more: ['-metadata', 'title=PRIVATE-TITLE', '-metadata', 'location=+48.2+016.3/', '-metadata:s:v', 'handler_name=PRIVATE-PHONE'],
      });
      const out = path(`${name}-reel.mp4`);
      const info = await tools.normaliseVideo(source, out, signal);
      expect(info).toMatchObject({
        container: 'mp4',
        width: 720,
        height: 1280,
        fps: Math.max(30, clip.fps),
        videoCodec: 'h264',
        audioCodec: 'aac',
        hasAudio: true,
        rotation: 0,
        trimmedFromSeconds: null,
        bytes: (await stat(out)).size,
      });
      expect(Math.abs((info.durationSeconds ?? 0) - clip.seconds * Math.ceil(3 / clip.seconds))).toBeLessThan(0.3);
      expect(await readMp4Layout(out)).toEqual({ indexFirst: true, editLists: 0 });
      const written = await readFile(out, 'latin1');
      expect(await readFile(source, 'latin1')).toContain('PRIVATE-TITLE');
      expect(written).not.toMatch(/PRIVATE|\+48\.2/);
    },
    60_000,
  );

  it('centres the picture on the canvas without mirroring it', async () => {
    const source = await makeClip(path('marked.mp4'), {
      width: 320,
      height: 320,
      seconds: 1,
      picture: 'color=c=red',
      sound: false,
      more: ['-vf', 'drawbox=x=0:y=0:w=160:h=320:color=blue:t=fill'],
    });
    await tools.normaliseVideo(source, path('marked-reel.mp4'), signal, { layout: 'pad' });
    const [frame] = await tools.extractFrames(path('marked-reel.mp4'), { count: 1, maxPixels: 1920 }, dir, signal);
    const { data, info } = await sharp(frame).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) =>
      [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)].map((v) => (v > 128 ? 1 : 0)).join('');
    expect([info.width, info.height]).toEqual([720, 1280]);
    expect([at(360, 60), at(180, 640), at(540, 640), at(360, 1200)]).toEqual(['000', '001', '100', '000']);
  });

  it('trims a video that is longer than a reel and reports it', async () => {
    expect(REEL.maxSeconds).toBe(90);
    // encoding 90 s takes half a minute and runs the same code
    const limit = jest.replaceProperty(REEL as { maxSeconds: number }, 'maxSeconds', 6);
    const source = await makeClip(path('long.mp4'), { width: 64, height: 64, seconds: 8, fps: 5, picture: 'color=c=navy' });
    const info = await tools.normaliseVideo(source, path('long-reel.mp4'), signal);
    limit.restore();
    expect(info.trimmedFromSeconds).toBeCloseTo(8, 0);
    expect(info.durationSeconds).toBeLessThanOrEqual(6);
    expect(info.durationSeconds).toBeGreaterThan(5.5);
  });

  it('muxes separate video and audio without encoding them', async () => {
    const video = await makeClip(path('silent.mp4'), { sound: false });
    await ffmpeg(['-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', 'aac', path('sound.mp4')]);
    await tools.muxVideoAndAudio(video, path('sound.mp4'), path('joined.mp4'), signal);
    expect(await tools.probe(path('joined.mp4'), signal)).toMatchObject({ videoCodec: 'h264', audioCodec: 'aac', width: 320, height: 180 });
    expect(await failureKind(tools.muxVideoAndAudio(video, video, path('no.mp4'), signal))).toMatch(/corrupt_media|internal/);
    expect(await readdir(dir)).not.toContain('no.mp4');
  });

  it('fingerprints a re-encoded copy close to its original and another video far from it', async () => {
    const source = await makeClip(path('fp.mp4'), {
      picture: 'mandelbrot=start_scale=3:end_scale=0.3',
      width: 640,
      height: 360,
      seconds: 4,
      sound: false,
    });
    await ffmpeg(['-i', source, '-vf', 'scale=426:240', '-crf', '35', path('fp-copy.mp4')]);
    const print = (await tools.analyse(source, 'video', signal, 'claimed')).fingerprint;
    const copy = (await tools.analyse(path('fp-copy.mp4'), 'video', signal, 'claimed')).fingerprint;
    const other = (await tools.analyse(await makeClip(path('fp-other.mp4'), { seconds: 4 }), 'video', signal, 'claimed')).fingerprint;
    const frames = ({ pdq }: typeof print) => pdq.filter(({ view }) => view === undefined);
    expect(frames(print).length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...print.pdq.map(({ atSeconds }) => atSeconds ?? NaN))).toBe(0);
    const nearest = (hash: string) => Math.min(...frames(print).map((own) => hammingDistance(own.hash, hash)));
    for (const { hash } of frames(copy)) expect(nearest(hash)).toBeLessThanOrEqual(31);
    for (const { hash } of frames(other)) expect(nearest(hash)).toBeGreaterThan(31);
    expect(await failureKind(tools.analyse(source, 'image', signal, 'claimed'))).toBe('unsupported_media');
  });

  it('extracts frames and a cover from videos and pictures', async () => {
    const source = await makeClip(path('frames.mp4'), { width: 640, height: 360, seconds: 3 });
    const frames = await tools.extractFrames(source, { count: 4, maxPixels: 320 }, dir, signal);
    expect(frames).toHaveLength(4);
    expect(new Set(frames).size).toBe(4);
    for (const frame of frames) expect(await sharp(frame).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 180 });
    await paint(1).jpeg().toFile(path('photo.jpg'));
    expect(await tools.extractFrames(path('photo.jpg'), { count: 4, maxPixels: 200 }, dir, signal)).toHaveLength(1);
    for (const file of [source, path('photo.jpg')]) {
      await tools.poster(file, path('cover.jpg'), 1, signal);
      expect(await sharp(path('cover.jpg')).metadata()).toMatchObject({ format: 'jpeg', width: 420, height: 654 });
    }
  });

  it('finds the sharpest frame for the cover, and neither a black frame, a title nor a blurred one', async () => {
    await paint(4).png().toFile(path('scene.png'));
    await paint(4).blur(6).png().toFile(path('blurred.png'));
    const title = Buffer.alloc(400 * 300 * 3, 200);
    for (let at = 0; at < title.length; at += 30) if (Math.floor(at / 1200) % 20 === 0) title.fill(0, at, at + 9);
    await sharp(title, { raw: { width: 400, height: 300, channels: 3 } })
      .png()
      .toFile(path('title.png'));
    await sharp({ create: { width: 400, height: 300, channels: 3, background: '#000' } })
      .png()
      .toFile(path('black.png'));
    const shots = ['black', 'title', 'blurred', 'scene', 'black'];
    const source = path('shots.mp4');
    await ffmpeg([
      ...shots.flatMap((name) => ['-loop', '1', '-t', '1.5', '-r', '10', '-i', path(`${name}.png`)]),
      ...['-filter_complex', `concat=n=${shots.length}:v=1`, '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', source],
    ]);
    const { coverSeconds } = (await tools.analyse(source, 'video', signal, 'claimed')).fingerprint;
    expect(coverSeconds).toBeGreaterThanOrEqual(4.5);
    expect(coverSeconds).toBeLessThan(6);
    expect((await tools.analyse(path('scene.png'), 'image', signal, 'claimed')).fingerprint.coverSeconds).toBeNull();
  });

  it('names the time at which the cover frame is shown', async () => {
    await paint(4).png().toFile(path('scene.png'));
    await paint(4).blur(12).png().toFile(path('blurred.png'));
    await sharp({ create: { width: 400, height: 300, channels: 3, background: '#000' } })
      .png()
      .toFile(path('black.png'));
    const shots = { black: '1.2', scene: '0.3', blurred: '2' };
    const source = path('short-shot.mp4');
    await ffmpeg([
      ...Object.entries(shots).flatMap(([name, seconds]) => ['-loop', '1', '-t', seconds, '-r', '20', '-i', path(`${name}.png`)]),
      ...['-filter_complex', 'concat=n=3:v=1', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', source],
    ]);
    const { coverSeconds } = (await tools.analyse(source, 'video', signal, 'claimed')).fingerprint;
    expect(coverSeconds).toBeGreaterThanOrEqual(1.2);
    expect(coverSeconds).toBeLessThan(1.5);
  });

  it('leaves no process behind', () => {
    const running = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(running.split('\n').filter((line) => line.includes(dir))).toEqual([]);
  });
});
