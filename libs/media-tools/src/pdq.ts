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
  return pdqOfSamples(samplesOf(rgb, width, height));
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

/** The samples of pictures of one size, and the pixels that they depend on. */
interface Sampling {
  width: number;
  height: number;
  sampledColumns: Int32Array;
  sampledRows: Int32Array;
  /** Columns and rows whose luminance is needed. */
  columns: Int32Array;
  rows: Int32Array;
  filters: Filter[];
  /** Buffers before and after a filter, reused for each picture. */
  levels: [Float32Array, Float32Array];
}

/** From the last filter to the first: each computes only the pixels that the samples depend on. */
function samplingOf(width: number, height: number): Sampling {
  const [sampledColumns, sampledRows] = [sampled(width), sampled(height)];
  let [columns, rows] = [sampledColumns, sampledRows];
  const filters: Filter[] = [];
  for (let pass = 0; pass < FILTER_PASSES; pass += 1) {
    filters.unshift({ length: height, step: width, positions: rows, lines: columns, apart: 1 });
    rows = around(rows, height);
    filters.unshift({ length: width, step: 1, positions: columns, lines: rows, apart: width });
    columns = around(columns, width);
  }
  const effective = filters.filter(({ length }) => windowOf(length).size > 1);
  const levels = (): Float32Array => new Float32Array(width * height);
  return { width, height, sampledColumns, sampledRows, columns, rows, filters: effective, levels: [levels(), levels()] };
}

/** Kept from the last picture, because all frames of a video have one size. */
let sampling: Sampling | null = null;

/** Luminance of the pixel whose three levels begin at this index, by the weights of BT.601, as PDQ. */
export const luminanceAt = (rgb: Uint8Array, at: number): number =>
  0.299 * (rgb[at] as number) + 0.587 * (rgb[at + 1] as number) + 0.114 * (rgb[at + 2] as number);

/** 64x64 samples of the luminance, after passes of a box filter over rows and columns that remove the detail which 64 samples cannot represent. */
function samplesOf(rgb: Uint8Array, width: number, height: number): Float32Array {
  if (sampling?.width !== width || sampling.height !== height) sampling = samplingOf(width, height);
  const { columns, rows, sampledColumns, sampledRows, filters } = sampling;
  let [luma, filtered] = sampling.levels;
  for (let row = 0; row < rows.length; row += 1) {
    const start = (rows[row] as number) * width;
    for (let column = 0; column < columns.length; column += 1) {
      const at = start + (columns[column] as number);
      luma[at] = luminanceAt(rgb, 3 * at);
    }
  }
  for (const filter of filters) {
    boxFilter(luma, filtered, filter);
    [luma, filtered] = [filtered, luma];
  }
  const samples = new Float32Array(SIDE * SIDE);
  for (let row = 0; row < SIDE; row += 1) {
    const start = (sampledRows[row] as number) * width;
    for (let column = 0; column < SIDE; column += 1)
      samples[row * SIDE + column] = luma[start + (sampledColumns[column] as number)] as number;
  }
  return samples;
}

const sampled = (length: number): Int32Array =>
  Int32Array.from({ length: SIDE }, (_sample, at) => Math.floor(((at + 0.5) * length) / SIDE));

interface Filter {
  /** Pixels of a line, and the distance of adjacent ones. */
  length: number;
  step: number;
  /** Pixels of a line that are computed, and the lines. */
  positions: Int32Array;
  lines: Int32Array;
  /** Distance of adjacent lines. */
  apart: number;
}

/** Pixels before and after each one that its mean includes. */
function windowOf(length: number): { size: number; before: number; after: number } {
  const size = Math.floor((length + 2 * SIDE - 1) / (2 * SIDE));
  const after = Math.floor(size / 2);
  return { size, before: size - after - 1, after };
}

/** All positions within the windows of these. */
function around(positions: Int32Array, length: number): Int32Array {
  const { before, after } = windowOf(length);
  const isNeeded = new Uint8Array(length);
  for (const at of positions) isNeeded.fill(1, Math.max(0, at - before), at + after + 1);
  return Int32Array.from(isNeeded.keys()).filter((at) => isNeeded[at] === 1);
}

/** Means of a pixel and those beside it. Sums of so few levels are exact in double precision. */
function boxFilter(input: Float32Array, output: Float32Array, { length, step, positions, lines, apart }: Filter): void {
  const { before, after } = windowOf(length);
  for (let index = 0; index < positions.length; index += 1) {
    const at = positions[index] as number;
    const first = Math.max(0, at - before);
    const count = Math.min(length - 1, at + after) - first + 1;
    for (let line = 0; line < lines.length; line += 1) {
      const start = (lines[line] as number) * apart;
      let from = start + first * step;
      let sum = input[from] as number;
      for (let added = 1; added < count; added += 1) sum += input[(from += step)] as number;
      output[start + at * step] = sum / count;
    }
  }
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

/** Buffers of the transform, reused because their allocation would cost as much as the arithmetic. */
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
  const median = frequencies.slice().sort()[frequencies.length / 2 - 1] as number;
  let hex = '';
  for (let at = frequencies.length - 4; at >= 0; at -= 4) {
    let digit = 0;
    for (let bit = 3; bit >= 0; bit -= 1) digit = digit * 2 + ((frequencies[at + bit] as number) > median ? 1 : 0);
    hex += digit.toString(16);
  }
  return hex;
}
