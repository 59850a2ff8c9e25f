import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { MediaTools } from './media-tools';
import { creditsOf } from './credits';
import type { MediaAnalysis } from './fingerprint';
import { pictureFrame } from './pictures';
import { carouselRatio } from './reel-filters';
import { failureKind, paint } from './testing/media-samples';

describe('pictures', () => {
  let dir: string;
  const tools = new MediaTools();
  const signal = new AbortController().signal;
  const path = (name: string) => join(dir, name);
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'pictures-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it.each([
    [1000, 1000, 1000, 1000],
    [4000, 3000, 1440, 1080],
    [1080, 1920, 1440, 1800],
    [3000, 500, 1440, 754],
    [100, 100, 320, 320],
    [10, 2000, 1440, 1800],
    [800, 1000, 800, 1000],
  ])('puts a picture of %ix%i on a canvas of %ix%i', (width, height, outWidth, outHeight) => {
    const frame = pictureFrame(width, height);
    expect(frame).toEqual({ width: outWidth, height: outHeight });
    expect(frame.width / frame.height).toBeGreaterThanOrEqual(0.8);
    expect(frame.width / frame.height).toBeLessThanOrEqual(1.91);
  });

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('recognises and normalises %s', async (format) => {
    const file = path(`in-${format}.bin`);
    await writeFile(file, await paint(2, 300, 400).toFormat(format).toBuffer());
    expect(await tools.probe(file, signal)).toMatchObject({
      container: format,
      kind: 'image',
      width: 300,
      height: 400,
      durationSeconds: null,
      hasAudio: false,
    });
    const info = await tools.normaliseImage(file, path('out.jpg'), signal);
    expect(info).toMatchObject({ container: 'jpeg', width: 320, height: 400 });
    const print = (await tools.analyse(file, 'image', signal, 'claimed')).fingerprint;
    expect(print).toMatchObject({ preview: { side: 192 } });
    expect(print.pdq[0]).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), quality: expect.any(Number), atSeconds: null });
  });

  it('rotates a picture upright and keeps only author and copyright of its metadata', async () => {
    const source = await paint(3, 400, 300)
      .withExif({
        IFD0: { Copyright: '(c) Ann Author', Artist: 'Ann', Make: 'PRIVATE-PHONE', ImageDescription: 'PRIVATE-PLACE' },
        IFD3: { GPSLatitude: '48/1 12/1 0/1', GPSLatitudeRef: 'N' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    await writeFile(path('private.jpg'), source);
    expect(source.toString('latin1')).toContain('PRIVATE');
    expect(await tools.probe(path('private.jpg'), signal)).toMatchObject({ width: 300, height: 400, rotation: 90 });
    await tools.normaliseImage(path('private.jpg'), path('clean.jpg'), signal);
    const written = (await readFile(path('clean.jpg'))).toString('latin1');
    expect(written).not.toMatch(/PRIVATE|ICC_PROFILE|http:\/\/ns\.adobe|48\/1/);
    const { orientation = 1, exif, icc, width, height, space } = await sharp(path('clean.jpg')).metadata();
    expect({ orientation, icc, width, height, space }).toEqual({ orientation: 1, width: 320, height: 400, space: 'srgb' });
    expect(creditsOf({ exif })).toEqual({ artist: 'Ann', copyright: '(c) Ann Author' });
  });

  it('writes a picture without author and copyright without any metadata', async () => {
    await paint(3, 400, 300)
      .withExif({ IFD0: { Make: 'PRIVATE-PHONE' } })
      .jpeg()
      .toFile(path('phone.jpg'));
    await tools.normaliseImage(path('phone.jpg'), path('bare.jpg'), signal);
    expect((await sharp(path('bare.jpg')).metadata()).exif).toBeUndefined();
  });

  it('reads author and copyright from XMP, and nothing from damaged metadata', () => {
    const item = (name: string, text: string) =>
      `<dc:${name}><rdf:Alt><rdf:li xml:lang="x-default">${text}</rdf:li></rdf:Alt></dc:${name}>`;
    expect(creditsOf({ xmpAsString: `<x>${item('creator', 'Ann &amp; Bob')}${item('rights', 'CC BY\n4.0')}</x>` })).toEqual({
      artist: 'Ann & Bob',
      copyright: 'CC BY 4.0',
    });
    expect(creditsOf({ xmpAsString: '<dc:creator><rdf:li' })).toEqual({});
    for (const damaged of ['', 'Exif\0\0II*\0\xff\xff\xff\xff', 'MM\0*\0\0\0\x08\xff\xff\x01\x3b\0\x02\xff\xff\xff\xff\xff\xff\xff\xff'])
      expect(creditsOf({ exif: Buffer.from(damaged, 'latin1') })).toEqual({});
  });

  it.each([
    ['blur', [255, 0, 0]],
    ['pad', [0, 0, 0]],
    ['crop', [255, 0, 0]],
  ] as const)('brings a wide picture to the ratio of its carousel by %s', async (layout, expected) => {
    const wide = sharp({ create: { width: 1000, height: 500, channels: 3, background: '#ff0000' } });
    await wide.png().toFile(path('wide.png'));
    const info = await tools.normaliseImage(path('wide.png'), path('laid-out.jpg'), signal, { layout, ratio: 0.8 });
    expect(info).toMatchObject({ width: 1000, height: 1250 });
    const { data } = await sharp(path('laid-out.jpg')).raw().toBuffer({ resolveWithObject: true });
    const pixel = [...data.subarray((20 * 1000 + 500) * 3, (20 * 1000 + 500) * 3 + 3)];
    for (const [index, value] of pixel.entries()) expect(Math.abs(value - (expected[index] ?? 0))).toBeLessThan(6);
  });

  /** A photograph-like texture between black bars, as a JPEG. */
  const letterboxed = async (name: string, [width, height]: [number, number], bar: number) => {
    const middle = await paint(9, width, height - 2 * bar)
      .modulate({ brightness: 1.2 })
      .png()
      .toBuffer();
    const canvas = sharp({ create: { width, height, channels: 3, background: '#000000' } });
    await canvas
      .composite([{ input: middle, left: 0, top: bar }])
      .jpeg({ quality: 70 })
      .toFile(path(name));
    return path(name);
  };

  it.each([
    ['of its own size', [800, 1000], 200],
    ['larger than what is decoded for its fingerprint', [2400, 3000], 600],
  ] as [string, [number, number], number][])('removes the black bars of a picture %s', async (_what, size, bar) => {
    const file = await letterboxed('bars.jpg', size, bar);
    const analysis = await tools.analyse(file, 'image', signal);
    const info = await tools.normaliseImage(file, path('content.jpg'), signal, { analysis });
    expect(info.changes).toEqual({ barsRemoved: true, enlargedFrom: null, toneMapped: false });
    expect(Math.abs(info.width / info.height - size[0] / (size[1] - 2 * bar))).toBeLessThan(0.02);
    const { data } = await sharp(path('content.jpg')).greyscale().raw().toBuffer({ resolveWithObject: true });
    const meanOf = (row: number) =>
      data.subarray(row * info.width, (row + 1) * info.width).reduce((sum, level) => sum + level, 0) / info.width;
    expect(Math.min(meanOf(0), meanOf(1), meanOf(info.height - 2), meanOf(info.height - 1))).toBeGreaterThan(40);
    expect(carouselRatio(analysis)).toBeCloseTo(size[0] / (size[1] - 2 * bar), 1);
  });

  it('takes the bars of a picture from its analysis and finds them no second time', async () => {
    const file = await letterboxed('analysed.jpg', [800, 1000], 200);
    const analysis = await tools.analyse(file, 'image', signal);
    const { x, y, width, height } = analysis.bars ?? { x: 0, y: 0, width: 0, height: 0 };
    expect([x, width]).toEqual([0, 800]);
    for (const [lost, least] of [
      [y - 200, 0],
      [800 - y - height, 0],
    ] as const) {
      expect(lost).toBeGreaterThanOrEqual(least);
      expect(lost).toBeLessThanOrEqual(5);
    }
    const narrower = { ...analysis, bars: { x: 100, y: 300, width: 500, height: 400 } };
    expect(await tools.normaliseImage(file, path('narrow.jpg'), signal, { analysis: narrower })).toMatchObject({ width: 500, height: 400 });
    const whole = await tools.normaliseImage(file, path('whole.jpg'), signal, { analysis: { ...analysis, bars: null } });
    expect(whole).toMatchObject({ width: 800, height: 1000, changes: { barsRemoved: false } });
  });

  it('says of a picture that it is enlarged, and leaves one without bars whole', async () => {
    await paint(4, 200, 200).png().toFile(path('small.png'));
    const small = await tools.normaliseImage(path('small.png'), path('larger.jpg'), signal);
    expect([small.width, small.changes]).toEqual([
      320,
      { barsRemoved: false, enlargedFrom: { width: 200, height: 200 }, toneMapped: false },
    ]);
    await paint(4, 900, 900).png().toFile(path('enough.png'));
    const enough = await tools.normaliseImage(path('enough.png'), path('same.jpg'), signal);
    expect([enough.width, enough.changes]).toEqual([900, { barsRemoved: false, enlargedFrom: null, toneMapped: false }]);
  });

  const upright = { kind: 'image', width: 600, height: 400, rotation: 0 };
  const anamorphic = { kind: 'video', width: 1024, height: 576, rotation: 0 };
  it.each([
    ['a tall picture, within what Instagram shows', { info: { ...upright, width: 300, height: 900 } }, null, 0.8],
    ['a landscape picture', { info: upright }, null, 1.5],
    ['a rotated picture between bars', { info: { ...upright, rotation: 90 } }, { x: 0, y: 50, width: 540, height: 300 }, 1.8],
    ['a rotated video', { info: { ...upright, kind: 'video', rotation: 90 }, frame: { width: 400, height: 600 } }, null, 1.5],
    [
      'a video between bars whose pixels are not square',
      { info: anamorphic, frame: { width: 720, height: 576 } },
      { x: 90, y: 0, width: 540, height: 576 },
      768 / 576,
    ],
  ])('gives a carousel the ratio of %s', (_what, source, bars, ratio) => {
    expect(carouselRatio({ source, bars } as unknown as MediaAnalysis)).toBeCloseTo(ratio, 6);
  });

  it('renders transparency as white', async () => {
    await sharp({ create: { width: 400, height: 400, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toFile(path('clear.png'));
    await tools.normaliseImage(path('clear.png'), path('white.jpg'), signal);
    const { data } = await sharp(path('white.jpg')).raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it('refuses a truncated picture', async () => {
    const whole = await paint(4).jpeg().toBuffer();
    await writeFile(path('half.jpg'), whole.subarray(0, whole.length / 2));
    expect(await failureKind(tools.normaliseImage(path('half.jpg'), path('never.jpg'), signal))).toBe('corrupt_media');
    expect(await failureKind(tools.analyse(path('half.jpg'), 'image', signal, 'claimed'))).toBe('corrupt_media');
  });
});
