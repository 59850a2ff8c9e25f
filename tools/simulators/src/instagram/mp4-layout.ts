import { open } from 'node:fs/promises';

/** What Instagram asks of an MP4's layout. */
export interface Mp4Layout {
  /** The index stands before the data. */
  moovFirst: boolean;
  editLists: boolean;
}

const HOLDERS = ['trak', 'edts'];

/** Walks the top boxes of an MP4 up to its index, and the index itself for edit lists. */
export async function layoutOf(path: string): Promise<Mp4Layout> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    let moovFirst = true;
    for (let at = 0; at + 16 <= size;) {
      const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, at);
      const name = buffer.toString('latin1', 4, 8);
      const short = buffer.readUInt32BE(0);
      const length = short === 1 ? Number(buffer.readBigUInt64BE(8)) : short;
      if (length < 8) break;
      if (name === 'mdat') moovFirst = false;
      if (name === 'moov') {
        const index = await handle.read(Buffer.alloc(Math.min(length, size - at)), 8, Math.min(length, size - at) - 8, at + 8);
        return { moovFirst, editLists: holds(index.buffer.subarray(8), 'elst') };
      }
      at += length;
    }
    return { moovFirst: false, editLists: false };
  } finally {
    await handle.close();
  }
}

function holds(boxes: Buffer, wanted: string): boolean {
  for (let at = 0; at + 8 <= boxes.length;) {
    const length = boxes.readUInt32BE(at);
    const name = boxes.toString('latin1', at + 4, at + 8);
    if (name === wanted) return true;
    if (length < 8) return false;
    if (HOLDERS.includes(name) && holds(boxes.subarray(at + 8, at + length), wanted)) return true;
    at += length;
  }
  return false;
}
