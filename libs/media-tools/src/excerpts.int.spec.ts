import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hitsBetween, matchesOf, type RightsMatch } from '@autoposter/domain';
import { MediaTools } from './media-tools';
import { ffmpeg } from './testing/media-samples';

/** Claimed works of which posts show a part, in a post that shows other things too. */
describe('fingerprints of excerpts', () => {
  let dir: string;
  const tools = new MediaTools();
  const signal = AbortSignal.timeout(280_000);
  const path = (name: string) => join(dir, name);
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'excerpts-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const zoom = (seconds: number, centre: readonly [number, number]) =>
    `mandelbrot=s=128x96:r=4:start_x=${centre[0]}:start_y=${centre[1]}:end_pts=${seconds * 4}:end_scale=0.0005:maxiter=200,trim=end=${seconds}`;
  const [WORK, OTHER, MORE] = [
    [-0.743644, -0.131826],
    [-0.1592, 1.0317],
    [-1.2495, 0.0286],
  ] as const;
  const write = (graph: string, file: string) => ffmpeg(['-filter_complex', graph, ...h264, path(file)]);
  const writeWork = (seconds: number, file: string) => write(zoom(seconds, WORK), file);

  async function compare(post: string, work: string): Promise<RightsMatch | undefined> {
    const { fingerprint: ours } = await tools.analyse(path(post), 'video', signal, 'collected');
    const theirs = (await tools.analyse(path(work), 'video', signal, 'claimed')).fingerprint;
    const files = [{ ...ours, sha256: null }];
    const hits = hitsBetween(files, { kind: 'claim', id: '1', title: 'W', published: false }, [{ ...theirs, sha256: null }]);
    return matchesOf(files, hits, () => null)[0];
  }

  it.each([7.3, 33.1, 58.9])('find all of a work of 4 s in a post of 90 s, from %d s on', async (before) => {
    await writeWork(4, 'short.mp4');
    const post = `${zoom(before, OTHER)}[a];movie=${path('short.mp4')},fps=4[b];${zoom(86 - before, MORE)}[c];[a][b][c]concat=n=3,setpts=N/4/TB`;
    await write(post, 'compilation.mp4');
    const found = await compare('compilation.mp4', 'short.mp4');
    expect(found).toMatchObject({ strength: 'block' });
    expect(found?.segment?.ours.fromSeconds).toBeGreaterThan(before - 1.5);
    expect(found?.segment?.ours.fromSeconds).toBeLessThan(before + 1.5);
  });

  it('find 15 s of a work of 10 minutes', async () => {
    await writeWork(600, 'long.mp4');
    await ffmpeg(['-ss', '233.3', '-i', path('long.mp4'), '-t', '15', '-r', '5', ...h264, '-crf', '30', path('excerpt.mp4')]);
    const found = await compare('excerpt.mp4', 'long.mp4');
    expect(found).toMatchObject({ strength: 'block' });
    expect(found?.segment?.offsetSeconds).toBeCloseTo(233.3, 0);
  });

  it('find a work at the beginning of a post of 10 minutes, of which 90 s are published', async () => {
    await writeWork(45, 'scene.mp4');
    await write(`movie=${path('scene.mp4')},fps=4[a];${zoom(555, OTHER)}[b];[a][b]concat=n=2,setpts=N/4/TB`, 'stream.mp4');
    const found = await compare('stream.mp4', 'scene.mp4');
    expect(found).toMatchObject({ strength: 'block' });
    expect(found?.shareOfOurs).toBeCloseTo(0.5, 1);
  });
});
