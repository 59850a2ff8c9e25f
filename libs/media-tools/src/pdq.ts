/**
 * PDQ, the perceptual hash of pictures published by Facebook (github.com/facebook/ThreatExchange, pdq/, with the paper `hashing.pdf`):
 * luminance, two passes of a box filter, 64x64 samples, the 16x16 lowest frequencies of their cosine transform, one bit per frequency above
 * the median. Two hashes of the same picture differ in few of 256 bits, those of different pictures in about half.
 */
export const SIDE = 64;
const HALF = SIDE / 2;
const FREQUENCIES = 16;
const FILTER_PASSES = 2;
/** The reference implementation does not hash smaller pictures. */
const MIN_SIDE = 5;
const NO_HASH = '0'.repeat(64);

/** The left half of the wave of each frequency from 1 on; the right half is its mirror image, with the opposite sign where the frequency is odd. */
const WAVES = Float64Array.from({ length: FREQUENCIES * HALF }, (_sample, index) => {
  const [frequency, at] = [Math.floor(index / HALF) + 1, index % HALF];
  return Math.sqrt(2 / SIDE) * Math.cos((Math.PI / 2 / SIDE) * frequency * (2 * at + 1));
});

interface PdqHash {
  /** 64 hex digits. */
  hash: string;
  /** 0 (a plain surface) to 100; hashes below 50 are too unspecific to compare. */
  quality: number;
}

/**
 * Hash of one upright picture of 8-bit RGB pixels, row by row, at most 512 pixels wide and high. Computes the luminance itself, because image
 * libraries compute it in linear light, which changes dozens of bits.
 */
export function pdqHash(rgb: Uint8Array, width: number, height: number): PdqPair {
  if (rgb.length !== width * height * 3 || width < 1 || height < 1) throw new RangeError('pixels do not fit width and height');
  if (width < MIN_SIDE || height < MIN_SIDE) return { hash: NO_HASH, mirrored: NO_HASH, quality: 0 };
  let luma: Float32Array = new Float32Array(width * height);
  for (let at = 0, from = 0; at < luma.length; at += 1, from += 3) {
    luma[at] = 0.299 * (rgb[from] as number) + 0.587 * (rgb[from + 1] as number) + 0.114 * (rgb[from + 2] as number);
  }
  for (let pass = 0; pass < FILTER_PASSES; pass += 1) {
    luma = boxFilter(luma, height, width, width, 1);
    luma = boxFilter(luma, width, height, 1, width);
  }
  return pdqOfSamples(sample(luma, width, height));
}

/** The hash of a picture; that of its mirror image is made from the same frequencies when it is read. */
export interface PdqPair extends PdqHash {
  readonly mirrored: string;
}

/** Hashes of 64x64 samples, row by row. */
export function pdqOfSamples(samples: Float32Array): PdqPair {
  const frequencies = lowFrequencies(samples);
  return {
    hash: toHex(frequencies),
    quality: quality(samples),
    get mirrored() {
      return toHex(mirror(frequencies));
    },
  };
}

/** Left and right exchanged: waves with an odd number of half periods change their sign. */
function mirror(frequencies: Float64Array): Float64Array {
  return frequencies.map((value, at) => (at % 2 === 0 ? -value : value));
}

/**
 * A sliding mean over each line; two passes with a window of length/128 remove the detail that 64 samples cannot represent. Returns the input
 * where the window is a single pixel.
 */
function boxFilter(input: Float32Array, lines: number, length: number, lineStep: number, step: number): Float32Array {
  const window = Math.floor((length + 2 * SIDE - 1) / (2 * SIDE));
  if (window === 1) return input;
  const output = new Float32Array(input.length);
  const before = Math.floor((window + 2) / 2) - 1;
  const after = window - before - 1;
  for (let line = 0; line < lines; line += 1) {
    const base = line * lineStep;
    let sum = 0;
    let count = 0;
    for (let at = 0; at < Math.min(before, length); at += 1, count += 1) sum += input[base + at * step] as number;
    for (let at = 0; at < length; at += 1) {
      const entering = at + before;
      if (entering < length) {
        sum += input[base + entering * step] as number;
        count += 1;
      }
      const leaving = at - after - 1;
      if (leaving >= 0) {
        sum -= input[base + leaving * step] as number;
        count -= 1;
      }
      output[base + at * step] = sum / count;
    }
  }
  return output;
}

function sample(luma: Float32Array, width: number, height: number): Float32Array {
  const samples = new Float32Array(SIDE * SIDE);
  for (let row = 0; row < SIDE; row += 1) {
    const from = Math.floor(((row + 0.5) * height) / SIDE) * width;
    for (let column = 0; column < SIDE; column += 1) {
      samples[row * SIDE + column] = luma[from + Math.floor(((column + 0.5) * width) / SIDE)] as number;
    }
  }
  return samples;
}

/** Sum of the differences between adjacent samples, in whole percent of the range, scaled so that a usable picture reaches 100. */
function quality(samples: Float32Array): number {
  const at = (row: number, column: number) => samples[row * SIDE + column] as number;
  let sum = 0;
  for (let row = 0; row < SIDE; row += 1) {
    for (let column = 0; column < SIDE; column += 1) {
      if (row + 1 < SIDE) sum += Math.abs(Math.trunc(((at(row, column) - at(row + 1, column)) * 100) / 255));
      if (column + 1 < SIDE) sum += Math.abs(Math.trunc(((at(row, column) - at(row, column + 1)) * 100) / 255));
    }
  }
  return Math.min(100, Math.floor(sum / 90));
}

/** Written anew by each transform: a video has hundreds, and to allocate these costs as much as the arithmetic. */
const half = new Float64Array(FREQUENCIES * SIDE);
const folded = new Float64Array(SIDE);

/** The transform of the columns, then of the rows. Each wave is symmetric or antisymmetric, so opposite samples share a multiplication. */
function lowFrequencies(samples: Float32Array): Float64Array {
  for (let column = 0; column < SIDE; column += 1) {
    fold(samples, column, SIDE);
    for (let frequency = 0; frequency < FREQUENCIES; frequency += 1) half[frequency * SIDE + column] = project(frequency);
  }
  const result = new Float64Array(FREQUENCIES * FREQUENCIES);
  for (let row = 0; row < FREQUENCIES; row += 1) {
    fold(half, row * SIDE, 1);
    for (let frequency = 0; frequency < FREQUENCIES; frequency += 1) result[row * FREQUENCIES + frequency] = project(frequency);
  }
  return result;
}

/** Differences of opposite samples, then their sums. */
function fold(samples: Float32Array | Float64Array, from: number, step: number): void {
  for (let at = 0; at < HALF; at += 1) {
    const [left, right] = [samples[from + at * step] as number, samples[from + (SIDE - 1 - at) * step] as number];
    folded[at] = left - right;
    folded[HALF + at] = left + right;
  }
}

function project(frequency: number): number {
  const wave = frequency * HALF;
  const from = frequency % 2 === 0 ? 0 : HALF;
  let sum = 0;
  for (let at = 0; at < HALF; at += 1) sum += (WAVES[wave + at] as number) * (folded[from + at] as number);
  return sum;
}

/** Uses the lower median, as the reference implementation does; the first frequency is the last bit. */
function toHex(frequencies: Float64Array): string {
  const median = Float64Array.from(frequencies).sort()[frequencies.length / 2 - 1] as number;
  let hex = '';
  for (let at = frequencies.length - 4; at >= 0; at -= 4) {
    let digit = 0;
    for (let bit = 3; bit >= 0; bit -= 1) digit = digit * 2 + ((frequencies[at + bit] as number) > median ? 1 : 0);
    hex += digit.toString(16);
  }
  return hex;
}
