import { open, readFile, rm } from 'node:fs/promises';
import { PipelineError } from '@autoposter/domain';
import sharp from 'sharp';
import type { MediaLimits } from './media-limits';
import { openPicture, translated } from './pictures';
import { PNG_SIGNATURE, pngChunk, words } from './png';
import { assertNotStopped } from './run-process';

/** Browsers show a frame without a useful delay for this long. */
const DEFAULT_DELAY_MS = 100;
const SHORTEST_DELAY_MS = 11;
/** Pixels of all frames together: about a minute of work. */
const MAX_PIXELS = 2_000_000_000;

/**
 * Writes the frames of an animated WebP picture, pixel by pixel and with their delays, as an APNG file: ffmpeg decodes APNG, but of WebP the first
 * frame at most. The frames are decoded in groups, because the decoder starts each group from the first frame.
 */
export async function unpackAnimation(path: string, out: string, limits: MediaLimits, signal: AbortSignal): Promise<void> {
  const source = await readFile(path);
  const {
    width,
    height: whole,
    pageHeight: height = whole,
    pages = 1,
    delay = [],
  } = await translated(() => openPicture(source, limits).metadata());
  const size = width * height;
  if (size * pages > Math.min(MAX_PIXELS, limits.totalPixels))
    throw PipelineError.of('media_too_many_frames', { fields: { billions: Math.round((size * pages) / 1e9) } });
  const group = Math.max(1, Math.floor(limits.pixels / size));
  const file = await open(out, 'wx');
  let written = 0;
  let sequence = 0;
  const write = async (type: string, data: Buffer): Promise<void> => {
    const one = pngChunk(type, data);
    written += one.length;
    if (written > limits.videoBytes) throw PipelineError.of('picture_too_detailed');
    await file.write(one);
  };
  try {
    await file.write(PNG_SIGNATURE);
    for (let page = 0; page < pages; page += group) {
      const count = Math.min(group, pages - page);
      const pixels = await translated(() => openPicture(source, limits, { page, pages: count }).ensureAlpha().raw().toBuffer());
      for (let index = 0; index < count; index += 1) {
        assertNotStopped(signal);
        const rgba = pixels.subarray(index * size * 4, (index + 1) * size * 4);
        const png = await sharp(rgba, { raw: { width, height, channels: 4 } })
          .png({ compressionLevel: 1 })
          .toBuffer();
        if (page + index === 0) {
          await write('IHDR', dataOf(png, 'IHDR'));
          await write('acTL', words(pages, 0));
        }
        const shown = delay[page + index] ?? 0;
        const milliseconds = Math.min(0xffff, shown < SHORTEST_DELAY_MS ? DEFAULT_DELAY_MS : shown);
        await write(
          'fcTL',
          Buffer.concat([
            words(sequence++, width, height, 0, 0),
            Buffer.from([milliseconds >> 8, milliseconds & 0xff, 1000 >> 8, 1000 & 0xff, 0, 0]),
          ]),
        );
        const data = dataOf(png, 'IDAT');
        await (page + index === 0 ? write('IDAT', data) : write('fdAT', Buffer.concat([words(sequence++), data])));
      }
    }
    await write('IEND', Buffer.alloc(0));
  } catch (error) {
    await rm(out, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** The data of all chunks of a type, joined. */
function dataOf(png: Buffer, wanted: string): Buffer {
  const found: Buffer[] = [];
  for (let at = PNG_SIGNATURE.length; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === wanted) found.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return Buffer.concat(found);
}
