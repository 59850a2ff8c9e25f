import type { PostKind } from '@autoposter/contracts';
import type { Failure } from '../errors/failure';
import { JPEG_END, type JpegSegment, jpegSegments } from '../jpeg-segments';
import { optionUnavailable } from './capabilities';

/**
 * What Instagram takes as the cover of a reel: an sRGB picture as JPEG, from 9:16, which it recommends, to the widest ratio of a picture.
 * Source: IG User Media, image and reel specifications, of September 2026.
 */
const COVER = { minWidth: 320, narrowest: 9 / 16, widest: 1.91 } as const;
/** Tolerance of the ratio, because sides are rounded to whole pixels. */
const ROUNDING = 0.01;

interface CoverPicture {
  /** Without metadata, comments and anything behind the picture. */
  jpeg: Uint8Array;
  width: number;
  height: number;
}

const refusal = (reason: string): Failure => optionUnavailable('Cover picture', reason);

/** Why a post cannot have an uploaded cover, `null` where it can. Instagram takes the address of a cover, never its bytes. */
export function refuseCover({ kind, hasPublicAddress }: { kind: PostKind; hasPublicAddress: boolean }): Failure | null {
  if (kind !== 'reel') return refusal('only a reel can have one.');
  return hasPublicAddress ? null : refusal('Instagram fetches it from a public address, and this installation has none (CDN_BASE_URL).');
}

/** Checks an uploaded cover by its bytes and removes its metadata. The picture itself is not decoded. */
export function readCover(bytes: Uint8Array): { cover: CoverPicture } | { refused: Failure } {
  const refused = (reason: string) => ({ refused: refusal(reason) });
  const { parts, frame, isTurned, isWhole } = readJpeg(bytes);
  if (frame === null) return refused('it is not a JPEG picture.');
  if (!isWhole) return refused('the file is not complete.');
  if (frame.channels === 4) return refused('it has the colours of print (CMYK); save it in sRGB.');
  if (isTurned) return refused('the file stores it turned; save it upright.');
  const { width, height } = frame;
  const { minWidth, narrowest, widest } = COVER;
  const size = `it has ${width} x ${height} pixels`;
  if (width < minWidth) return refused(`${size}; it needs a width of at least ${minWidth}.`);
  const ratio = width / height;
  if (ratio < narrowest * (1 - ROUNDING) || ratio > widest * (1 + ROUNDING))
    return refused(`${size}; its ratio must lie between 9:16 and ${widest}:1.`);
  return { cover: { jpeg: joined(parts), width, height } };
}

interface Frame {
  width: number;
  height: number;
  channels: number;
}

const COMMENT = 0xfe;
const [APP0, APP1, APP2, APP14, APP15] = [0xe0, 0xe1, 0xe2, 0xee, 0xef];
/** Baseline, extended and progressive, with 8 bits; nothing else is shown everywhere. */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];

/** `parts` are the segments to keep. A file without a frame is not a JPEG picture. */
function readJpeg(bytes: Uint8Array): { parts: Uint8Array[]; frame: Frame | null; isTurned: boolean; isWhole: boolean } {
  const read = { parts: [bytes.subarray(0, 2)], frame: null as Frame | null, isTurned: false, isWhole: false };
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return read;
  for (const segment of jpegSegments(bytes)) {
    if (segment === null) return { ...read, frame: null };
    read.frame = frameIn(segment) ?? read.frame;
    read.isTurned ||= segment.marker === APP1 && orientationOf(segment.bytes) > 1;
    read.isWhole = segment.marker === JPEG_END;
    if (isKept(segment)) read.parts.push(segment.bytes);
  }
  return read;
}

function frameIn({ marker, bytes }: JpegSegment): Frame | null {
  const at = (index: number): number => bytes[index] ?? 0;
  if (!FRAMES.includes(marker) || at(4) !== 8) return null;
  return { height: at(5) * 256 + at(6), width: at(7) * 256 + at(8), channels: at(9) };
}

/** JFIF header, colour profile and Adobe's colour transform change how a picture looks; the other application data tells who took it where. */
function isKept({ marker, bytes }: JpegSegment): boolean {
  if (marker === APP2) return textAt(bytes, 4, 11) === 'ICC_PROFILE';
  return marker !== COMMENT && (marker < APP0 || marker > APP15 || marker === APP0 || marker === APP14);
}

/** The orientation in the Exif data of an APP1 segment; 1 (upright) if it has none. Source: Exif 2.32, 4.6.4. */
function orientationOf(segment: Uint8Array): number {
  if (textAt(segment, 4, 4) !== 'Exif' || segment.length < 18) return 1;
  const view = new DataView(segment.buffer, segment.byteOffset + 10, segment.length - 10);
  const isLittle = textAt(segment, 10, 2) === 'II';
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > view.byteLength) return 1;
  const entries = view.getUint16(directory, isLittle);
  for (let entry = 0, place = directory + 2; entry < entries && place + 12 <= view.byteLength; entry += 1, place += 12)
    if (view.getUint16(place, isLittle) === 0x0112) return view.getUint16(place + 8, isLittle);
  return 1;
}

const textAt = (bytes: Uint8Array, start: number, length: number): string => String.fromCharCode(...bytes.subarray(start, start + length));

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}
