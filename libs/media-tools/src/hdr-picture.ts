import { readFile, rm, writeFile } from 'node:fs/promises';
import { PipelineError } from '@autoposter/domain';
import { missingFilters, runFfmpeg, threadsFor, TONE_MAPPING } from './ffmpeg';
import { unpackHeic, type UnpackedPicture } from './heic';
import type { HdrRange } from './heif-header';
import type { Size } from './media-info';
import type { MediaLimits, Toolbox } from './media-limits';
import { MAX_DEEP_PIXELS } from './memory-budget';
import { openPicture, translated } from './pictures';
import type { SniffedFile } from './sniff';
import { toLinear, toneMap } from './tone-mapping';

/**
 * Writes a HEIC or AVIF picture with a high dynamic range, upright, as an sRGB PNG file; returns its size in pixels, at most `MAX_DEEP_PIXELS`. Its tones are
 * mapped as those of videos. Throws `not_configured` if the installed ffmpeg lacks the filters.
 */
export async function unpackHdrPicture(
  toolbox: Toolbox,
  file: SniffedFile,
  range: HdrRange,
  out: string,
  signal: AbortSignal,
): Promise<Size> {
  const missing = await missingFilters(toolbox, TONE_MAPPING, signal);
  if (missing.length > 0) throw PipelineError.of('media_filter_missing', { fields: { filters: missing.join(' and ') } });
  const { limits } = toolbox;
  const deep = `${out}.deep.png`;
  try {
    const { width, height, hasAlpha } =
      file.container === 'heic'
        ? await unpackHeic(file.path, deep, { bytes: file.bytes, limits, signal, maxDeepPixels: MAX_DEEP_PIXELS })
        : await unpackAvif(file.path, deep, limits);
    const frame = { width, height, pixelFormat: 'gbrp16le', codec: 'png', references: 1 };
    const alpha = hasAlpha ? 'a' : '';
    await runFfmpeg(
      toolbox,
      {
        inputs: [{ source: deep, demuxer: 'png_pipe', options: ['-threads', threadsFor(toolbox, frame, 'decode')] }],
        videoFilters: [
          `format=gbr${alpha}p16le`,
          `zscale=${toLinear({ matrix: 'gbr', primaries: range.primaries, transfer: range.transfer, range: 'full' })}:m=gbr:p=2020:r=full`,
          ...toneMap(`gbr${alpha}pf32le`),
          'zscale=t=iec61966-2-1:m=gbr:r=full',
          `format=gbr${alpha}p`,
          `format=rgb${alpha === '' ? '24' : 'a'}`,
        ],
        outputOptions: ['-frames:v', '1', '-threads', '1', '-c:v', 'png', '-compression_level', '1', '-f', 'image2pipe'],
        output: out,
      },
      { signal, timeoutMs: limits.shortRunMs * 4, fileBytes: limits.videoBytes },
    );
    return { width, height };
  } finally {
    await rm(deep, { force: true });
  }
}

/** Writes the levels as they are coded, with 16 bits. libheif, inside of sharp, has applied crop, rotation and the matrix. */
async function unpackAvif(path: string, out: string, limits: MediaLimits): Promise<UnpackedPicture> {
  return translated(async () => {
    const image = openPicture(await readFile(path), limits);
    const { width, height } = await image.metadata();
    const scale = Math.min(1, Math.sqrt(MAX_DEEP_PIXELS / (width * height)));
    const { data, info } = await image
      .resize({ width: Math.max(1, Math.floor(width * scale)) })
      .toColourspace('rgb16')
      .png({ compressionLevel: 0 })
      .toBuffer({ resolveWithObject: true });
    await writeFile(out, data);
    return { width: info.width, height: info.height, hasAlpha: info.channels === 4 };
  });
}
