import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hammingDistance } from '@autoposter/domain';
import { hevcPictureOf, writeHeic } from '@autoposter/testkit';
import sharp, { type Sharp } from 'sharp';
import { creditsOf } from './credits';
import { MediaTools } from './media-tools';
import { carouselRatio } from './reel-filters';
import { heicPhoto, mirrored, nclx, profiled, quarters, redTile, rotated } from './testing/heic-samples';
import { failureKind, ffmpeg, generator, paint } from './testing/media-samples';

const COLOURS = { red: [255, 0, 0], green: [0, 255, 0], blue: [0, 0, 255], yellow: [255, 255, 0] };
type Rgb = readonly number[];

describe('HEIC pictures', () => {
  let dir: string;
  const tools = new MediaTools();
  const signal = new AbortController().signal;
  const path = (name: string) => join(dir, name);
  const file = async (content: Buffer, name = 'in.heic') => {
    await writeFile(path(name), content);
    return path(name);
  };
  const far = (a: Rgb, b: Rgb): number => Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? 0))));
  const nameOf = (rgb: Rgb): string => Object.entries(COLOURS).find(([, colour]) => far(rgb, colour) < 20)?.[0] ?? rgb.join();
  /** Colours of a written picture at shares of its width and height. */
  const pixelsOf = async (out: string, places: readonly (readonly [number, number])[]): Promise<Rgb[]> => {
    const { data, info } = await sharp(out).raw().toBuffer({ resolveWithObject: true });
    return places.map(([x, y]) => {
      const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
      return [...data.subarray(at, at + 3)];
    });
  };
  const normalised = async (content: Buffer, name?: string) => {
    const info = await tools.normaliseImage(await file(content, name), path('out.jpg'), signal);
    return { ...info, written: await readFile(path('out.jpg')) };
  };
  const corners = async (content: Buffer): Promise<string[]> => {
    await normalised(content);
    const places = [0.1, 0.9].flatMap((y) => [0.1, 0.9].map((x) => [x, y] as const));
    return (await pixelsOf(path('out.jpg'), places)).map(nameOf);
  };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'heic-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));
  afterEach(async () => {
    expect((await readdir(dir)).filter((name) => name.endsWith('.png'))).toEqual([]);
  });

  it('are described, checked, compared, written and shown like other pictures', async () => {
    const photo = await file(heicPhoto());
    const info = { container: 'heic', kind: 'image', width: 320, height: 240, rotation: 0, durationSeconds: null };
    expect(await tools.probe(photo, signal)).toMatchObject(info);
    await tools.assertComplete(photo, signal);
    expect(await tools.normaliseImage(photo, path('out.jpg'), signal)).toMatchObject({ container: 'jpeg', width: 320, height: 240 });
    await tools.poster(photo, path('cover.jpg'), 0, signal);
    await tools.still(photo, path('still.jpg'), { atSeconds: 0, maxSide: 160 }, signal);
    expect(await tools.probe(path('still.jpg'), signal)).toMatchObject({ width: 160, height: 120 });
    expect(await tools.extractFrames(photo, { count: 1, maxPixels: 160 }, dir, signal)).toHaveLength(1);
    expect(carouselRatio(await tools.analyse(photo, 'image', signal))).toBeCloseTo(4 / 3);
  });

  it('have the fingerprint and the pixels of the same picture as JPEG', async () => {
    const jpeg = await file(await paint(11, 320, 240).jpeg({ quality: 90 }).toBuffer(), 'same.jpg');
    const [ours, theirs] = [
      (await tools.analyse(await file(heicPhoto()), 'image', signal, 'claimed')).fingerprint,
      (await tools.analyse(jpeg, 'image', signal, 'claimed')).fingerprint,
    ];
    expect(hammingDistance(ours.pdq[0]?.hash ?? '', theirs.pdq[0]?.hash ?? '')).toBeLessThanOrEqual(8);
    await normalised(heicPhoto());
    const difference = await sharp(path('out.jpg'))
      .composite([{ input: jpeg, blend: 'difference' }])
      .removeAlpha()
      .raw()
      .toBuffer();
    expect(difference.reduce((sum, value) => sum + value, 0) / difference.length).toBeLessThan(3);
  });

  it.each([
    ['upright', [], ['red', 'green', 'blue', 'yellow']],
    ['turned to the left', [rotated(1)], ['green', 'yellow', 'red', 'blue']],
    ['upside down', [rotated(2)], ['yellow', 'blue', 'green', 'red']],
    ['turned to the right', [rotated(3)], ['blue', 'red', 'yellow', 'green']],
    ['mirrored', [mirrored(1)], ['green', 'red', 'yellow', 'blue']],
    ['turned and then mirrored', [rotated(1), mirrored(0)], ['red', 'blue', 'green', 'yellow']],
  ])('made of tiles are written %s', async (_how, properties, expected) => {
    expect(await corners(quarters({ properties }))).toEqual(expected);
  });

  it('are rotated once, although their EXIF says the same', async () => {
    const exif = await exifOf(paint(1, 40, 30).withMetadata({ orientation: 6 }));
    const turned = quarters({ properties: [rotated(3)], exif });
    expect(await tools.probe(await file(turned), signal)).toMatchObject({ width: 112, height: 120, rotation: 90 });
    expect(await corners(turned)).toEqual(['blue', 'red', 'yellow', 'green']);
  });

  it('of Display P3, by a profile or by numbers alone, become sRGB as a JPEG does', async () => {
    const { icc = Buffer.alloc(0) } = await sharp(await paint(2).withIccProfile('p3').jpeg().toBuffer()).metadata();
    const plain = await paint(11, 320, 240).jpeg({ quality: 95 }).toBuffer();
    const jpeg = Buffer.concat([plain.subarray(0, 2), jpegProfile(icc), plain.subarray(2)]);
    const means = async (content: Buffer, name: string) => {
      await normalised(content, name);
      expect(await sharp(path('out.jpg')).metadata()).toMatchObject({ space: 'srgb', hasProfile: false });
      return (await sharp(path('out.jpg')).stats()).channels.map(({ mean, stdev }) => [mean, stdev]).flat();
    };
    const expected = await means(jpeg, 'p3.jpg');
    expect(far(await means(plain, 'plain.jpg'), expected)).toBeGreaterThan(3);
    expect(far(await means(heicPhoto({ properties: [profiled(icc)] }), 'icc.heic'), expected)).toBeLessThan(1);
    expect(far(await means(heicPhoto({ properties: [nclx(12, 13)] }), 'nclx.heic'), expected)).toBeLessThan(1);
    expect(far(await means(heicPhoto({ properties: [nclx(9, 13)] }), 'wide.heic'), expected)).toBeGreaterThan(1);
  });

  it('keep only author and copyright of their metadata', async () => {
    const exif = await exifOf(
      paint(1, 40, 30).withExif({
        IFD0: { Artist: 'Ann', Copyright: '(c) Ann Author', Make: 'PRIVATE-PHONE' },
        IFD3: { GPSLatitude: '48/1 12/1 0/1', GPSLatitudeRef: 'N' },
      }),
    );
    expect(exif.toString('latin1')).toContain('PRIVATE');
    const { written } = await normalised(heicPhoto({ exif }));
    expect(written.toString('latin1')).not.toMatch(/PRIVATE|48\/1/);
    expect(creditsOf(await sharp(written).metadata())).toEqual({ artist: 'Ann', copyright: '(c) Ann Author' });
    const xmp = '<x><dc:creator><rdf:Seq><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator></x>';
    expect(creditsOf(await sharp((await normalised(quarters({ xmp }))).written).metadata())).toEqual({ artist: 'Bob' });
    expect((await sharp((await normalised(heicPhoto())).written).metadata()).exif).toBeUndefined();
  });

  it.each([
    ['heix', ['heix', 'mif1']],
    ['mif1', ['mif1', 'heic']],
    ['heim', ['heim', 'mif1']],
  ])('are recognised by the brand %s', async (_name, brands) => {
    expect(await tools.probe(await file(redTile({ brands })), signal)).toMatchObject({ container: 'heic', width: 64, height: 64 });
  });

  it('are told from AVIF pictures of the same brand', async () => {
    const avif = await paint(2, 64, 48).avif({ effort: 0 }).toBuffer();
    avif.write('mif1', 8, 'latin1');
    expect(await tools.probe(await file(avif, 'in.avif'), signal)).toMatchObject({ container: 'avif', width: 64, height: 48 });
  });

  it.each([
    ['of another codec', { codec: 'av01' }, 'unsupported_media', 'its picture is coded as av01'],
    ['in PQ', { properties: [nclx(9, 16)] }, 'unsupported_media', 'high dynamic range (PQ)'],
    ['in HLG', { properties: [nclx(9, 18)] }, 'unsupported_media', 'high dynamic range (HLG)'],
    ['with too many pixels', { stated: { width: 8000, height: 6300 } }, 'too_large', '8000x6300'],
    ['without a size', { stated: { width: 0, height: 6000 } }, 'corrupt_media', 'no size'],
  ])('are refused by their header if they are %s', async (_what, details, kind, said) => {
    await expect(tools.probe(await file(redTile(details)), signal)).rejects.toMatchObject({
      failure: { kind, message: expect.stringContaining(said) },
    });
  });

  it('are refused before decoding if they would need more memory than there is', async () => {
    const small = new MediaTools({ limits: { memoryBytes: 256 * 2 ** 20 } });
    const large = await file(redTile({ stated: { width: 5000, height: 4000 } }));
    await expect(small.probe(large, signal)).rejects.toMatchObject({ failure: { code: 'media_needs_memory', kind: 'too_large' } });
    expect(await small.probe(await file(redTile({ stated: { width: 4000, height: 3000 } })), signal)).toMatchObject({ width: 4000 });
  });

  it.each([
    ['one coded picture', heicPhoto],
    ['tiles', quarters],
  ])('of %s are refused wherever they end early', async (_what, make) => {
    const whole = make();
    for (const share of [0.05, 0.3, 0.6, 0.9, 0.99]) {
      const cut = await file(whole.subarray(0, Math.ceil(whole.length * share)), 'cut.heic');
      expect([share, await failureKind(tools.assertComplete(cut, signal))]).toEqual([
        share,
        share < 0.1 ? expect.any(String) : expect.stringMatching(/^(integrity|corrupt_media)$/),
      ]);
      expect([share, await failureKind(tools.normaliseImage(cut, path('never.jpg'), signal))]).toEqual([share, 'corrupt_media']);
    }
    expect(await readdir(dir)).not.toContain('never.jpg');
  });

  it('are refused with a damaged coded picture', async () => {
    const damaged = quarters();
    damaged.fill(0, damaged.indexOf('mdat') + 30, damaged.indexOf('mdat') + 60);
    expect(await failureKind(tools.assertComplete(await file(damaged), signal))).toBe('corrupt_media');
  });

  it('are refused as too large if their coded pixels exceed what the header states and the memory holds', async () => {
    const mp4 = await ffmpeg([
      ...['-f', 'lavfi', '-i', 'color=s=8000x6000', '-frames:v', '1', '-pix_fmt', 'yuv420p', '-c:v', 'libx265', '-preset', 'ultrafast'],
      ...['-x265-params', 'log-level=none', '-tag:v', 'hvc1', path('huge.mp4')],
    ]).then(() => readFile(path('huge.mp4')));
    const lying = await file(writeHeic({ tiles: [hevcPictureOf(mp4)], tile: { width: 320, height: 240 } }));
    const small = new MediaTools({ limits: { memoryBytes: 200 * 2 ** 20 } });
    await expect(small.analyse(lying, 'image', signal, 'claimed')).rejects.toMatchObject({
      failure: { code: 'media_exceeds_memory', kind: 'too_large' },
    });
    expect(await failureKind(tools.analyse(lying, 'image', signal, 'claimed'))).toMatch(/^(too_large|corrupt_media)$/);
  });

  it('with a damaged header are read or refused by type, and leave nothing behind', async () => {
    const random = generator(7);
    const whole = quarters({ exif: Buffer.from('II*\0\x08\0\0\0\0\0', 'latin1'), xmp: '<x/>', properties: [rotated(1), nclx(12, 13)] });
    const end = whole.indexOf('mdat');
    const kinds = new Set<string>();
    for (let index = 0; index < 1500; index += 1) {
      const damaged = Buffer.from(whole);
      for (let change = 0; change <= index % 3; change += 1) damaged[12 + Math.floor(random() * (end - 12))] = Math.floor(random() * 256);
      const path = await file(damaged, 'damaged.heic');
      kinds.add(await failureKind(tools.probe(path, signal)));
      if (index % 100 === 0) kinds.add(await failureKind(tools.analyse(path, 'image', signal, 'claimed')));
    }
    for (const kind of kinds) expect(['no failure', 'corrupt_media', 'unsupported_media', 'too_large']).toContain(kind);
    expect(kinds.size).toBeGreaterThan(2);
  });

  it('end with the time or the signal of their decoder', async () => {
    const photo = await file(heicPhoto());
    const hasty = new MediaTools({ limits: { shortRunMs: 1 } });
    await expect(hasty.analyse(photo, 'image', signal, 'claimed')).rejects.toMatchObject({
      failure: { code: 'media_work_timed_out', kind: 'transient' },
    });
    await expect(tools.analyse(photo, 'image', AbortSignal.timeout(20), 'claimed')).rejects.toMatchObject({
      failure: { code: 'media_work_stopped' },
    });
  });
});

async function exifOf(picture: Sharp): Promise<Buffer> {
  const { exif = Buffer.alloc(0) } = await sharp(await picture.jpeg().toBuffer()).metadata();
  return exif.subarray(exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0);
}

/** A segment of a JPEG file that calls its numbers those of a profile (ICC.1, annex B). */
function jpegProfile(icc: Buffer): Buffer {
  const length = icc.length + 16;
  return Buffer.concat([Buffer.from([0xff, 0xe2, length >> 8, length & 0xff]), Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'), icc]);
}
