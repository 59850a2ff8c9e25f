import { open, rm } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { PipelineError } from '@autoposter/domain';
import { type HdrRange, hdrRangeOf, type HeifHeader, readHeifHeader } from './heif-header';
import type { Size } from './media-info';
import type { MediaLimits } from './media-limits';
import { heicHeap } from './memory-budget';
import { PNG_SIGNATURE, pngChunk, words } from './png';
import { runProcess } from './run-process';

/** Items that libheif-js decodes. */
const HEVC = new Set(['hvc1', 'hev1']);
/** The header of a HEIC picture. Throws if its pixels cannot be decoded or would exceed the limits. */
export async function readHeicHeader(
  path: string,
  bytes: number,
  limits: MediaLimits,
): Promise<HeifHeader & { hdr: HdrRange | null; heapBytes: number }> {
  const header = await readHeifHeader(path, bytes);
  const { coded, codec } = header;
  if (!HEVC.has(codec))
    throw PipelineError.of('media_video_codec', { fields: { codec: codec.replace(/[^ -~]/g, '?') || 'something unknown' } });
  if (coded.width * coded.height > limits.pixels) throw PipelineError.of('media_too_many_pixels', { fields: coded });
  const hdr = hdrRangeOf(header);
  return { ...header, hdr, heapBytes: heicHeap(limits.memoryBytes, bytes, { ...coded, isDeep: hdr !== null }) };
}

/** Address space that Node 24 reserves for code: the kernel counts it, although it stays empty. The exact limit is that of libheif's heap. */
const RESERVED_BY_NODE = 1024 * 1024 * 1024;
const EXIT = { memory: 3, unsupported: 4 } as const;

/**
 * Decodes the primary picture of a HEIC file, upright, and appends its pixels to a PNG file that ends after its header: uncompressed, since the
 * file is read once. libheif applies crop, rotation and mirroring. Prints width, height and channels. Plain JavaScript, because it runs in a process of
 * its own: a hostile file can use up neither the memory nor the time of the worker.
 */
const DECODER = `
const [, library, source, target, heapBytes, maxDeepPixels] = process.argv;
const fs = require('node:fs');
const zlib = require('node:zlib');
const { pipeline } = require('node:stream/promises');

// libheif asks for memory here and nowhere else; it ends with an error of its own where it gets none
const { grow } = WebAssembly.Memory.prototype;
let isFull = false;
WebAssembly.Memory.prototype.grow = function (pages) {
  isFull = true;
  if (this.buffer.byteLength + pages * 65536 > Number(heapBytes)) throw new RangeError('the memory is full');
  const before = grow.call(this, pages);
  isFull = false;
  return before;
};

function stop(error) {
  const said = String((error && error.message) || error);
  // of buffers and of the first heap: an error of V8 has no code, others of this class are about arguments
  const isRefused = (error instanceof RangeError && error.code === undefined) || error.code === 'ERR_MEMORY_ALLOCATION_FAILED';
  const isMemory = isFull || isRefused || error.code === 6 || error.subcode === 1000;
  const isUnsupported = error.code === 3 || error.code === 4;
  process.stderr.write(said, () => process.exit(isMemory ? ${EXIT.memory} : isUnsupported ? ${EXIT.unsupported} : 1));
}

function checked(result) {
  const code = result && result.code && result.code.value;
  if (code) throw { code, subcode: result.subcode && result.subcode.value, message: result.message };
  return result;
}

// libheif leaves out the tiles that it cannot decode; what is said twice about colours (152) may differ
function assertWhole(heif, image) {
  const at = heif._malloc(16 * 12);
  const count = heif._heif_image_get_decoding_warnings(image, 0, at, 16);
  const warnings = new Int32Array(heif.HEAPU8.buffer, at, count * 3);
  for (let index = 0; index < count; index += 1)
    if (warnings[index * 3 + 1] !== 152) throw { message: 'a part cannot be decoded', subcode: warnings[index * 3 + 1] };
}

// 16 bits of which all are used, each the mean of a square of pixels
function reduced({ width, height, stride, data, bits_per_pixel }, channels, maxPixels) {
  const side = Math.max(1, Math.ceil(Math.sqrt((width * height) / maxPixels)));
  const [across, down] = [Math.max(1, Math.floor(width / side)), Math.max(1, Math.floor(height / side))];
  const scale = 65535 / (2 ** bits_per_pixel - 1) / side / side;
  const levels = Buffer.alloc(across * down * channels * 2);
  for (let row = 0, at = 0; row < down; row += 1)
    for (let column = 0; column < across; column += 1)
      for (let channel = 0; channel < channels; channel += 1, at += 2) {
        let sum = 0;
        for (let y = 0; y < side; y += 1)
          for (let x = 0; x < side; x += 1) {
            const from = (row * side + y) * stride + ((column * side + x) * channels + channel) * 2;
            sum += data[from] * 256 + data[from + 1];
          }
        levels.writeUInt16BE(Math.round(sum * scale), at);
      }
  return { width: across, height: down, stride: across * channels * 2, data: levels };
}

async function decode() {
  const heif = require(library);
  const context = heif.heif_context_alloc();
  checked(heif.heif_context_read_from_memory(context, fs.readFileSync(source)));
  const handle = checked(heif.heif_js_context_get_primary_image_handle(context));
  const channels = heif.heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
  const isDeep = maxDeepPixels !== undefined;
  const chroma = heif.heif_chroma[isDeep ? (channels === 4 ? 'heif_chroma_interleaved_RRGGBBAA_BE' : 'heif_chroma_interleaved_RRGGBB_BE') : channels === 4 ? 'heif_chroma_interleaved_RGBA' : 'heif_chroma_interleaved_RGB'];
  const image = checked(await heif.heif_js_decode_image2(handle, heif.heif_colorspace.heif_colorspace_RGB, chroma));
  assertWhole(heif, image.image.$$.ptr);
  const coded = image.channels.find(({ id }) => id === heif.heif_channel.heif_channel_interleaved);
  const { width, height, stride, data } = isDeep ? reduced(coded, channels, Number(maxDeepPixels)) : coded;
  const bytesPerPixel = channels * (isDeep ? 2 : 1);
  const file = fs.openSync(target, 'a');
  function append(type, body) {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length);
    head.write(type, 4, 'latin1');
    const end = Buffer.alloc(4);
    end.writeUInt32BE(zlib.crc32(body, zlib.crc32(head.subarray(4))));
    for (const part of [head, body, end]) fs.writeSync(file, part);
  }
  async function* lines() {
    for (let row = 0; row < height; row += 64) {
      const count = Math.min(64, height - row);
      // each line begins with the number of its filter, 0 for none
      const group = Buffer.alloc(count * (width * bytesPerPixel + 1));
      for (let line = 0; line < count; line += 1) {
        const from = (row + line) * stride;
        group.set(data.subarray(from, from + width * bytesPerPixel), line * (width * bytesPerPixel + 1) + 1);
      }
      yield group;
    }
  }
  await pipeline(lines, zlib.createDeflate({ level: 0, chunkSize: 1 << 20 }), async (parts) => {
    for await (const part of parts) append('IDAT', part);
  });
  append('IEND', Buffer.alloc(0));
  process.stdout.write(JSON.stringify({ width, height, channels }), () => process.exit(0));
}

decode().catch(stop);
`;

/** Printed by the decoder. */
interface DecodedPicture extends Size {
  channels: number;
}

export interface UnpackedPicture extends Size {
  hasAlpha: boolean;
}

interface HeicRun {
  bytes: number;
  limits: MediaLimits;
  signal: AbortSignal;
  /** With it the levels have 16 bits, as they are coded and without a profile, and a picture with more pixels is reduced. */
  maxDeepPixels?: number;
}

/**
 * Writes the picture, upright and with its colour profile, as an uncompressed PNG file; returns its size. All other metadata is left behind.
 */
export async function unpackHeic(path: string, out: string, { bytes, limits, signal, maxDeepPixels }: HeicRun): Promise<UnpackedPicture> {
  const { icc, nclx, heapBytes } = await readHeicHeader(path, bytes, limits);
  const file = await open(out, 'wx');
  try {
    const isDeep = maxDeepPixels !== undefined;
    const profile = isDeep ? null : (icc ?? wideProfile(nclx?.primaries));
    const iccp = profile === null ? [] : [pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]))];
    // the size is not known before the picture is decoded
    await file.write(Buffer.concat([PNG_SIGNATURE, sizeChunk({ width: 0, height: 0, channels: 3, isDeep }), ...iccp]));
    const deep = isDeep ? [String(maxDeepPixels)] : [];
    const { width, height, channels } = await decode([path, out, String(heapBytes), ...deep], limits, signal);
    if (width * height > limits.pixels) throw PipelineError.of('media_too_many_pixels', { fields: { width, height } });
    await file.write(sizeChunk({ width, height, channels, isDeep }), 0, undefined, PNG_SIGNATURE.length);
    return { width, height, hasAlpha: channels === 4 };
  } catch (error) {
    await rm(out, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

const sizeChunk = ({ width, height, channels, isDeep }: DecodedPicture & { isDeep: boolean }): Buffer =>
  pngChunk('IHDR', Buffer.concat([words(width, height), Buffer.from([isDeep ? 16 : 8, channels === 4 ? 6 : 2, 0, 0, 0])]));

async function decode(parameters: readonly string[], limits: MediaLimits, signal: AbortSignal): Promise<DecodedPicture> {
  try {
    const printed = await runProcess({
      program: process.execPath,
      arguments: ['-e', DECODER, require.resolve('libheif-js/wasm-bundle'), ...parameters],
      signal,
      timeoutMs: limits.shortRunMs * 4,
      cpuSeconds: (limits.shortRunMs / 1000) * 2,
      memoryBytes: limits.memoryBytes + RESERVED_BY_NODE,
      fileBytes: limits.videoBytes,
    });
    return JSON.parse(printed.toString('utf8')) as DecodedPicture;
  } catch (error) {
    throw decoderFailure(error);
  }
}

/** The general failures of a program, as those of a picture. A process of Node that its memory limit ends aborts. */
function decoderFailure(error: unknown): unknown {
  if (!(error instanceof PipelineError) || error.failure.code !== 'media_unreadable') return error;
  const { exit, signal, said = '' } = error.failure.detail ?? {};
  const detail = { said };
  if (exit === EXIT.memory || signal === 'SIGABRT' || signal === 'SIGTRAP') return PipelineError.of('media_exceeds_memory', { detail });
  if (exit === EXIT.unsupported) return PipelineError.of('media_heic', { detail });
  return PipelineError.of('picture_undecodable', { detail });
}

/** Primaries of ITU-T H.273 wider than sRGB, as the columns of a matrix to the XYZ of D50. */
const WIDE: Record<number, readonly (readonly number[])[]> = {
  9: [
    [0.67348, 0.27904, -0.00194],
    [0.16566, 0.67534, 0.02998],
    [0.12505, 0.04561, 0.79686],
  ],
  12: [
    [0.51512, 0.2412, -0.00105],
    [0.29198, 0.69225, 0.04189],
    [0.1571, 0.06657, 0.78407],
  ],
};
const D50 = [0.9642, 1, 0.8249];
/** The curve of sRGB, as parameters of ICC.1, `parametricCurveType`. */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];

/** An ICC profile (ICC.1:2010) of primaries that are only named by a number; `null` for those of sRGB. */
function wideProfile(primaries: number | undefined): Buffer | null {
  const columns = WIDE[primaries ?? 0];
  if (columns === undefined) return null;
  const fixed = (values: readonly number[]): Buffer => words(...values.map((value) => Math.round(value * 65536) >>> 0));
  const tagged = (type: string, ...parts: Buffer[]): Buffer => Buffer.concat([Buffer.from(type, 'latin1'), words(0), ...parts]);
  const xyz = (values: readonly number[]): Buffer => tagged('XYZ ', fixed(values));
  const curve = tagged('para', words(3 << 16), fixed(CURVE));
  const tags: [string, Buffer][] = [
    ['wtpt', xyz(D50)],
    ...['rXYZ', 'gXYZ', 'bXYZ'].map((name, index): [string, Buffer] => [name, xyz(columns[index] ?? [])]),
    ...['rTRC', 'gTRC', 'bTRC'].map((name): [string, Buffer] => [name, curve]),
  ];
  const start = 128 + 4 + tags.length * 12;
  let at = start;
  const table = tags.map(([name, body]) => {
    const row = Buffer.concat([Buffer.from(name, 'latin1'), words(at, body.length)]);
    at += body.length;
    return row;
  });
  const head = Buffer.alloc(128);
  head.writeUInt32BE(at, 0);
  head.writeUInt32BE(0x04200000, 8);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  fixed(D50).copy(head, 68);
  return Buffer.concat([head, words(tags.length), ...table, ...tags.map(([, body]) => body)]);
}
