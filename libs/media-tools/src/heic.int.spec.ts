import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hammingDistance } from '@autoposter/domain';
import { hevcPictureOf, writeHeic } from '@autoposter/testkit';
import sharp, { type Sharp } from 'sharp';
import { creditsOf } from './credits';
import { unpackHdrPicture } from './hdr-picture';
import { DEFAULT_MEDIA_LIMITS } from './media-limits';
import { MediaTools } from './media-tools';
import { carouselRatio } from './reel-filters';
import { sniffFile } from './sniff';
import { bt2020, heicPhoto, mirrored, nclx, PQ_AVIF, profiled, quarters, redTile, rotated } from './testing/heic-samples';
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

  const transfers: [string, string, number][] = [
    ['PQ', 'smpte2084', 16],
    ['HLG', 'arib-std-b67', 18],
  ];
  /** A picture of one colour of sRGB, whose white is the reference white, with 10 bits, BT.2020 and this transfer. */
  const graded = async (rgb: string, transfer: string, code: number, [width, height] = [320, 240]) => {
    const standard = 'format=yuv444p10le,setparams=color_primaries=bt709:color_trc=iec61966-2-1:colorspace=bt709';
    const levels = `zscale=m=2020_ncl:t=${transfer}:p=2020:r=limited:npl=203,format=yuv420p10le`;
    await ffmpeg([
      ...['-f', 'lavfi', '-i', `color=c=0x${rgb}:s=${width}x${height}:r=1:d=1,format=gbrp`, '-frames:v', '1'],
      ...['-vf', `scale=out_color_matrix=bt709:out_range=tv,${standard},${levels}`],
      ...['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020', '-color_trc', transfer],
      ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-tag:v', 'hvc1', path('graded.mp4')],
    ]);
    const tiles = [hevcPictureOf(await readFile(path('graded.mp4')))];
    return writeHeic({ tiles, tile: { width: width ?? 0, height: height ?? 0 }, properties: [bt2020(code), rotated(1)] });
  };
  const middle = async (content: Buffer, name?: string): Promise<Rgb> => {
    const { changes } = await normalised(content, name);
    expect(changes.toneMapped).toBe(true);
    return (await pixelsOf(path('out.jpg'), [[0.5, 0.5]]))[0] ?? [];
  };

  it.each(transfers)('in %s keep their dark and middle tones, and roll off the bright ones', async (_name, transfer, code) => {
    expect(far(await middle(await graded('863F33', transfer, code)), [0x86, 0x3f, 0x33])).toBeLessThanOrEqual(3);
    expect(far(await middle(await graded('606060', transfer, code)), [0x60, 0x60, 0x60])).toBeLessThanOrEqual(3);
    const [white = 0] = await middle(await graded('FFFFFF', transfer, code));
    expect(white).toBeGreaterThan(205);
    expect(white).toBeLessThan(225);
  });

  it('with a high dynamic range are described, checked, compared and written upright', async () => {
    const photo = await file(await graded('606060', 'smpte2084', 16));
    expect(await tools.probe(photo, signal)).toMatchObject({ container: 'heic', width: 240, height: 320, rotation: 270 });
    await tools.assertComplete(photo, signal);
    const analysis = await tools.analyse(photo, 'image', signal);
    expect(await tools.normaliseImage(photo, path('out.jpg'), signal, { analysis })).toMatchObject({ width: 320, height: 400 });
  });

  it('with a high dynamic range and more pixels than tone mapping takes are reduced', async () => {
    const large = await file(await graded('863F33', 'smpte2084', 16, [6000, 4000]));
    const { source } = await tools.analyse(large, 'image', signal);
    expect(source.info).toMatchObject({ width: 2000, height: 3000 });
    expect(far(await middle(await readFile(large)), [0x86, 0x3f, 0x33])).toBeLessThanOrEqual(3);
  });

  it('with a high dynamic range are refused if ffmpeg cannot map their tones', async () => {
    const lacking = path('lacking');
    await writeFile(lacking, `#!/bin/sh\ncase "$*" in *-filters*) echo ' ... scale V->V' ;; *) exec ffmpeg "$@" ;; esac\n`);
    await chmod(lacking, 0o755);
    const without = new MediaTools({ ffmpegPath: lacking });
    const photo = await file(await graded('606060', 'smpte2084', 16));
    await expect(without.analyse(photo, 'image', signal)).rejects.toMatchObject({
      failure: { code: 'media_filter_missing', kind: 'not_configured', fields: { filters: 'zscale and tonemap' } },
    });
  });

  it('of 8 bits that their header calls PQ are mapped too', async () => {
    const [red = 0, green = 255, blue = 255] = await middle(redTile({ properties: [nclx(9, 16)] }));
    expect([red > 240, green < 40, blue < 40]).toEqual([true, true, true]);
  });

  it('are tone mapped as AVIF too, unless it has the transfer of sRGB', async () => {
    const mapped = await middle(PQ_AVIF, 'pq.avif');
    const standard = Buffer.from(PQ_AVIF);
    standard[standard.indexOf('nclx') + 7] = 13;
    const { changes } = await normalised(standard, 'standard.avif');
    expect(changes.toneMapped).toBe(false);
    const [coded = []] = await pixelsOf(path('out.jpg'), [[0.5, 0.5]]);
    expect(far(coded, [0x86, 0x3f, 0x33])).toBeLessThanOrEqual(5);
    // computed after SMPTE ST 2084 and BT.2087 from these levels
    expect(far(mapped, [210, 0, 2])).toBeLessThanOrEqual(5);
  });

  it('keep their transparency when their tones are mapped', async () => {
    const clear = sharp({ create: { width: 64, height: 64, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0 } } });
    const source = await sniffFile(await file(await clear.avif({ effort: 0 }).toBuffer(), 'clear.avif'));
    const limits = { ...DEFAULT_MEDIA_LIMITS, memoryBytes: 2 ** 30 };
    const toolbox = { ffmpegPath: 'ffmpeg', ffprobePath: 'ffprobe', limits };
    await unpackHdrPicture(toolbox, source, { transfer: 'smpte2084', primaries: 'bt2020' }, path('clear.mapped'), signal);
    const { data, info } = await sharp(path('clear.mapped')).raw().toBuffer({ resolveWithObject: true });
    expect([info.channels, data[3]]).toEqual([4, 0]);
  });

  it.each([
    ['of another codec', { codec: 'av01' }, 'unsupported_media', 'its picture is coded as av01'],
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
