import type { PostKind } from '@autoposter/contracts';
import { failureOf, type Failure } from '../errors/failure';

/**
 * What Instagram takes as the cover of a reel: an sRGB picture as JPEG, from 9:16, which it recommends, to the widest ratio of a picture.
 * Source: IG User Media, image and reel specifications, of September 2026.
 */
const COVER = { minWidth: 320, narrowest: 9 / 16, widest: 1.91 } as const;
/** A share of the ratio: a side may be rounded to whole pixels. */
const ROUNDING = 0.01;

export interface CoverPicture {
  /** Without metadata, comments and anything behind the picture. */
  jpeg: Uint8Array;
  width: number;
  height: number;
}

const refusal = (reason: string): Failure => failureOf('publish_option_unavailable', { fields: { option: 'Cover picture', reason } });

/** Why a post cannot have an uploaded cover, `null` where it can. Instagram takes the address of a cover, never its bytes. */
export function refuseCover({ kind, hasPublicAddress }: { kind: PostKind; hasPublicAddress: boolean }): Failure | null {
  if (kind !== 'reel') return refusal('only a reel can have one.');
  return hasPublicAddress ? null : refusal('Instagram fetches it from a public address, and this installation has none (CDN_BASE_URL).');
}

/** Checks an uploaded cover by its bytes and removes its metadata. The picture itself is not decoded. */
export function readCover(bytes: Uint8Array): { cover: CoverPicture } | { refused: Failure } {
  const { parts, frame, isTurned, isWhole } = readJpeg(bytes);
  const reason =
    frame === null
      ? 'it is not a JPEG picture.'
      : !isWhole
        ? 'the file is not complete.'
        : frame.channels === 4
          ? 'it has the colours of print (CMYK); save it in sRGB.'
          : isTurned
            ? 'the file stores it turned; save it upright.'
            : whyUnfit(frame);
  if (frame === null || reason !== null) return { refused: refusal(reason ?? '') };
  return { cover: { jpeg: joined(parts), width: frame.width, height: frame.height } };
}

function whyUnfit({ width, height }: Frame): string | null {
  const { minWidth, narrowest, widest } = COVER;
  const size = `it has ${width} x ${height} pixels`;
  if (width < minWidth) return `${size}; it needs a width of at least ${minWidth}.`;
  const ratio = width / height;
  if (ratio >= narrowest * (1 - ROUNDING) && ratio <= widest * (1 + ROUNDING)) return null;
  return `${size}; its ratio must lie between 9:16 and ${widest}:1.`;
}

interface Frame {
  width: number;
  height: number;
  channels: number;
}

const [PREFIX, START, END, SCAN, COMMENT] = [0xff, 0xd8, 0xd9, 0xda, 0xfe];
const [APP0, APP1, APP2, APP14, APP15] = [0xe0, 0xe1, 0xe2, 0xee, 0xef];
/** Baseline, extended and progressive, with 8 bits; nothing else is shown everywhere. */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2];

/** Walks the segments of a JPEG file (ITU-T T.81, annex B). `parts` are those to keep; without a frame it is none. */
function readJpeg(bytes: Uint8Array): { parts: Uint8Array[]; frame: Frame | null; isTurned: boolean; isWhole: boolean } {
  const parts = [bytes.subarray(0, 2)];
  let frame: Frame | null = null;
  let isTurned = false;
  const at = (index: number): number => bytes[index] ?? 0;
  const end = (isWhole: boolean) => ({ parts, frame, isTurned, isWhole });
  if (at(0) !== PREFIX || at(1) !== START) return end(false);
  for (let start = 2; start + 1 < bytes.length;) {
    const marker = at(start + 1);
    if (at(start) !== PREFIX) return { ...end(false), frame: null };
    if (marker === PREFIX) {
      start += 1;
      continue;
    }
    if (marker === END) {
      parts.push(bytes.subarray(start, start + 2));
      return end(true);
    }
    let next = start + 2 + at(start + 2) * 256 + at(start + 3);
    const segment = bytes.subarray(start, next);
    if (FRAMES.includes(marker) && at(start + 4) === 8)
      frame = { height: at(start + 5) * 256 + at(start + 6), width: at(start + 7) * 256 + at(start + 8), channels: at(start + 9) };
    if (marker === APP1) isTurned ||= orientationOf(segment) > 1;
    if (marker === SCAN) next = endOfScan(bytes, next);
    if (isKept(marker, segment)) parts.push(bytes.subarray(start, next));
    start = next;
  }
  return end(false);
}

/** Coded data ends at a marker; 0xff 0x00 is a byte of it, and restarts are part of it. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let index = bytes.indexOf(PREFIX, start); index >= 0; index = bytes.indexOf(PREFIX, index + 1)) {
    const follows = bytes[index + 1] ?? 0;
    if (follows !== 0 && (follows < 0xd0 || follows > 0xd7)) return index;
  }
  return bytes.length;
}

/** JFIF header, colour profile and Adobe's colour transform change how a picture looks; the other application data tells who took it where. */
function isKept(marker: number, segment: Uint8Array): boolean {
  if (marker === APP2) return textAt(segment, 4, 11) === 'ICC_PROFILE';
  return marker !== COMMENT && (marker < APP0 || marker > APP15 || marker === APP0 || marker === APP14);
}

/** Of the Exif data in an APP1 segment; 1, as it is, where it names none. Source: Exif 2.32, 4.6.4. */
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
