import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hitsBetween, matchesOf, type RightsMatch } from '@autoposter/domain';
import sharp from 'sharp';
import type { Fingerprint } from './fingerprint';
import { MediaTools } from './media-tools';
import { ffmpeg, generator, paint } from './testing/media-samples';

describe('fingerprints of copies', () => {
  let dir: string;
  const tools = new MediaTools();
  const { signal } = new AbortController();
  const path = (name: string) => join(dir, name);
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'prints-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const print = async (file: string, kind: 'video' | 'image') => (await tools.analyse(path(file), kind, signal, 'claimed')).fingerprint;
  function match(ours: Fingerprint, theirs: Fingerprint): RightsMatch | undefined {
    const files = [{ ...ours, sha256: null }];
    const hits = hitsBetween(files, { kind: 'claim', id: '1', title: 'W', published: false }, [{ ...theirs, sha256: null }]);
    return matchesOf(files, hits, () => theirs.preview ?? null)[0];
  }

  /** Scenes of one second; small and slow, so that long videos are made quickly. */
  const source = (seconds: number, rate = 2) => [
    '-f',
    'lavfi',
    '-i',
    `mandelbrot=s=128x96:r=${rate}:end_pts=${seconds * rate}:end_scale=0.002`,
    '-t',
    String(seconds),
  ];
  const h264 = (...more: string[]) => ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...more];

  /** A work that many tests compare copies with, made and fingerprinted once. */
  const work = (file: string, kind: 'video' | 'image', make: () => Promise<unknown>) => {
    let made: Promise<Fingerprint> | undefined;
    return () => (made ??= make().then(() => print(file, kind)));
  };
  const film = work('film.mp4', 'video', () => ffmpeg([...source(8, 4), '-vf', 'scale=256:192', ...h264(), path('film.mp4')]));
  const picture = work('picture.png', 'image', () => paint(5, 640, 480).png().toFile(path('picture.png')));
  const pan = work('pan.mp4', 'video', async () => {
    await paint(5, 640, 480).png().toFile(path('wide.png'));
    const view = "crop=256:192:x='24*t':y=100";
    await ffmpeg(['-loop', '1', '-framerate', '30', '-t', '8', '-i', path('wide.png'), '-vf', view, ...h264(), path('pan.mp4')]);
  });

  it('hashes the views that copies show of works alone', async () => {
    await ffmpeg([...source(3), ...h264(), path('clip.mp4')]);
    const views = ({ pdq }: Fingerprint) => pdq.filter(({ region, isQuery }) => region !== undefined && isQuery === false);
    const post = (await tools.analyse(path('clip.mp4'), 'video', signal)).fingerprint;
    const claimed = await print('clip.mp4', 'video');
    expect([views(post).length, views(claimed).length > 0]).toEqual([0, true]);
    expect(claimed.pdq.filter((one) => !views(claimed).includes(one))).toEqual(post.pdq);
  });

  it('samples all of a WebM file without a duration', async () => {
    const live = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-f', 'webm', '-live', '1'];
    await ffmpeg([...source(40), ...live, path('live.webm')]);
    const times = (await print('live.webm', 'video')).pdq.map(({ atSeconds }) => atSeconds ?? 0);
    expect(Math.max(...times)).toBeGreaterThan(35);
  });

  const moments = {
    'that begins between two samples': ['-ss', '2.2', '-t', '4'],
    'that is played faster': ['-itsscale', '0.909'],
    'that is played more slowly': ['-itsscale', '1.1'],
  };

  it.each(Object.entries(moments))('recognises a copy of a pan %s', async (_what, input) => {
    const original = await pan();
    await ffmpeg([...input, '-i', path('pan.mp4'), ...h264('-crf', '26'), path('form.mp4')]);
    expect(match(await print('form.mp4', 'video'), original)?.strength).toBe('block');
  });

  const forms = {
    mirrored: 'hflip',
    'in black bars': 'pad=iw:ih*2:0:ih/2:black',
    'in a blurred pad': 'split[a][b];[a]scale=iw:trunc(ih*0.9)*2,gblur=12[c];[c][b]overlay=0:(H-h)/2',
    'with a caption bar': 'pad=iw:trunc(ih*0.6)*2:0:oh-ih:white,drawbox=x=iw*0.2:y=ih*0.05:w=iw*0.5:h=ih*0.03:color=black:t=fill',
    'cropped by 10 %': 'crop=trunc(iw*0.4)*2:trunc(ih*0.4)*2',
  };

  const cuts = {
    'without a tenth at its left': 'crop=trunc(iw*0.45)*2:ih:iw-ow:0',
    'without a tenth at its lower side': 'crop=iw:trunc(ih*0.45)*2:0:0',
    'without a tenth above and below': 'crop=iw:trunc(ih*0.4)*2',
    'without 7 % at its left and right': 'crop=trunc(iw*0.43)*2:ih',
    'without its upper left corner': 'crop=trunc(iw*0.46)*2:trunc(ih*0.46)*2:iw-ow:ih-oh',
    'without its lower right corner': 'crop=trunc(iw*0.45)*2:trunc(ih*0.45)*2:0:0',
  };

  it.each(Object.entries(cuts))('recognises a picture %s', async (_what, filter) => {
    const original = await picture();
    await ffmpeg(['-i', path('picture.png'), '-filter_complex', filter, '-q:v', '4', path('form.jpg')]);
    expect(['block', 'flag']).toContain(match(await print('form.jpg', 'image'), original)?.strength);
  });

  it.each(Object.entries(cuts))('recognises a video %s', async (_what, filter) => {
    const original = await film();
    await ffmpeg(['-i', path('film.mp4'), '-filter_complex', filter, ...h264('-crf', '26'), path('form.mp4')]);
    expect(['block', 'flag']).toContain(match(await print('form.mp4', 'video'), original)?.strength);
  });

  it('recognises what is within the margins of a work in other margins, and without any', async () => {
    const inside = await paint(11, 500, 360).png().toBuffer();
    const within = (top: number, left: number, background: string, file: string) =>
      sharp(inside).extend({ top, bottom: top, left, right: left, background }).png().toFile(path(file));
    const framed = await within(60, 60, 'white', 'framed.png').then(() => print('framed.png', 'image'));
    await within(10, 120, 'black', 'margins.png');
    await sharp(inside).toFile(path('inside.png'));
    for (const file of ['margins.png', 'inside.png'])
      expect(['block', 'flag']).toContain(match(await print(file, 'image'), framed)?.strength);
  });

  it.each([-3, 4])('recognises a picture turned by %d degrees', async (degrees) => {
    const original = await picture();
    const turned = `rotate=${degrees}*PI/180,crop=trunc(iw*0.43)*2:trunc(ih*0.43)*2`;
    await ffmpeg(['-i', path('picture.png'), '-vf', turned, '-q:v', '4', path('form.jpg')]);
    expect(match(await print('form.jpg', 'image'), original)?.strength).toBe('flag');
  });

  it('flags a wide video in one half of a tall frame', async () => {
    const still = (file: string) => ['-loop', '1', '-framerate', '8', '-t', '6', '-i', path(file)];
    for (const [file, seed] of [['wide.png', 5] as const, ['other.png', 6] as const]) await paint(seed, 640, 480).png().toFile(path(file));
    await ffmpeg([...still('wide.png'), '-vf', "crop=320:180:x='15*t':y=100", ...h264(), path('wide.mp4')]);
    const original = await print('wide.mp4', 'video');
    const halves = "[0:v]crop=202:180[a];[1:v]crop=202:180:x='300-30*t':y=200[b];[a][b]vstack";
    await ffmpeg(['-i', path('wide.mp4'), ...still('other.png'), '-filter_complex', halves, ...h264('-crf', '26'), path('half.mp4')]);
    expect(match(await print('half.mp4', 'video'), original)?.strength).toBe('flag');
  });

  it('recognises a picture with words above and below', async () => {
    const original = await picture();
    const lines = [0.03, 0.86].map((y) =>
      [0.05, 0.2, 0.4, 0.55, 0.75, 0.88].map((x) => `drawbox=x=iw*${x}:y=ih*${y}:w=iw*0.09:h=ih*0.1:color=white:t=fill`),
    );
    await ffmpeg(['-i', path('picture.png'), '-vf', lines.flat().join(','), '-q:v', '4', path('form.jpg')]);
    expect(['block', 'flag']).toContain(match(await print('form.jpg', 'image'), original)?.strength);
  });

  it.each(Object.entries(forms))('recognises a video %s', async (_what, filter) => {
    const original = await film();
    await ffmpeg(['-i', path('film.mp4'), '-filter_complex', filter, ...h264('-crf', '26'), path('form.mp4')]);
    expect(['block', 'flag']).toContain(match(await print('form.mp4', 'video'), original)?.strength);
  });

  it.each(Object.entries(forms))('recognises a picture %s', async (_what, filter) => {
    const original = await picture();
    await ffmpeg(['-i', path('picture.png'), '-filter_complex', filter, '-q:v', '4', path('form.jpg')]);
    const found = match(await print('form.jpg', 'image'), original);
    expect(found).toMatchObject({ strength: 'block', comparison: { correlation: expect.any(Number) } });
  });

  const words = (top: number): string => `drawbox=x=iw*0.1:y=ih*${top}:w=iw*0.8:h=ih*0.1:color=white:t=fill`;
  const written = {
    'with words across the middle': [words(0.45), 'flag'],
    'with a sticker in a corner': ['drawbox=x=iw*0.55:y=ih*0.55:w=iw*0.4:h=ih*0.4:color=orange:t=fill', 'flag'],
    'without its right fifth': ['crop=trunc(iw*0.4)*2:ih:0:0', 'block'],
    'cut to 9:16 with words below': [`crop=trunc(ih*9/32)*2:ih,${words(0.78)}`, 'flag'],
    'without a tenth at each side, with words below': [`crop=trunc(iw*0.4)*2:trunc(ih*0.4)*2,${words(0.78)}`, 'flag'],
    'mirrored with words below': [`hflip,${words(0.78)}`, 'flag'],
  } as const;

  it.each(Object.entries(written))('recognises a picture %s', async (_what, [filter, strength]) => {
    const original = await picture();
    await ffmpeg(['-i', path('picture.png'), '-filter_complex', filter, '-q:v', '4', path('form.jpg')]);
    expect(match(await print('form.jpg', 'image'), original)?.strength).toBe(strength);
  });

  const writtenFilms = {
    'cut to 9:16': 'crop=trunc(ih*9/32)*2:ih',
    'without a tenth at each side': 'crop=trunc(iw*0.4)*2:trunc(ih*0.4)*2',
    mirrored: 'hflip',
  };

  it.each(Object.entries(writtenFilms))('flags a video %s with words below', async (_what, filter) => {
    const original = await film();
    await ffmpeg(['-i', path('film.mp4'), '-vf', `${filter},${words(0.78)}`, ...h264('-crf', '26'), path('form.mp4')]);
    expect(match(await print('form.mp4', 'video'), original)?.strength).toBe('flag');
  });

  const insets = {
    'a corner of another picture': ['x=W*0.96-w:y=H*0.96-h', 'null'],
    'the centre of a moving picture': ['x=(W-w)/2:y=(H-h)/2', "crop=trunc(iw/2.2)*2:trunc(ih/2.2)*2:x='(iw-ow)*t/8':y=0,scale=256:192"],
    'an edge of a blurred picture': ['x=0:y=H*0.2', 'gblur=sigma=10'],
  };
  const pasted = ([place, background]: readonly string[], more = '') =>
    `[1:v]scale=256:192,${background}[g];[0:v]scale=154:-2[c];[g][c]overlay=${more}${place}`;

  it('only flags countdowns with the same numbers on other colours', async () => {
    const bar = (second: number, part: number): string => {
      const at = (factor: number): string => ((((second + 1) * factor + part * 29) % 60) / 100).toFixed(2);
      return `drawbox=x=iw*${at(37)}:y=ih*${at(23)}:w=iw*0.3:h=ih*0.2:color=white:t=fill:enable='between(t,${second},${second + 0.99})'`;
    };
    const numbers = Array.from({ length: 8 }, (_each, second) => [bar(second, 0), bar(second, 1)]).flat();
    for (const colour of ['navy', 'darkgreen'])
      await ffmpeg(['-f', 'lavfi', '-i', `color=${colour}:s=256x192:r=10:d=8,${numbers.join(',')}`, ...h264(), path(`${colour}.mp4`)]);
    expect(match(await print('navy.mp4', 'video'), await print('darkgreen.mp4', 'video'))?.strength).toBe('flag');
  });

  it.each(Object.entries(insets))('flags a video in %s', async (_where, inset) => {
    await paint(8, 640, 480).png().toFile(path('behind.png'));
    const original = await film();
    const behind = ['-loop', '1', '-framerate', '4', '-i', path('behind.png')];
    await ffmpeg([
      '-i',
      path('film.mp4'),
      ...behind,
      '-filter_complex',
      pasted(inset, 'shortest=1:'),
      ...h264('-crf', '26'),
      path('form.mp4'),
    ]);
    expect(match(await print('form.mp4', 'video'), original)?.strength).toBe('flag');
  });

  it.each(Object.entries(insets))('recognises a picture in %s', async (_where, inset) => {
    const original = await picture();
    await paint(8, 640, 480).png().toFile(path('behind.png'));
    const files = ['-i', path('picture.png'), '-i', path('behind.png')];
    await ffmpeg([...files, '-filter_complex', pasted(inset), '-frames:v', '1', '-q:v', '4', path('form.jpg')]);
    const found = match(await print('form.jpg', 'image'), original);
    expect(found).toMatchObject({ strength: 'block', views: [expect.stringMatching(/^inset/), expect.any(String)] });
  });

  /** The pad has nearly the levels of the content, so that only the sharpness shows where the content begins. */
  const pads = {
    'above and below': 'split[a][b];[a]scale=iw:trunc(iw*16/9/2)*2,gblur=sigma=20[c];[c][b]overlay=x=0:y=(H-h)/2',
    'at the left and the right': 'split[a][b];[a]scale=trunc(ih*16/9/2)*2:ih,gblur=sigma=20[c];[c][b]overlay=x=(W-w)/2:y=0',
    'all around': 'split[a][b];[a]scale=trunc(iw*0.7)*2:trunc(ih*0.7)*2,gblur=sigma=20[c];[c][b]overlay=x=(W-w)/2:y=(H-h)/2',
  };

  async function paintTexture(contrast: number, file: string): Promise<void> {
    const random = generator(9);
    const grain = Buffer.from(Array.from({ length: 400 * 300 * 3 }, () => 78 + random() * 100));
    const texture = await sharp(grain, { raw: { width: 400, height: 300, channels: 3 } })
      .blur(1)
      .png()
      .toBuffer();
    const flat = await paint(5)
      .linear(contrast, 128 * (1 - contrast))
      .png()
      .toBuffer();
    await sharp(flat)
      .composite([{ input: texture, blend: 'soft-light' }])
      .png()
      .toFile(path(file));
  }
  const faintTexture = work('faint.png', 'image', () => paintTexture(0.35, 'faint.png'));
  const strongTexture = work('strong.png', 'image', () => paintTexture(1, 'strong.png'));

  it.each(Object.entries(pads))('recognises a picture of low contrast in a blurred pad %s', async (_where, filter) => {
    const original = await faintTexture();
    await ffmpeg(['-i', path('faint.png'), '-filter_complex', filter, '-q:v', '4', path('form.jpg')]);
    const found = match(await print('form.jpg', 'image'), original);
    expect(found).toMatchObject({ strength: 'block', views: [expect.stringMatching(/^content/), 'full'] });
  });

  it.each([
    ['on the pad', 0.08, 'block'],
    ['on the content', 0.45, 'flag'],
  ] as const)('recognises a picture in a blurred pad with words %s', async (_where, top, strength) => {
    const original = await strongTexture();
    await ffmpeg(['-i', path('strong.png'), '-filter_complex', `${pads['above and below']},${words(top)}`, '-q:v', '4', path('form.jpg')]);
    expect(match(await print('form.jpg', 'image'), original)?.strength).toBe(strength);
  });
});
