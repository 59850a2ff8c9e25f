import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hitsBetween, matchesOf } from '@autoposter/domain';
import { MediaTools } from './media-tools';
import { ffmpeg } from './testing/media-samples';

describe('frames of a long video', () => {
  let dir: string;
  const media = new MediaTools();
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'frames-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('are taken at the same times in a copy of 204 s with other key frames, frame rate and bit rate', async () => {
    const source = [
      '-f',
      'lavfi',
      '-i',
      'mandelbrot=s=128x96:r=2:end_scale=0.0001:end_pts=408:maxiter=600',
      '-t',
      '204',
      '-pix_fmt',
      'yuv420p',
    ];
    const [work, copy] = [join(dir, 'work.mp4'), join(dir, 'copy.mp4')];
    await ffmpeg([...source, '-preset', 'ultrafast', '-g', '250', '-sc_threshold', '0', work]);
    await ffmpeg(['-i', work, '-r', '3', '-preset', 'ultrafast', '-g', '7', '-crf', '34', copy]);
    const print = async (file: string, origin: 'claimed' | 'collected') => {
      const { fingerprint } = await media.analyse(file, 'video', AbortSignal.timeout(200_000), origin);
      return { ...fingerprint, sha256: null };
    };
    const [theirs, ours] = [await print(work, 'claimed'), await print(copy, 'collected')];
    const hits = hitsBetween([ours], { kind: 'claim', id: 'work', title: 'A work', published: false }, [theirs]);
    const [match] = matchesOf([ours], hits, () => null);
    expect(match).toMatchObject({ strength: 'block' });
    expect(Math.abs(match?.segment?.offsetSeconds ?? Infinity)).toBeLessThan(1);
    expect(match?.shareOfOurs).toBeGreaterThan(0.85);
    // of the copy 90 s are published
    expect(match?.shareOfTheirs).toBeGreaterThan(0.4);
    expect(match?.shareOfTheirs).toBeLessThan(0.45);
  });
});
