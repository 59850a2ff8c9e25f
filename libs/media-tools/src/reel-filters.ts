import type { MediaLayout } from '@autoposter/contracts';
import type { MediaAnalysis } from './fingerprint';
import { type Area, isQuarterTurn, type Size } from './media-info';
import { PLATFORM, REEL } from './media-limits';
import { pictureRatio } from './pictures';
import type { Colour, ProbedFile } from './probe';
import { isHdr, readLevels, toLinear, toneMap } from './tone-mapping';

export interface PictureShape {
  canvas: Size;
  /** The source is scaled to this size, then cropped to or placed on the canvas. */
  scaled: Size;
  area: Area | null;
  /** Size of an enlarged source, without bars. */
  enlargedFrom: Size | null;
  fill: 'none' | MediaLayout;
}

/** A reel's ratio is met by cropping if this much of the picture is lost at most. */
const NEARLY = 0.03;
const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2);

const rounded = ({ width, height }: Size): Size => ({ width: Math.round(width), height: Math.round(height) });

/** Size of an area, or of everything, as it is shown: with square pixels. */
function contentSize({ info, frame }: Pick<ProbedFile, 'info' | 'frame'>, area: Area | null): Size {
  if (info.kind === 'image') return area ?? info;
  const stored = isQuarterTurn(info.rotation) ? { width: frame.height, height: frame.width } : frame;
  return {
    width: ((area?.width ?? stored.width) / stored.width) * info.width,
    height: ((area?.height ?? stored.height) / stored.height) * info.height,
  };
}

/**
 * Width over height of the canvas of a whole carousel, that of its first file without black bars: Instagram crops every file to it.
 */
export function carouselRatio({ source, bars }: Pick<MediaAnalysis, 'source' | 'bars'>): number {
  const { width, height } = contentSize(source, bars);
  return pictureRatio(width, height);
}

/** Canvas and place of the picture. The canvas shrinks from 1080 to 720 columns instead of enlarging a small picture. */
export function shapeFor(probed: ProbedFile, layout: MediaLayout, area: Area | null, ratio = REEL.width / REEL.height): PictureShape {
  const content = contentSize(probed, area);
  const nearly = Math.abs(content.width / content.height / ratio - 1) <= NEARLY;
  const covers = nearly || layout === 'crop';
  const scaleFor = ({ width, height }: Size) => {
    const [across, down] = [width / content.width, height / content.height];
    return covers ? Math.max(across, down) : Math.min(across, down);
  };
  const canvases: Size[] = [];
  // steps of 18 columns keep 9:16 exact
  for (let width: number = REEL.width; width >= REEL.minResolution; width -= 18) canvases.push({ width, height: even(width / ratio) });
  const smallest = canvases.at(-1) as Size;
  const canvas = canvases.find((one) => scaleFor(one) <= 1.01) ?? smallest;
  const scale = scaleFor(canvas);
  const exact = { width: even(content.width * scale), height: even(content.height * scale) };
  const [least, most] = covers ? [canvas, { width: 16_384, height: 16_384 }] : [{ width: 2, height: 2 }, canvas];
  const scaled = {
    width: Math.min(most.width, Math.max(least.width, exact.width)),
    height: Math.min(most.height, Math.max(least.height, exact.height)),
  };
  const fits = scaled.width === canvas.width && scaled.height === canvas.height;
  return { canvas, scaled, area, enlargedFrom: scale > 1.01 ? rounded(content) : null, fill: fits ? 'none' : covers ? 'crop' : layout };
}

/** Rates that cameras and screens use. */
const STANDARD_RATES = ['30000/1001', '30', '48', '50', '60000/1001', '60'];

/** Frames per second of a fraction such as `30000/1001`. */
export const rateValue = (rate: string): number => {
  const [over, under] = rate.split('/').map(Number);
  return (over ?? 0) / (under ?? 1);
};

/**
 * The rate of the source within the limits of the profile and of Instagram: doubled frames below 30 per second, every second frame (or third, ...) above
 * 60. A variable rate becomes the next standard one.
 */
export function outputRate(rate: string | null): string {
  const source = rate === null ? 0 : rateValue(rate);
  if (source < REEL.fps * 0.985) return String(REEL.fps);
  const steps = Math.ceil(source / PLATFORM.video.maxFps - 0.01);
  const wanted = source / steps;
  const nearest = STANDARD_RATES.find((standard) => Math.abs(rateValue(standard) - wanted) < 0.01);
  return nearest ?? STANDARD_RATES.find((standard) => rateValue(standard) >= wanted * 0.995) ?? '60';
}

interface PictureTreatment {
  shape: PictureShape;
  rate: string;
  /** How long the last frame is shown while sound continues. */
  holdSeconds: number;
}

/** The filters from a decoded frame to the encoder. */
export function videoFilters(source: ProbedFile, { shape, rate, holdSeconds }: PictureTreatment): string[] {
  const { canvas, scaled, area, fill } = shape;
  const [width, height] = [canvas.width, canvas.height];
  const size = `${width}:${height}`;
  return [
    // frames that are marked as progressive pass unchanged
    ...(source.progressive ? [] : ['bwdif=mode=send_frame:parity=auto:deint=interlaced']),
    // a picture that begins after its sound is shown from the beginning
    `fps=${rate}:start_time=0`,
    ...(holdSeconds > 0 ? [`tpad=stop_mode=clone:stop_duration=${holdSeconds.toFixed(3)}`] : []),
    ...(area ? [`crop=${area.width}:${area.height}:${area.x}:${area.y}:exact=1`] : []),
    ...opaque(source.pixelFormat),
    ...toBt709(source, scaled),
    'setsar=1',
    ...(fill === 'crop' ? [`crop=${size}`] : []),
    ...(fill === 'pad' ? [`pad=${size}:(ow-iw)/2:(oh-ih)/2:color=black`] : []),
    ...(fill === 'blur' ? [onBlurredCopy(canvas)] : []),
    'format=yuv420p',
    'setsar=1',
  ];
}

/** The background is blurred at a fifteenth of its size: a blur at full size costs more than the encoder. */
function onBlurredCopy({ width, height }: Size): string {
  const small = `${even(width / 15)}:${even(height / 15)}`;
  const background = `scale=${small}:force_original_aspect_ratio=increase,crop=${small},gblur=sigma=3,scale=${width}:${height}:flags=bilinear,setsar=1`;
  return `split[front][back];[back]${background}[blurred];[blurred][front]overlay=(W-w)/2:(H-h)/2`;
}

/** Transparent pixels have any colour, mostly black; pictures are shown on white. */
function opaque(pixelFormat: string | null): string[] {
  if (!/^(rgba|bgra|argb|abgr|ya8|ya16|rgba64|pal8|yuva|gbrap)/.test(pixelFormat ?? '')) return [];
  return ['format=rgba,split[picture][behind];[behind]lutrgb=r=255:g=255:b=255:a=255[white];[white][picture]overlay=format=rgb'];
}

/** Primaries beyond those of BT.709. */
const WIDE_PRIMARIES = ['bt2020', 'smpte431', 'smpte432'];
/** Whether the colours need the filters `zscale` and `tonemap`, which not every build of ffmpeg has. */
export const needsColourManagement = (colour: Colour): boolean => isHdr(colour) || WIDE_PRIMARIES.includes(colour.primaries ?? '');

function toBt709({ colour, frame, pixelFormat }: ProbedFile, { width, height }: Size): string[] {
  if (!needsColourManagement(colour)) {
    const matrix = isRgb(pixelFormat) ? '' : `:in_color_matrix=${matrixOf(colour, frame)}`;
    return [`scale=${width}:${height}:flags=bicubic${matrix}:out_color_matrix=bt709:out_range=tv`];
  }
  const matrix = colour.matrix === 'bt2020c' ? '2020_cl' : colour.primaries === 'bt2020' || isHdr(colour) ? '2020_ncl' : '709';
  const primaries = colour.primaries ?? 'bt2020';
  const transfer = isHdr(colour) ? colour.transfer : '709';
  const range = colour.fullRange ? 'full' : 'limited';
  const given = { matrix, primaries, transfer: transfer ?? '709', range } as const;
  const scale = `zscale=${width}:${height}:filter=bicubic`;
  if (!isHdr(colour)) return [`${scale}:${readLevels(given)}:m=709:p=709:t=709:r=limited`];
  return [`${scale}:${toLinear(given)}`, ...toneMap('gbrpf32le'), 'zscale=t=709:m=709:r=limited'];
}

const isRgb = (pixelFormat: string | null): boolean => /^(rgb|bgr|gbr|argb|abgr|pal8|0rgb|0bgr|gray|mono|ya)/.test(pixelFormat ?? '');

const SCALE_MATRICES: Record<string, string> = {
  bt709: 'bt709',
  smpte170m: 'smpte170m',
  bt470bg: 'bt470',
  fcc: 'fcc',
  smpte240m: 'smpte240m',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
};

/** Players assume BT.709 for HD and BT.601 for SD; ffmpeg assumes BT.601 for both. */
function matrixOf({ matrix }: Colour, { width, height }: Size): string {
  return SCALE_MATRICES[matrix ?? ''] ?? (width >= 1280 || height >= 720 ? 'bt709' : 'smpte170m');
}
