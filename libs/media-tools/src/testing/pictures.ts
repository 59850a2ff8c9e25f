import sharp, { type Sharp } from 'sharp';

// In Jest's sandbox each look at a global costs more than the sine itself.
const { sin, max, min } = Math;

/** A picture with structure at every scale, the same for the same seed. */
export function paint(seed: number, width = 400, height = 300): Sharp {
  const random = generator(seed);
  const waves = Array.from({ length: 24 }, () => ({
    x: (random() - 0.5) * 40,
    y: (random() - 0.5) * 40,
    phase: random() * 7,
    strength: random(),
    colour: [random(), random(), random()],
  }));
  const data = Buffer.alloc(width * height * 3);
  for (let row = 0, at = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, at += 3) {
      const sums = [0, 0, 0];
      for (const { x, y, phase, strength, colour } of waves) {
        const swing = sin((x * column) / width + (y * row) / height + phase) * strength;
        for (let channel = 0; channel < 3; channel += 1)
          sums[channel] = (sums[channel] as number) + swing * (0.5 + (colour[channel] as number));
      }
      for (let channel = 0; channel < 3; channel += 1) data[at + channel] = max(0, min(255, 128 + (sums[channel] as number) * 28));
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } });
}

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
