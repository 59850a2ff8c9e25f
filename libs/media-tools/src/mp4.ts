import { open, type FileHandle } from 'node:fs/promises';

/** The part that a truncated file lacks; `null` if the file is complete by its container. */
export type MissingPart = { part: string; atByte: number } | null;

const INDEX_BYTES = 32 * 1024 * 1024;
const MAX_BOXES = 100_000;
const MAX_CHILDREN = 100;

interface Box {
  type: string;
  start: number;
  body: number;
  end: number;
}

/**
 * Checks the boxes of an ISO base media file (ISO/IEC 14496-12; MP4, MOV, AVIF) against its size: every box fits, index and media exist, and
 * neither the sample tables nor a segment index refer to bytes beyond the end.
 */
export async function missingMp4Part(file: FileHandle, bytes: number, isPicture: boolean): Promise<MissingPart> {
  const missing = (part: string): MissingPart => ({ part, atByte: bytes });
  const boxes: Box[] = [];
  const has = (...types: string[]): boolean => boxes.some(({ type }) => types.includes(type));
  const hasAll = (): boolean => (isPicture ? has('meta', 'moov') : has('moov') && has('mdat', 'moof'));
  for (let at = 0; at < bytes && boxes.length < MAX_BOXES;) {
    const box = readBox(await readAt(file, at, 16), at, bytes);
    // padding after an otherwise complete file
    if (box === null && hasAll()) break;
    if (box === null || box.end > bytes) return missing('end');
    boxes.push(box);
    at = box.end;
  }
  if (!hasAll()) return missing(has('moov') || isPicture ? 'media data' : 'index');
  for (const { type, body, end } of boxes) {
    if (type !== 'moov' && type !== 'sidx') continue;
    if (end - body > INDEX_BYTES) continue;
    const data = await readAt(file, body, end - body);
    const needed = type === 'moov' ? endOfSamples(data) : end + indexedBytes(data);
    if (needed > bytes) return missing(type === 'moov' ? 'samples' : 'segments');
  }
  return null;
}

export function readBox(head: Buffer, start: number, fileBytes: number): Box | null {
  if (head.length < 8) return null;
  const type = head.toString('latin1', 4, 8);
  if (!/^[\x20-\x7e\xa9]{4}$/.test(type)) return null;
  const stated = head.readUInt32BE(0);
  if (stated === 1 && head.length < 16) return null;
  const bytes = stated === 1 ? Number(head.readBigUInt64BE(8)) : stated === 0 ? fileBytes - start : stated;
  const headBytes = stated === 1 ? 16 : 8;
  return bytes < headBytes ? null : { type, start, body: start + headBytes, end: start + bytes };
}

/** Bytes behind the segment index: the gap before the first segment, and all segments. */
function indexedBytes(data: Buffer): number {
  const wide = data[0] === 1;
  const countAt = wide ? 30 : 22;
  if (data.length < countAt + 2) return 0;
  let sum = wide ? Number(data.readBigUInt64BE(20)) : data.readUInt32BE(16);
  const count = data.readUInt16BE(countAt);
  for (let at = countAt + 2; at + 12 <= data.length && at < countAt + 2 + count * 12; at += 12) sum += data.readUInt32BE(at) & 0x7fffffff;
  return sum;
}

/** End of the last sample of any track; 0 without samples. */
function endOfSamples(moov: Buffer): number {
  let end = 0;
  for (const track of children(moov, 'trak')) {
    const table = inside(track, ['mdia', 'minf', 'stbl']);
    if (table !== null) end = Math.max(end, endOfLastChunk(table));
  }
  return end;
}

function endOfLastChunk(table: Buffer): number {
  const [offsets] = children(table, 'stco');
  const [wideOffsets] = children(table, 'co64');
  const chunks = offsets ?? wideOffsets;
  const [runs] = children(table, 'stsc');
  const [sizes] = children(table, 'stsz');
  if (!chunks || !runs || !sizes || sizes.length < 12) return 0;
  const wide = offsets === undefined;
  const count = entries(chunks, 8, wide ? 8 : 4);
  let last = -1;
  let offset = -1;
  for (let index = 0; index < count; index += 1) {
    const at = wide ? Number(chunks.readBigUInt64BE(8 + index * 8)) : chunks.readUInt32BE(8 + index * 4);
    if (at > offset) [last, offset] = [index, at];
  }
  if (last < 0) return 0;
  const { before, within } = samplesOf(runs, last);
  const same = sizes.readUInt32BE(4);
  if (same > 0) return offset + same * within;
  const known = Math.min(sizes.readUInt32BE(8), Math.floor((sizes.length - 12) / 4));
  let end = offset;
  for (let sample = before; sample < Math.min(before + within, known); sample += 1) end += sizes.readUInt32BE(12 + sample * 4);
  return end;
}

/** Number of samples before a chunk and in it. An entry of `stsc` applies to all chunks up to the next entry. */
function samplesOf(runs: Buffer, chunk: number): { before: number; within: number } {
  let before = 0;
  const count = entries(runs, 8, 12);
  for (let index = 0; index < count; index += 1) {
    const first = runs.readUInt32BE(8 + index * 12) - 1;
    const within = runs.readUInt32BE(12 + index * 12);
    const next = index + 1 < count ? runs.readUInt32BE(20 + index * 12) - 1 : Number.MAX_SAFE_INTEGER;
    if (chunk < next) return { before: before + (chunk - first) * within, within };
    before += (next - first) * within;
  }
  return { before, within: 0 };
}

/** Number of entries that a table announces and contains; the count follows version and flags. */
function entries(table: Buffer, from: number, each: number): number {
  if (table.length < from) return 0;
  return Math.min(table.readUInt32BE(4), Math.floor((table.length - from) / each));
}

function inside(data: Buffer, path: readonly string[]): Buffer | null {
  return path.reduce<Buffer | null>((found, type) => (found === null ? null : (children(found, type)[0] ?? null)), data);
}

const children = (data: Buffer, wanted: string): Buffer[] => boxesIn(data, MAX_CHILDREN, wanted).map(({ body }) => body);

/** The boxes of a box, up to the first damaged one; only those of the `wanted` type, if it is given. */
export function boxesIn(data: Buffer, most: number, wanted?: string): { type: string; body: Buffer }[] {
  const found: { type: string; body: Buffer }[] = [];
  for (let at = 0; at + 8 <= data.length && found.length < most;) {
    const box = readBox(data.subarray(at, at + 16), at, data.length);
    if (box === null || box.end > data.length) break;
    if (wanted === undefined || box.type === wanted) found.push({ type: box.type, body: data.subarray(box.body, box.end) });
    at = box.end;
  }
  return found;
}

/** Up to `length` bytes; fewer at the end of the file. */
export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const data = Buffer.alloc(length);
  const { bytesRead } = await file.read(data, 0, length, position);
  return data.subarray(0, bytesRead);
}

interface Mp4Layout {
  /** The index precedes the media, so that playback can start at once. */
  indexFirst: boolean;
  /** Instagram refuses files with edit lists. */
  editLists: number;
}

/** Layout of an MP4 file; `null` if the file is not one. */
export async function readMp4Layout(path: string): Promise<Mp4Layout | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const order: string[] = [];
    let editLists = 0;
    for (let at = 0; at + 8 <= size && order.length < 1000;) {
      const box = readBox(await readAt(file, at, 16), at, size);
      if (box === null || box.end > size) return null;
      if (box.type === 'moov') {
        if (box.end - box.body > INDEX_BYTES) return null;
        const index = await readAt(file, box.body, box.end - box.body);
        editLists += children(index, 'trak').filter((track) => inside(track, ['edts', 'elst']) !== null).length;
      }
      order.push(box.type);
      at = box.end;
    }
    const moov = order.indexOf('moov');
    const mdat = order.indexOf('mdat');
    return moov < 0 || mdat < 0 ? null : { indexFirst: moov < mdat, editLists };
  } finally {
    await file.close();
  }
}
