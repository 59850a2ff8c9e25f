import { open, readFile, type FileHandle } from 'node:fs/promises';
import { JPEG_END, jpegSegments } from '@autoposter/domain';
import { missingMp4Part, readAt, type MissingPart } from './mp4';
import type { SniffedFile } from './sniff';

/**
 * Compares a file with the lengths in its container. A transfer with a missing or wrong Content-Length ends like a complete one, so only the
 * container can tell. Pictures are read into memory, so the caller checks their size first.
 */
export async function missingPart({ container, path, bytes }: SniffedFile): Promise<MissingPart> {
  switch (container) {
    case 'jpeg':
      return missingOfJpeg(await readFile(path));
    case 'png':
    case 'apng':
      return missingOfPng(await readFile(path));
    case 'gif':
      return missingOfGif(await readFile(path));
    case 'webp':
      return withFile(path, (file) => missingOfWebp(file, bytes));
    case 'webm':
    case 'matroska':
      return withFile(path, (file) => missingOfMatroska(file, bytes));
    default:
      return withFile(path, (file) => missingMp4Part(file, bytes, container === 'avif' || container === 'heic'));
  }
}

async function withFile<T>(path: string, read: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

function missingOfJpeg(data: Buffer): MissingPart {
  for (const segment of jpegSegments(data)) if (segment?.marker === JPEG_END) return null;
  return { part: 'end-of-image marker', atByte: data.length };
}

/** ISO/IEC 15948: length, type, data, CRC. */
function missingOfPng(data: Buffer): MissingPart {
  for (let at = 8; at + 12 <= data.length;) {
    const end = at + 12 + data.readUInt32BE(at);
    if (end > data.length) break;
    if (data.toString('latin1', at + 4, at + 8) === 'IEND') return null;
    at = end;
  }
  return { part: 'IEND chunk', atByte: data.length };
}

function missingOfGif(data: Buffer): MissingPart {
  const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));
  let at = 13 + tableBytes(data[10] ?? 0);
  while (at < data.length) {
    const kind = data[at];
    if (kind === 0x3b) return null;
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) at += 11 + tableBytes(data[at + 9] ?? 0);
    else break;
    for (let size = data[at]; size !== undefined && size !== 0; size = data[at]) at += size + 1;
    at += 1;
  }
  return { part: 'trailer', atByte: data.length };
}

async function missingOfWebp(file: FileHandle, bytes: number): Promise<MissingPart> {
  const head = await readAt(file, 0, 8);
  return head.readUInt32LE(4) + 8 > bytes ? { part: 'end of the RIFF chunk', atByte: bytes } : null;
}

const EBML_HEADER = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const MAX_ELEMENTS = 100_000;

/** RFC 8794. Walks a segment of unknown length element by element, as far as their lengths are known. */
async function missingOfMatroska(file: FileHandle, bytes: number): Promise<MissingPart> {
  const missing = { part: 'end of an element', atByte: bytes };
  let segments = 0;
  for (let at = 0, count = 0; at < bytes && count < MAX_ELEMENTS; count += 1) {
    const element = readElement(await readAt(file, at, 12));
    if (element === null) return at + 12 > bytes ? missing : null;
    if (element.id === SEGMENT) segments += 1;
    const entered = element.id === SEGMENT && element.bytes === null;
    if (element.bytes === null && !entered) return null;
    at += element.headBytes + (entered ? 0 : (element.bytes ?? 0));
    if (at > bytes) return missing;
    if (count === 0 && element.id !== EBML_HEADER) return null;
  }
  return segments === 0 ? { part: 'segment', atByte: bytes } : null;
}

function readElement(head: Buffer): { id: number; headBytes: number; bytes: number | null } | null {
  const idBytes = Math.clz32(head[0] ?? 0) - 23;
  const sizeAt = head[idBytes];
  if (idBytes > 4 || sizeAt === undefined) return null;
  const sizeBytes = Math.clz32(sizeAt) - 23;
  if (sizeBytes > 8 || head.length < idBytes + sizeBytes) return null;
  let size = BigInt(sizeAt & (0xff >> sizeBytes));
  for (let index = 1; index < sizeBytes; index += 1) size = (size << 8n) | BigInt(head[idBytes + index] as number);
  const unknown = size === (1n << BigInt(7 * sizeBytes)) - 1n;
  return { id: head.readUIntBE(0, idBytes), headBytes: idBytes + sizeBytes, bytes: unknown ? null : Number(size) };
}
