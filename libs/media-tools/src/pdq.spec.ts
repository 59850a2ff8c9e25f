import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_MEDIA_LIMITS } from './media-limits';
import { hammingDistance } from '@autoposter/domain';
import { pdqHash } from './pdq';
import { decodePicture } from './pictures';
import { generator, paint } from './testing/media-samples';

describe('PDQ', () => {
  let dir: string;
  let written = 0;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'pdq-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const hashOf = async (data: Buffer) => {
    const path = join(dir, String((written += 1)));
    await writeFile(path, data);
    const { rgb, width, height } = await decodePicture(path, 512, { ...DEFAULT_MEDIA_LIMITS, memoryBytes: 2 ** 30 });
    return pdqHash(rgb, width, height);
  };

  it.each([1, 2, 3, 4, 5])('recognises picture %i after encoding, scaling and colouring', async (seed) => {
    const picture = paint(seed);
    const original = await hashOf(await picture.clone().png().toBuffer());
    expect(original.quality).toBeGreaterThanOrEqual(50);
    const copies = {
      jpeg: await picture.clone().jpeg({ quality: 40 }).toBuffer(),
      webp: await picture.clone().webp({ quality: 50 }).toBuffer(),
      small: await picture.clone().resize(240).jpeg().toBuffer(),
      large: await picture.clone().resize(1500).jpeg().toBuffer(),
      grey: await picture.clone().grayscale().jpeg().toBuffer(),
      darker: await picture.clone().modulate({ brightness: 0.85 }).jpeg().toBuffer(),
    };
    for (const [name, copy] of Object.entries(copies)) {
      const { hash } = await hashOf(copy);
      expect([name, hammingDistance(original.hash, hash) <= 31]).toEqual([name, true]);
    }
  });

  it('hashes a rotated picture as it is shown', async () => {
    const picture = paint(7);
    const original = await hashOf(await picture.clone().png().toBuffer());
    const sideways = await picture.clone().rotate(270).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(hammingDistance(original.hash, (await hashOf(sideways)).hash)).toBeLessThanOrEqual(31);
    const without = await picture.clone().rotate(270).jpeg().toBuffer();
    expect(hammingDistance(original.hash, (await hashOf(without)).hash)).toBeGreaterThan(31);
  });

  it('gives different pictures distant hashes', async () => {
    const hashes = await Promise.all(Array.from({ length: 12 }, async (_none, seed) => hashOf(await paint(seed).jpeg().toBuffer())));
    const distances = hashes.flatMap((a, index) => hashes.slice(index + 1).map((b) => hammingDistance(a.hash, b.hash)));
    expect(Math.min(...distances)).toBeGreaterThan(31);
  });

  it('gives a plain surface a low quality', () => {
    expect(pdqHash(new Uint8Array(100 * 100 * 3).fill(90), 100, 100).quality).toBe(0);
  });

  it('agrees with a direct implementation of the published algorithm on pictures of many sizes', () => {
    for (const [width, height] of [
      [64, 64],
      [128, 128],
      [129, 200],
      [512, 384],
      [5, 7],
      [300, 20],
    ] as const) {
      const random = generator(width * height);
      const rgb = Uint8Array.from({ length: width * height * 3 }, (_none, at) => (Math.sin(at / 37) * 60 + 128 + random() * 60) & 255);
      expect(hammingDistance(pdqHash(rgb, width, height).hash, byDefinition(rgb, width, height))).toBeLessThanOrEqual(2);
    }
  });

  it('counts differing bits', () => {
    const zero = '0'.repeat(64);
    expect(hammingDistance(zero, zero)).toBe(0);
    expect(hammingDistance(zero, 'f'.repeat(64))).toBe(256);
    expect(hammingDistance(zero, `8${'0'.repeat(62)}1`)).toBe(2);
    expect(() => hammingDistance(zero, 'xyz')).toThrow(RangeError);
    expect(() => pdqHash(new Uint8Array(5), 2, 2)).toThrow(RangeError);
  });
});

/** Direct implementation: each mean over its own window, each coefficient as a double sum. */
function byDefinition(rgb: Uint8Array, width: number, height: number): string {
  let luma = Array.from({ length: height }, (_row, y) =>
    Array.from({ length: width }, (_cell, x) => {
      const at = (y * width + x) * 3;
      return 0.299 * (rgb[at] as number) + 0.587 * (rgb[at + 1] as number) + 0.114 * (rgb[at + 2] as number);
    }),
  );
  const mean = (line: number[]) => {
    const window = Math.ceil(line.length / 128);
    const ahead = Math.floor(window / 2);
    const behind = window - ahead - 1;
    return line.map((_value, at) => {
      const part = line.slice(Math.max(0, at - behind), at + ahead + 1);
      return part.reduce((sum, value) => sum + value, 0) / part.length;
    });
  };
  const transpose = (matrix: number[][]) => (matrix[0] as number[]).map((_cell, x) => matrix.map((row) => row[x] as number));
  for (let pass = 0; pass < 2; pass += 1) luma = transpose(transpose(luma.map(mean)).map(mean));
  const samples = Array.from({ length: 64 }, (_row, y) =>
    Array.from({ length: 64 }, (_cell, x) => luma[Math.floor(((y + 0.5) * height) / 64)]?.[Math.floor(((x + 0.5) * width) / 64)] as number),
  );
  const waves = Array.from({ length: 17 }, (_row, frequency) =>
    Array.from({ length: 64 }, (_cell, at) => Math.cos((Math.PI * frequency * (2 * at + 1)) / 128)),
  );
  const wave = (frequency: number, at: number) => waves[frequency]?.[at] as number;
  const values: number[] = [];
  for (let v = 1; v <= 16; v += 1) {
    for (let u = 1; u <= 16; u += 1) {
      let sum = 0;
      for (let y = 0; y < 64; y += 1) for (let x = 0; x < 64; x += 1) sum += (samples[y]?.[x] as number) * wave(v, y) * wave(u, x);
      values.push(sum);
    }
  }
  const median = [...values].sort((a, b) => a - b)[127] as number;
  const bits = values
    .map((value) => (value > median ? '1' : '0'))
    .reverse()
    .join('');
  return (bits.match(/.{4}/g) ?? []).map((four) => Number.parseInt(four, 2).toString(16)).join('');
}
