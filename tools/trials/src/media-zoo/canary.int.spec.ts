import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaTools } from '@autoposter/media-tools';
import { CANARY, canaryIn } from './canary';

describe('canaryIn', () => {
  let dir: string;
  const media = new MediaTools();
  const { signal } = new AbortController();
  const make = (name: string, ...args: readonly string[]): string => {
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, join(dir, name)]);
    return join(dir, name);
  };
  const reelOf = async (source: string): Promise<string> => {
    await media.normaliseVideo(source, `${source}.reel.mp4`, signal);
    return `${source}.reel.mp4`;
  };
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'canary-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('finds picture and sound in a reel of the canary, and the picture in one of its frames', async () => {
    const canary = make('canary.mp4', ...CANARY);
    expect(await canaryIn(await reelOf(canary))).toEqual(['picture', 'sound']);
    const [frame = ''] = await media.extractFrames(canary, { count: 1, maxPixels: 160 }, dir, signal);
    expect(await canaryIn(frame)).toEqual(['picture']);
  });

  it('finds nothing in a reel of another clip', async () => {
    const other = ['-f', 'lavfi', '-i', 'smptebars=s=160x120:r=10:d=1', '-f', 'lavfi', '-i', 'sine=d=1', '-pix_fmt', 'yuv420p'];
    expect(await canaryIn(await reelOf(make('other.mp4', ...other)))).toEqual([]);
  });

  it('finds the canary in a corner of a picture', async () => {
    const corner = [
      '-i',
      make('corner.mp4', ...CANARY),
      '-f',
      'lavfi',
      '-i',
      'color=s=640x640:d=1',
      '-filter_complex',
      '[1][0]overlay=8:8',
    ];
    expect(await canaryIn(make('corner.jpg', ...corner, '-frames:v', '1', '-q:v', '2'))).toEqual(['picture']);
  });
});
