import { readFile, writeFile } from 'node:fs/promises';
import { DEFAULT_MEDIA_LAYOUT, type MediaLayout } from '@autoposter/contracts';
import { cutText, PipelineError } from '@autoposter/domain';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import type { Area, MediaInfo, NormaliseOptions, PictureChanges, Size } from './media-info';
import { PICTURE, type MediaLimits } from './media-limits';
import { creditsOf, type Credits } from './credits';
import { readHeicHeader } from './heic';
import { type HdrRange, hdrRangeOf, readHeifHeader } from './heif-header';
import type { SniffedFile } from './sniff';
import { SHARP_TEXTS } from './tool-texts';

export interface RgbPicture {
  rgb: Uint8Array;
  width: number;
  height: number;
}

const DECODE_SECONDS = 30;
const ROTATION: Record<number, number> = { 3: 180, 4: 180, 5: 270, 6: 90, 7: 90, 8: 270 };
let locked = false;

/**
 * Disables all decoders of the process but those of accepted formats. SVG, PDF and similar formats can name other files and request any size.
 */
export function lockPictureDecoders(): void {
  if (locked) return;
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => `VipsForeignLoad${format}`),
  });
  sharp.cache(false);
  locked = true;
}

const ANIMATED = new Set(['gif', 'webp']);

/** What the header of a picture says. */
export interface PictureHeader {
  info: MediaInfo;
  animated: boolean;
  credits: Credits;
  /** `null` for a picture in the range of sRGB. */
  hdr: HdrRange | null;
}

/** Size, rotation and kind of a picture, from its header. */
export async function readPicture(file: SniffedFile, limits: MediaLimits): Promise<PictureHeader> {
  if (file.container === 'heic') {
    const { width, height, rotation, hdr, ...metadata } = await readHeicHeader(file.path, file.bytes, limits);
    return { info: infoOf(file, { width, height, rotation }), animated: false, credits: creditsOf(metadata), hdr };
  }
  // sharp ignores the transfer; it decides about a damaged header
  const header = file.container === 'avif' ? await readHeifHeader(file.path, file.bytes).catch(() => null) : null;
  return translated(async () => {
    const found = await openPicture(await readFile(file.path), limits).metadata();
    const rotation = ROTATION[found.orientation ?? 1] ?? 0;
    const turned = (found.orientation ?? 1) >= 5;
    const height = found.pageHeight ?? found.height;
    if (found.width * height > limits.pixels) throw PipelineError.of('media_too_many_pixels', { fields: { width: found.width, height } });
    const info = infoOf(file, { width: turned ? height : found.width, height: turned ? found.width : height, rotation });
    const animated = file.container === 'apng' || (ANIMATED.has(file.container) && (found.pages ?? 1) > 1);
    return { info, animated, credits: creditsOf(found), hdr: animated || header === null ? null : hdrRangeOf(header) };
  });
}

const infoOf = ({ container, bytes }: SniffedFile, shape: Pick<MediaInfo, 'width' | 'height' | 'rotation'>): MediaInfo => ({
  container,
  kind: 'image',
  ...shape,
  durationSeconds: null,
  fps: null,
  videoCodec: container,
  audioCodec: null,
  hasAudio: false,
  bytes,
});

/** Upright 8-bit RGB pixels, at most `maxSide` wide and high; transparency becomes white. */
export async function decodePicture(path: string, maxSide: number, limits: MediaLimits): Promise<RgbPicture> {
  return translated(async () => {
    const { data, info } = await upright(await readFile(path), limits)
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { rgb: data, width: info.width, height: info.height };
  });
}

/** Whether the picture decodes to its end; throws if nothing of it decodes. */
export async function decodesWhole(path: string, limits: MediaLimits): Promise<boolean> {
  const source = await readFile(path);
  // even a thumbnail requires decoding the whole picture
  const decode = (failOn: 'error' | 'warning') =>
    translated(() => openPicture(source, limits, { failOn }).resize({ width: 64, height: 64, fit: 'inside' }).raw().toBuffer());
  await decode('error');
  return decode('warning').then(
    () => true,
    // other warnings, such as stray bytes, occur in files that every viewer shows
    (error: unknown) => (error as PipelineError).failure?.detail?.['endsEarly'] !== true,
  );
}

/**
 * Writes an upright sRGB JPEG without black bars, with a ratio from 4:5 to 1.91:1 (or the given one), 320 to 1440 wide, with only author and
 * copyright as metadata.
 */
export async function writePublishablePicture(
  { file, info, credits }: { file: SniffedFile; info: MediaInfo; credits: Credits },
  out: string,
  { layout = DEFAULT_MEDIA_LAYOUT, ratio, bars }: NormaliseOptions & { bars: Area | null },
  limits: MediaLimits,
): Promise<Omit<PictureChanges, 'toneMapped'>> {
  return translated(async () => {
    const source = await readFile(file.path);
    const shown = bars ?? { x: 0, y: 0, width: info.width, height: info.height };
    const frame = pictureFrame(shown.width, shown.height, ratio);
    const [across, down] = [frame.width / shown.width, frame.height / shown.height];
    const isEnlarged = (layout === 'crop' ? Math.max(across, down) : Math.min(across, down)) > 1;
    const changes = { barsRemoved: bars !== null, enlargedFrom: isEnlarged ? { width: shown.width, height: shown.height } : null };
    const { artist, copyright } = credits;
    const kept = { ...(artist === undefined ? {} : { Artist: artist }), ...(copyright === undefined ? {} : { Copyright: copyright }) };
    const pixels = await onCanvas(() => partOf(source, shown, limits), frame, layout);
    // lower the quality and not the size if a detailed picture exceeds 8 MB
    for (const quality of [90, 80, 65]) {
      const image = fromPixels(pixels).jpeg({ quality, chromaSubsampling: '4:2:0' });
      const data = await (Object.keys(kept).length === 0 ? image : image.withExif({ IFD0: kept })).toBuffer();
      if (data.length > limits.outputImageBytes) continue;
      await writeFile(out, data);
      return changes;
    }
    throw PipelineError.of('picture_too_detailed');
  });
}

const partOf = (source: Buffer, { x: left, y: top, width, height }: Area, limits: MediaLimits): Sharp =>
  upright(source, limits).extract({ left, top, width, height });

/** The upright picture, as large as it fits, on a canvas of exactly this size. */
async function onCanvas(picture: () => Sharp, frame: Size, layout: MediaLayout): Promise<RgbPicture> {
  const raw = async (image: Sharp): Promise<RgbPicture> => {
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    return { rgb: data, width: info.width, height: info.height };
  };
  if (layout !== 'blur') {
    const fit = layout === 'crop' ? ('cover' as const) : ('contain' as const);
    return raw(picture().resize({ ...frame, fit, background: '#000000' }));
  }
  const front = await raw(picture().resize({ ...frame, fit: 'inside' }));
  if (front.width === frame.width && front.height === frame.height) return front;
  const small = { width: Math.max(8, Math.round(frame.width / 15)), height: Math.max(8, Math.round(frame.height / 15)) };
  const back = await raw(
    fromPixels(front)
      .resize({ ...small, fit: 'cover' })
      .blur(3),
  );
  const { width, height } = front;
  const canvas = await raw(fromPixels(back).resize({ ...frame, fit: 'fill' }));
  const placed = { input: Buffer.from(front.rgb), raw: { width, height, channels: 3 as const }, gravity: 'centre' };
  return raw(fromPixels(canvas).composite([placed]).removeAlpha());
}

/** Writes a JPEG cropped to `width` x `height` around the centre. */
export async function writeCover(picture: string | RgbPicture, out: string, size: Size, limits: MediaLimits) {
  await translated(async () => {
    const image = typeof picture === 'string' ? upright(await readFile(picture), limits) : fromPixels(picture);
    await writeFile(
      out,
      await image
        .resize({ ...size, fit: 'cover', position: 'centre' })
        .jpeg({ quality: 85 })
        .toBuffer(),
    );
  });
}

export async function writeJpeg(picture: RgbPicture, out: string): Promise<void> {
  await translated(async () => writeFile(out, await fromPixels(picture).jpeg({ quality: 80 }).toBuffer()));
}

/** The ratio that Instagram shows for a picture of this size. */
export const pictureRatio = (width: number, height: number): number =>
  Math.min(PICTURE.maxRatio, Math.max(PICTURE.minRatio, width / height));

/** The canvas that a picture of this size is padded and scaled to. */
export function pictureFrame(width: number, height: number, wanted = width / height): Size {
  const ratio = pictureRatio(wanted, 1);
  const canvasWidth = Math.max(width, height * ratio);
  const outWidth = Math.round(Math.min(PICTURE.maxWidth, Math.max(PICTURE.minWidth, canvasWidth)));
  const shortest = Math.ceil(outWidth / PICTURE.maxRatio);
  const tallest = Math.floor(outWidth / PICTURE.minRatio);
  return { width: outWidth, height: Math.min(tallest, Math.max(shortest, Math.round(outWidth / ratio))) };
}

export function openPicture(source: Buffer, limits: MediaLimits, options: SharpOptions = {}): Sharp {
  return sharp(source, { limitInputPixels: limits.pixels, failOn: 'error', sequentialRead: true, ...options }).timeout({
    seconds: DECODE_SECONDS,
  });
}

function upright(source: Buffer, limits: MediaLimits): Sharp {
  return openPicture(source, limits).rotate().flatten({ background: '#ffffff' }).toColourspace('srgb');
}

function fromPixels({ rgb, width, height }: RgbPicture): Sharp {
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'PipelineError' || 'errno' in error) throw error;
    throw sharpFailure(error.message);
  }
}

function sharpFailure(text: string): PipelineError {
  if (SHARP_TEXTS.pixels.test(text)) return PipelineError.of('picture_exceeds_pixels');
  if (SHARP_TEXTS.timeout.test(text)) return PipelineError.of('picture_decode_timed_out', { fields: { seconds: DECODE_SECONDS } });
  return PipelineError.of('picture_undecodable', { detail: { said: cutText(text, 200), endsEarly: SHARP_TEXTS.endsEarly.test(text) } });
}
