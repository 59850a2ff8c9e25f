import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { MediaTools } from './media-tools';
import { readMp4Layout } from './mp4';
import { failureKind, ffmpeg } from './testing/media-samples';
import { distance, levelAt, loudnessOf, pixelAt, streamsOf, videoPackets } from './testing/pixels';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const colour = (rgb: string, size: string, seconds = 3, rate = 5) => [
  '-f',
  'lavfi',
  '-i',
  `color=c=0x${rgb}:s=${size}:r=${rate}:d=${seconds},format=gbrp`,
];

describe('normalised videos', () => {
  let dir: string;
  const tools = new MediaTools();
  const signal = new AbortController().signal;
  const path = (name: string) => join(dir, name);
  const make = async (name: string, ...args: string[]) => {
    await ffmpeg([...args, path(name)]);
    return path(name);
  };
  const normalise = async (source: string, options = {}) => {
    const out = `${source}.reel.mp4`;
    return { out, info: await tools.normaliseVideo(source, out, signal, options) };
  };
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'faithful-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  describe('colours', () => {
    const BROWN = [134, 63, 51] as const;
    const matrix = (name: string) => ['-vf', `scale=out_color_matrix=${name}:out_range=tv,format=yuv420p`];

    it('reads untagged HD as BT.709 and tags the result', async () => {
      const { out } = await normalise(await make('hd.mp4', ...colour('863F33', '406x720'), ...matrix('bt709'), ...H264));
      expect(distance(await pixelAt(out, 1, 360, 640), BROWN)).toBeLessThanOrEqual(5);
      expect((await streamsOf(out)).video).toMatchObject({
        color_space: 'bt709',
        color_transfer: 'bt709',
        color_primaries: 'bt709',
        color_range: 'tv',
      });
    });

    it('reads untagged SD as BT.601', async () => {
      const { out } = await normalise(await make('sd.mp4', ...colour('863F33', '640x360'), ...matrix('bt601'), ...H264));
      expect(distance(await pixelAt(out, 1, 360, 640), BROWN)).toBeLessThanOrEqual(5);
    });

    it('believes the tag of a file before its size', async () => {
      const tags = ['-colorspace', 'smpte170m', '-color_primaries', 'smpte170m', '-color_trc', 'smpte170m'];
      const { out } = await normalise(await make('tagged.mp4', ...colour('863F33', '406x720'), ...matrix('bt601'), ...tags, ...H264));
      expect(distance(await pixelAt(out, 1, 360, 640), BROWN)).toBeLessThanOrEqual(5);
    });

    it.each([
      ['PQ', 'smpte2084'],
      ['HLG', 'arib-std-b67'],
    ])('maps the tones of %s to SDR', async (name, transfer) => {
      // grey at 26 cd/m2 and red in a picture whose reference white has 203 cd/m2
      const tagged =
        'scale=out_color_matrix=bt709:out_range=tv,format=yuv444p10le,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709';
      const grade = `${tagged},zscale=m=2020_ncl:t=${transfer}:p=2020:r=limited:npl=203,format=yuv420p10le`;
      const tags = ['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020', '-color_trc', transfer];
      const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'];
      const hdr = (rgb: string) => make(`${name}-${rgb}.mp4`, ...colour(rgb, '320x180'), '-vf', grade, ...tags, ...x265);
      const grey = await normalise(await hdr('606060'));
      expect(distance(await pixelAt(grey.out, 1, 360, 640), [96, 96, 96])).toBeLessThanOrEqual(12);
      const red = await normalise(await hdr('802020'));
      expect(distance(await pixelAt(red.out, 1, 360, 640), [128, 32, 32])).toBeLessThanOrEqual(14);
      expect(red.info.changes.toneMapped).toBe(true);
      expect((await streamsOf(red.out)).video).toMatchObject({ color_space: 'bt709', color_transfer: 'bt709', color_primaries: 'bt709' });
    });

    it('shows transparent parts of an animation on white', async () => {
      const picture = ['-f', 'lavfi', '-i', 'color=c=blue:s=32x64:r=5:d=1,format=rgba,pad=64:64:0:0:color=red@0'];
      const { out } = await normalise(await make('clear.png', ...picture, '-f', 'apng', '-plays', '0'));
      expect(distance(await pixelAt(out, 1, 180, 640), [0, 0, 255])).toBeLessThanOrEqual(4);
      expect(distance(await pixelAt(out, 1, 540, 640), [255, 255, 255])).toBeLessThanOrEqual(4);
    });
  });

  describe('time', () => {
    const testCard = (seconds: number, rate = 10) => ['-f', 'lavfi', '-i', `testsrc2=s=160x120:r=${rate}:d=${seconds}`];
    const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=d=${seconds}`];

    it.each(['webm', 'mkv'])('keeps the sound that a %s file has after its last frame', async (extension) => {
      const codecs = extension === 'webm' ? ['-c:v', 'libvpx', '-c:a', 'libopus'] : [...H264, '-c:a', 'aac'];
      const { out } = await normalise(await make(`sound.${extension}`, ...testCard(3), ...tone(5), ...codecs));
      const { video, audio } = await streamsOf(out);
      expect(Number(video.duration)).toBeCloseTo(5, 0);
      expect(Number(audio.duration)).toBeCloseTo(5, 0);
    });

    const blueThenRed = (seconds: number) => [
      ...['-f', 'lavfi', '-i'],
      `color=c=blue:s=160x120:r=10:d=${seconds}[a];color=c=red:s=160x120:r=10:d=${seconds}[b];[a][b]concat`,
    ];

    it.each(['mp4', 'mkv'])('keeps the end of a %s file whose picture starts after its sound', async (extension) => {
      const tracks = ['-itsoffset', '2', ...blueThenRed(2), ...tone(6), '-map', '0:v', '-map', '1:a', ...H264, '-c:a', 'aac'];
      const { out, info } = await normalise(await make(`late.${extension}`, ...tracks));
      expect(info.durationSeconds).toBeCloseTo(6, 0);
      expect(distance(await pixelAt(out, 1, 360, 640), [0, 0, 255])).toBeLessThan(12);
      expect(distance(await pixelAt(out, 3, 360, 640), [0, 0, 255])).toBeLessThan(12);
      expect(distance(await pixelAt(out, 5, 360, 640), [255, 0, 0])).toBeLessThan(12);
    });

    it('keeps the end of a silent video that starts at 2 s', async () => {
      const { out, info } = await normalise(await make('offset.mkv', '-itsoffset', '2', ...blueThenRed(2), ...H264));
      expect(info.durationSeconds).toBeCloseTo(4, 1);
      expect(distance(await pixelAt(out, 1, 360, 640), [0, 0, 255])).toBeLessThan(12);
      expect(distance(await pixelAt(out, 3, 360, 640), [255, 0, 0])).toBeLessThan(12);
    });

    it.each([
      ['one frame', 'one.mp4', ['-frames:v', '1', ...H264]],
      ['two frames of 20 ms', 'blink.gif', ['-frames:v', '2', '-r', '50', '-pix_fmt', 'rgb8']],
    ])('repeats a clip of %s', async (_what, name, options) => {
      const { out, info } = await normalise(await make(name, ...blueThenRed(1), ...options));
      expect(info.durationSeconds).toBeCloseTo(3, 0);
      expect(distance(await pixelAt(out, 1, 360, 640), [0, 0, 255])).toBeLessThan(12);
    });

    it('repeats a clip that is shorter than 3 s', async () => {
      const { out, info } = await normalise(await make('short.mp4', ...blueThenRed(1), ...tone(2), ...H264));
      expect(info.changes.loopedFromSeconds).toBeCloseTo(2, 1);
      expect(info.durationSeconds).toBeCloseTo(4, 1);
      expect(distance(await pixelAt(out, 2.5, 360, 640), [0, 0, 255])).toBeLessThan(12);
      expect(distance(await pixelAt(out, 3.5, 360, 640), [255, 0, 0])).toBeLessThan(12);
    });

    it('repeats what a clip shows that was cut without encoding it, with its sound in step', async () => {
      // one key frame: the second before the cut stays in the file, hidden by its edit list
      const picture = [['lime', 1] as const, ['blue', 0.6] as const, ['red', 2.1] as const]
        .map(([name, length], index) => `color=c=${name}:s=160x120:r=10:d=${length}[v${index}];`)
        .join('');
      const beep = ['-f', 'lavfi', '-i', "aevalsrc='0.3*sin(2*PI*997*t)*lt(t,1.6)':s=48000:d=3.7"];
      const whole = await make('uncut.mp4', '-f', 'lavfi', '-i', `${picture}[v0][v1][v2]concat=n=3`, ...beep, ...H264, '-g', '100');
      const { out, info } = await normalise(await make('recut.mp4', '-ss', '1', '-i', whole, '-c', 'copy'));
      expect(info.changes.loopedFromSeconds).toBeCloseTo(2.7, 2);
      expect(info.durationSeconds).toBeCloseTo(5.4, 2);
      for (const [seconds, expected] of [
        ...[0.05, 2.75, 3.2].map((at) => [at, [0, 0, 255]] as const),
        ...[0.7, 2.6, 3.4].map((at) => [at, [255, 0, 0]] as const),
      ]) {
        expect([seconds, distance(await pixelAt(out, seconds, 360, 640), expected) < 14]).toEqual([seconds, true]);
        // the tone lasts as long as the blue frames
        expect([seconds, (await levelAt(out, seconds)) > -40]).toEqual([seconds, expected[2] === 255]);
      }
      expect(await loudnessOf(out)).toBeCloseTo(-14, 0);
    });

    it('holds the last frame of a clip that lacks a few frames to 3 s, instead of playing it twice', async () => {
      const everySecond = "select='not(mod(n,2))+lt(t,1)'";
      const { info } = await normalise(await make('almost.mp4', ...testCard(3, 60), '-vf', everySecond, '-vsync', 'vfr', ...H264));
      expect(info.changes.loopedFromSeconds).toBeNull();
      expect(info.durationSeconds).toBeCloseTo(3, 1);
    });

    it.each(['gif', 'webp'] as const)('shows the long last frame of an animated %s each time that it is repeated', async (format) => {
      const frames = ['#0000ff', '#ff0000'].map((background) => ({
        create: { width: 160, height: 120, channels: 4 as const, background },
      }));
      const source = path(`long-end.${format}`);
      const pages = await Promise.all(frames.map((create) => sharp(create).png().toBuffer()));
      await sharp(pages, { join: { animated: true } })
        .toFormat(format, { delay: [200, 800] })
        .toFile(source);
      const { out, info } = await normalise(source);
      expect(info.changes.loopedFromSeconds).toBeCloseTo(1, 2);
      expect(info.durationSeconds).toBeCloseTo(3, 1);
      for (const [seconds, expected] of [
        ...([0.1, 1.1, 2.1] as const).map((at) => [at, [0, 0, 255]] as const),
        ...([0.3, 0.9, 1.3, 1.9, 2.3, 2.9] as const).map((at) => [at, [255, 0, 0]] as const),
      ])
        expect([seconds, distance(await pixelAt(out, seconds, 360, 640), expected) < 14]).toEqual([seconds, true]);
    });

    it.each([
      ['gif', ['-pix_fmt', 'rgb8']],
      ['apng', ['-f', 'apng', '-plays', '0']],
    ])('repeats an animated %s up to 3 s', async (name, format) => {
      const source = await make(`animation.${name}`, ...testCard(1), ...format);
      expect(await tools.probe(source, signal)).toMatchObject({ kind: 'video', container: name, durationSeconds: 1 });
      const { info } = await normalise(source);
      expect(info.durationSeconds).toBeCloseTo(3, 1);
    });

    it('plays an animated WebP picture frame by frame, with its delays and colours, and leaves no file beside it', async () => {
      const frames = ['#ff0000', '#00ff00', '#0000ff'].map((background) => ({
        create: { width: 160, height: 120, channels: 4 as const, background },
      }));
      const pages = await Promise.all(frames.map((create) => sharp(create).png().toBuffer()));
      const source = path('animation.webp');
      await sharp(pages, { join: { animated: true } })
        .webp({ lossless: true, delay: [400, 200, 1000] })
        .toFile(source);
      expect(await tools.probe(source, signal)).toMatchObject({ kind: 'video', container: 'webp', width: 160, height: 120 });
      const { out, info } = await normalise(source);
      expect(info.changes.loopedFromSeconds).toBeCloseTo(1.6, 1);
      for (const [seconds, expected] of [
        [0.2, [255, 0, 0]],
        [0.5, [0, 255, 0]],
        [1.2, [0, 0, 255]],
        [1.8, [255, 0, 0]],
      ] as const)
        expect(distance(await pixelAt(out, seconds, 360, 640), expected)).toBeLessThan(14);
      expect((await tools.analyse(source, 'video', signal, 'claimed')).fingerprint.pdq).not.toEqual([]);
      expect(await failureKind(tools.normaliseImage(source, path('no.jpg'), signal))).toBe('unsupported_media');
      expect((await readdir(dir)).filter((name) => name.startsWith('animation.webp')).sort()).toEqual([
        'animation.webp',
        'animation.webp.reel.mp4',
      ]);
    });

    it('refuses an animated WebP picture that would unpack to more bytes than a video may have', async () => {
      const source = await make('noise.webp', '-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10:d=1', '-loop', '0');
      const strict = new MediaTools({ limits: { videoBytes: 100_000 } });
      expect(await failureKind(strict.probe(source, signal))).toBe('too_large');
      expect((await readdir(dir)).filter((name) => name.startsWith('noise.webp'))).toEqual(['noise.webp']);
    });

    it('plays an animated AVIF picture', async () => {
      const source = await make('animation.avif', ...blueThenRed(1), '-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '30');
      expect(await tools.probe(source, signal)).toMatchObject({ kind: 'video', container: 'avif', videoCodec: 'av1' });
      const { out } = await normalise(source);
      expect(distance(await pixelAt(out, 0.5, 360, 640), [0, 0, 255])).toBeLessThan(14);
      expect(distance(await pixelAt(out, 1.5, 360, 640), [255, 0, 0])).toBeLessThan(14);
    });

    it.each([
      [60, '60/1'],
      [50, '50/1'],
      [120, '60/1'],
      [24, '30/1'],
    ])('writes a video of %d frames per second with %s', async (rate, expected) => {
      const { out } = await normalise(await make(`rate-${rate}.mp4`, ...colour('0000FF', '90x160', 3, rate), ...H264));
      expect((await streamsOf(out)).video.avg_frame_rate).toBe(expected);
    });

    it('deinterlaces', async () => {
      // a bar that moves 8 columns per field is torn apart in every second line of an interlaced frame
      const bar = ['-f', 'lavfi', '-i', 'color=c=black:s=720x404:r=50:d=3', '-f', 'lavfi', '-i', 'color=c=white:s=200x404:r=50:d=3'];
      const moving = ['-filter_complex', "[0][1]overlay=x='mod(n*16,500)':y=0,interlace=scan=tff:lowpass=0"];
      const source = await make('interlaced.mp4', ...bar, ...moving, ...H264, '-flags', '+ilme+ildct', '-x264-params', 'tff=1');
      expect((await streamsOf(source)).video.field_order).not.toBe('progressive');
      expect(await combing(source, 0)).toBeGreaterThan(4);
      const { out } = await normalise(source);
      expect(await combing(out, 0)).toBeLessThan(1);
    });
  });

  describe('tracks', () => {
    it('uses the first video and the first sound of a file with many tracks', async () => {
      const tones = Array.from({ length: 11 }, (_tone, index) => ['-f', 'lavfi', '-i', `sine=f=${200 + index * 50}:d=3`]).flat();
      const maps = Array.from({ length: 12 }, (_map, index) => ['-map', String(index)]).flat();
      const source = await make('many.mkv', ...colour('0000FF', '160x120'), ...tones, ...maps, ...H264, '-c:a', 'aac');
      const { info } = await normalise(source);
      expect(info).toMatchObject({ hasAudio: true, audioCodec: 'aac' });
    });

    it('names a truncated file as damaged at every cut', async () => {
      const whole = await readFile(
        await make('whole.mp4', ...colour('0000FF', '160x120'), '-f', 'lavfi', '-i', 'sine=d=3', ...H264, '-movflags', '+faststart'),
      );
      const slow = await readFile(await make('slow.mp4', ...colour('0000FF', '160x120'), '-f', 'lavfi', '-i', 'sine=d=3', ...H264));
      for (const data of [whole, slow]) {
        for (const share of [0.02, 0.1, 0.3, 0.6, 0.9]) {
          await writeFile(path('cut.mp4'), data.subarray(0, Math.floor(data.length * share)));
          const kinds = [await failureKind(tools.probe(path('cut.mp4'), signal)), await failureKind(normalise(path('cut.mp4')))];
          expect([share, kinds.filter((kind) => !['no failure', 'integrity', 'corrupt_media'].includes(kind))]).toEqual([share, []]);
          expect([share, kinds[1]]).not.toEqual([share, 'no failure']);
        }
      }
    });
  });

  describe('a compliant file', () => {
    const compliant = (name: string, more: string[] = []) =>
      make(
        name,
        ...['-f', 'lavfi', '-i', 'testsrc2=s=720x1280:r=30:d=4', '-f', 'lavfi', '-i', 'aevalsrc=0.35*sin(2*PI*997*t):s=48000:d=4'],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '60', '-flags', '+cgop', '-c:a', 'aac', '-ac', '2'],
        ...['-metadata', 'title=PRIVATE-TITLE', '-metadata', 'location=+48.2+016.3/', '-metadata', 'artist=Ann Author', ...more],
      );

    it('is copied packet by packet, without its private tags', async () => {
      const source = await compliant('ready.mp4', ['-metadata', 'copyright=(c) Ann Author']);
      const { out, info } = await normalise(source);
      expect(info).toMatchObject({ width: 720, height: 1280, changes: { videoCopied: true } });
      expect(await videoPackets(out)).toEqual(await videoPackets(source));
      expect(await readMp4Layout(out)).toEqual({ indexFirst: true, editLists: 0 });
      const { video, audio, tags } = await streamsOf(out);
      expect(Math.abs(Number(video.start_time) - Number(audio.start_time))).toBeLessThan(0.05);
      expect(tags).toMatchObject({ artist: 'Ann Author', copyright: '(c) Ann Author' });
      expect(await readFile(out, 'latin1')).not.toMatch(/PRIVATE|\+48\.2/);
    });

    it('keeps its picture while quiet sound is raised to -14 LUFS', async () => {
      const source = await compliant('quiet.mp4', ['-af', 'volume=-12dB']);
      const { out, info } = await normalise(source);
      expect(info.changes).toMatchObject({ videoCopied: true, audioCopied: false });
      expect(await videoPackets(out)).toEqual(await videoPackets(source));
      const loudness = await loudnessOf(out);
      expect(loudness).toBeGreaterThan(-16);
      expect(loudness).toBeLessThan(-13);
    });

    it('is encoded if its edit list hides frames', async () => {
      // the cut is not at a key frame, so the 15 frames before it stay in the file
      const whole = await compliant('uncut-ready.mp4', ['-vf', "drawbox=color=lime:t=fill:enable='lt(n,15)'", '-g', '200']);
      const { out, info } = await normalise(await make('recut-ready.mp4', '-ss', '0.5', '-i', whole, '-c', 'copy'));
      expect(info).toMatchObject({ changes: { videoCopied: false }, durationSeconds: 3.5 });
      expect(distance(await pixelAt(out, 0, 360, 640), [0, 255, 0])).toBeGreaterThan(50);
    });

    it('is encoded if its groups of pictures are open', async () => {
      const source = await compliant('open.mp4', ['-x264-params', 'open-gop=1:keyint=20:bframes=3', '-flags', '-cgop']);
      expect((await normalise(source)).info.changes.videoCopied).toBe(false);
    });
  });

  describe('layout', () => {
    const RED = [255, 0, 0];
    const wide = () => make('wide.mp4', ...colour('FF0000', '320x180'), ...H264);

    it.each([
      ['blur', RED],
      ['pad', [0, 0, 0]],
      ['crop', RED],
    ])('fills the space around a wide picture by %s', async (layout, expected) => {
      const { out } = await normalise(await wide(), { layout });
      expect(distance(await pixelAt(out, 1, 360, 640), RED)).toBeLessThan(8);
      expect(distance(await pixelAt(out, 1, 360, 60), expected)).toBeLessThan(8);
    });

    it('removes black bars before it adds its own', async () => {
      const bars = ['-vf', 'pad=320:320:0:70:black'];
      const { out, info } = await normalise(await make('bars.mp4', ...colour('FF0000', '320x180'), ...bars, ...H264), { layout: 'blur' });
      expect(info.changes.barsRemoved).toBe(true);
      expect(distance(await pixelAt(out, 1, 360, 380), RED)).toBeLessThan(8);
    });

    it('leaves a black picture whole', async () => {
      const { info } = await normalise(await make('black.mp4', ...colour('000000', '320x180'), ...H264));
      expect(info.changes.barsRemoved).toBe(false);
    });

    it('says that a small picture was enlarged, and enlarges it as little as the platform allows', async () => {
      expect((await normalise(await wide())).info).toMatchObject({
        width: 720,
        height: 1280,
        changes: { enlargedFrom: { width: 320, height: 180 } },
      });
      const { info } = await normalise(await make('hd-wide.mp4', ...colour('FF0000', '1280x720'), ...H264));
      expect(info).toMatchObject({ width: 1080, height: 1920, changes: { enlargedFrom: null } });
    });

    it('takes the ratio of the first file of a carousel', async () => {
      const { info } = await normalise(await wide(), { ratio: 0.8 });
      expect((info.width / info.height).toFixed(2)).toBe('0.80');
    });
  });

  /** Mean difference of adjacent lines beyond that of lines two apart, of a frame in the middle. */
  async function combing(file: string, at: number): Promise<number> {
    const raw = path('lines.gray');
    await ffmpeg(['-ss', String(at + 1), '-i', file, '-frames:v', '1', '-vf', 'format=gray', '-f', 'rawvideo', raw]);
    const { video } = await streamsOf(file);
    const data = await readFile(raw);
    let near = 0;
    let far = 0;
    for (let at = 0; at + 2 * video.width < data.length; at += 1) {
      near += Math.abs((data[at] as number) - (data[at + video.width] as number));
      far += Math.abs((data[at] as number) - (data[at + 2 * video.width] as number));
    }
    return (near - far) / data.length;
  }
});
