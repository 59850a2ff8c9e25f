import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { MediaTools } from './media-tools';
import { pictureFrame } from './pictures';
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
    const print = await tools.fingerprint(file, 'image', signal);
    expect(print).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), preview: { side: 192 } });
    expect(print.pdq[0]).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), quality: expect.any(Number), atSeconds: null });
  });

  it('rotates a picture upright and removes all metadata', async () => {
    const source = await paint(3, 400, 300)
      .withExif({ IFD0: { Copyright: 'PRIVATE-NAME', Make: 'PRIVATE-PHONE' }, IFD3: { GPSLatitude: '48/1 12/1 0/1', GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    await writeFile(path('private.jpg'), source);
    expect(source.toString('latin1')).toContain('Exif');
    expect(await tools.probe(path('private.jpg'), signal)).toMatchObject({ width: 300, height: 400, rotation: 90 });
    await tools.normaliseImage(path('private.jpg'), path('clean.jpg'), signal);
    expect((await readFile(path('clean.jpg'))).toString('latin1')).not.toMatch(/PRIVATE|Exif|ICC_PROFILE|http:\/\/ns\.adobe/);
    const { orientation, exif, icc, width, height, space } = await sharp(path('clean.jpg')).metadata();
    expect({ orientation, exif, icc, width, height, space }).toEqual({ width: 320, height: 400, space: 'srgb' });
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
    expect(await failureKind(tools.fingerprint(path('half.jpg'), 'image', signal))).toBe('corrupt_media');
  });
});
