import { open, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { failureOf, PipelineError } from '@autoposter/domain';
import { readAt } from './mp4';
import { PNG_SIGNATURE } from './png';

export interface SniffedFile {
  path: string;
  bytes: number;
  container: string;
  /** `image` is decoded by sharp (HEIC by libheif), `video` by ffmpeg with exactly this demuxer; a GIF or PNG may be either. */
  kind: 'video' | 'image';
  demuxer: string | null;
}

type Signature = Pick<SniffedFile, 'container' | 'kind' | 'demuxer'>;

const image = (container: string): Signature => ({ container, kind: 'image', demuxer: null });
const video = (container: string, demuxer: string): Signature => ({ container, kind: 'video', demuxer });

/**
 * Detects the type of a file from its first bytes; name and Content-Type are ignored. Other types never reach a decoder, above all playlists,
 * which make a decoder open other files and addresses.
 */
export async function sniffFile(path: string): Promise<SniffedFile> {
  assertPath(path);
  const { bytes, head } = await readHead(path);
  if (bytes === 0) throw PipelineError.of('media_empty');
  const signature = detect(head);
  if (signature?.container === 'png' && (await isAnimatedPng(path)))
    return { path, bytes, container: 'apng', kind: 'image', demuxer: 'apng' };
  if (!signature) throw PipelineError.of('media_type_unknown');
  return { path, bytes, ...signature };
}

/**
 * A sound without pictures in a format of its own; `null` for any other file. Only claimed works are sounds, so that `sniffFile` knows none of
 * them. Sounds in containers of videos are told by their tracks.
 */
export async function sniffSound(path: string): Promise<SniffedFile | null> {
  assertPath(path);
  const { bytes, head } = await readHead(path);
  const container = soundFormat(head);
  return container === null ? null : { path, bytes, container, kind: 'video', demuxer: container === 'm4a' ? 'mov' : container };
}

function soundFormat(head: Buffer): string | null {
  const begins = (text: string, at = 0): boolean => head.toString('latin1', at, at + text.length) === text;
  if (begins('fLaC')) return 'flac';
  if (begins('OggS')) return 'ogg';
  if (begins('RIFF') && begins('WAVE', 8)) return 'wav';
  if (begins('ftypM4', 4)) return 'm4a';
  if (begins('ID3')) return 'mp3';
  if (head.length < 2 || head[0] !== 0xff) return null;
  // the sync word of MPEG audio (ISO/IEC 11172-3), whose layer is 0 in AAC (ISO/IEC 13818-7)
  const second = head[1] as number;
  if ((second & 0xf6) === 0xf0) return 'aac';
  return (second & 0xe0) === 0xe0 && (second & 0x06) !== 0 ? 'mp3' : null;
}

/** Paths come from our own work folders; one that a tool could mistake for an option, an address or a pattern is a defect. */
export function assertPath(path: string): void {
  if (!isAbsolute(path) || /[\0\n\r%]/.test(path)) throw PipelineError.of('media_path_unsafe');
}

function detect(head: Buffer): Signature | null {
  const ascii = (from: number, to: number) => head.toString('latin1', from, to);
  if (head.length < 12) return null;
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return image('jpeg');
  if (head.subarray(0, 8).equals(PNG_SIGNATURE)) return image('png');
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return { container: 'gif', kind: 'image', demuxer: 'gif' };
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return image('webp');
  if (head.readUInt32BE(0) === 0x1a45dfa3) return ascii(0, 64).includes('webm') ? video('webm', 'matroska') : video('matroska', 'matroska');
  const box = ascii(4, 8);
  if (box === 'ftyp') {
    const brand = ascii(8, 12);
    // image sequences are tracks like those of a video
    if (brand === 'avis') return video('avif', 'mov');
    if (['hevc', 'hevx', 'msf1'].includes(brand)) return video('heic', 'mov');
    if (brand === 'avif') return image('avif');
    if (HEIC_BRANDS.includes(brand)) return image('heic');
    // any HEIF picture; its codec is one of the other brands
    if (['mif1', 'mif2'].includes(brand)) return image(brandsOf(head).includes('avif') ? 'avif' : 'heic');
    return video(brand === 'qt  ' ? 'mov' : 'mp4', 'mov');
  }
  // QuickTime files from before 2001 have no file type box
  if (['moov', 'mdat', 'wide', 'free', 'skip'].includes(box)) return video('mov', 'mov');
  return null;
}

/** HEVC in one layer or several (ISO/IEC 23008-12, annex B). */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis'];

/** The compatible brands of a file type box, as far as they are in the first bytes. */
function brandsOf(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length);
  return Array.from({ length: Math.max(0, Math.floor((end - 16) / 4)) }, (_each, index) =>
    head.toString('latin1', 16 + index * 4, 20 + index * 4),
  );
}

/** ISO/IEC 15948, PNG third edition: an animation announces itself by an `acTL` chunk before the picture data. */
async function isAnimatedPng(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    for (let at = 8, chunks = 0; chunks < MAX_PNG_CHUNKS; chunks += 1) {
      const head = await readAt(file, at, 12);
      const type = head.toString('latin1', 4, 8);
      if (head.length < 12 || type === 'IDAT') return false;
      if (type === 'acTL') return head.readUInt32BE(8) > 1;
      at += 12 + head.readUInt32BE(0);
    }
    return false;
  } finally {
    await file.close();
  }
}
const MAX_PNG_CHUNKS = 1000;

async function readHead(path: string): Promise<{ bytes: number; head: Buffer }> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw PipelineError.of('media_not_regular');
    const file = await open(path, 'r');
    try {
      const head = Buffer.alloc(64);
      const { bytesRead } = await file.read(head, 0, head.length, 0);
      return { bytes: found.size, head: head.subarray(0, bytesRead) };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw code === undefined
      ? error
      : new PipelineError(failureOf('media_file_unreadable', { fields: { code }, detail: { code } }), { cause: error });
  }
}
