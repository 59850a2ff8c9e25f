import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaTools } from './media-tools';
import { ffmpeg } from './testing/media-samples';

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

describe('programs that a video needs', () => {
  let dir: string;
  let tools: MediaTools;
  const { signal } = new AbortController();
  const path = (name: string) => join(dir, name);

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'decodes-'));
    const recorded = async (program: string) => {
      const script = `#!/bin/sh\nprintf '%s ' ${program} "$@" >> ${path('calls')}\necho >> ${path('calls')}\nexec ${program} "$@"\n`;
      await writeFile(path(program), script);
      await chmod(path(program), 0o755);
      return path(program);
    };
    tools = new MediaTools({ ffmpegPath: await recorded('ffmpeg'), ffprobePath: await recorded('ffprobe') });
  });
  beforeEach(() => writeFile(path('calls'), ''));
  afterAll(() => rm(dir, { recursive: true, force: true }));

  /** The programs since the last call but those of the sound's print, and how often each kind of work occurs among them. */
  async function calls() {
    const lines = (await readFile(path('calls'), 'utf8')).split('\n').filter((line) => line !== '' && !/chromaprint|-muxers/u.test(line));
    await writeFile(path('calls'), '');
    const count = (...parts: string[]) => lines.filter((line) => parts.every((part) => line.includes(part))).length;
    const [programs, encoders, copies] = [lines.map((line) => line.split(' ')[0]), count('libx264'), count('-c:v copy')];
    return { programs, encoders, copies, analyses: count('rawvideo', 'cropdetect', 'ebur128') };
  }

  it('are one decoder for the analysis and one for the encoder', async () => {
    const letterboxed = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=3,pad=320:320:0:70:black', '-f', 'lavfi', '-i', 'sine=d=3'];
    await ffmpeg([...letterboxed, ...H264, '-c:a', 'aac', path('wide.mp4')]);
    const analysis = await tools.analyse(path('wide.mp4'), 'video', signal);
    expect(await calls()).toEqual({ programs: ['ffprobe', 'ffmpeg'], analyses: 1, encoders: 0, copies: 0 });
    expect(analysis.bars).toEqual({ x: 0, y: 70, width: 320, height: 180 });
    expect(analysis.loudness).toBeLessThan(-15);
    expect(analysis.fingerprint.pdq.length).toBeGreaterThan(0);
    const { changes, probed } = await tools.normaliseVideo(path('wide.mp4'), path('wide-reel.mp4'), signal, { analysis });
    expect(await calls()).toEqual({ programs: ['ffmpeg', 'ffprobe'], analyses: 0, encoders: 1, copies: 0 });
    await tools.poster(path('wide-reel.mp4'), path('cover.jpg'), 1, signal, probed);
    expect((await calls()).programs).toEqual(['ffmpeg']);
    await tools.poster(path('wide-reel.mp4'), path('probed-cover.jpg'), 1, signal);
    expect((await calls()).programs).toEqual(['ffprobe', 'ffmpeg']);
    expect(await readFile(path('cover.jpg'))).toEqual(await readFile(path('probed-cover.jpg')));
    expect(changes).toMatchObject({ barsRemoved: true, videoCopied: false, loudness: { source: analysis.loudness } });
  });

  it('are one decoder for a video that matches the profile, whose frames are copied', async () => {
    const ready = ['testsrc2=s=720x1280:r=30:d=3', 'aevalsrc=0.35*sin(2*PI*997*t):s=48000:d=3'].flatMap((one) => [
      '-f',
      'lavfi',
      '-i',
      one,
    ]);
    await ffmpeg([...ready, ...H264, '-g', '60', '-flags', '+cgop', '-c:a', 'aac', '-ac', '2', path('ready.mp4')]);
    const analysis = await tools.analyse(path('ready.mp4'), 'video', signal);
    await calls();
    const { changes } = await tools.normaliseVideo(path('ready.mp4'), path('ready-reel.mp4'), signal, { analysis });
    // the first ffprobe reads the times of the packets
    expect(await calls()).toEqual({ programs: ['ffprobe', 'ffmpeg', 'ffprobe'], analyses: 0, encoders: 0, copies: 1 });
    expect(changes).toMatchObject({ videoCopied: true, audioCopied: true, barsRemoved: false });
  });

  it('measure the loudness of a silent track as none', async () => {
    const silent = ['testsrc2=s=160x120:r=10:d=3', 'anullsrc=d=3'].flatMap((one) => ['-f', 'lavfi', '-i', one]);
    await ffmpeg([...silent, ...H264, '-c:a', 'aac', path('silent.mp4')]);
    expect(await tools.analyse(path('silent.mp4'), 'video', signal)).toMatchObject({ bars: null, loudness: null });
  });
});
