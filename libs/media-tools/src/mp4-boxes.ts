import { open } from 'node:fs/promises';

export interface Mp4Layout {
  /** The index stands before the media, so that playing can begin at once. */
  indexFirst: boolean;
  /** Instagram refuses files with edit lists. */
  editLists: number;
}

const CONTAINERS = new Set(['moov', 'trak', 'edts', 'mdia']);
const INDEX_BYTES = 32 * 1024 * 1024;

/** Walks the boxes of an MP4 file (ISO/IEC 14496-12) far enough to tell its layout; `null` when it is not one. */
export async function readMp4Layout(path: string): Promise<Mp4Layout | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const order: string[] = [];
    let editLists = 0;
    for (let at = 0; at + 8 <= size && order.length < 1000;) {
      const head = Buffer.alloc(16);
      await file.read(head, 0, 16, at);
      const type = head.toString('latin1', 4, 8);
      const told = head.readUInt32BE(0);
      const bytes = told === 1 ? Number(head.readBigUInt64BE(8)) : told === 0 ? size - at : told;
      if (bytes < 8 || at + bytes > size) return null;
      if (type === 'moov') {
        if (bytes > INDEX_BYTES) return null;
        const index = Buffer.alloc(bytes);
        await file.read(index, 0, bytes, at);
        editLists += countBoxes(index, 'elst');
      }
      order.push(type);
      at += bytes;
    }
    const moov = order.indexOf('moov');
    const mdat = order.indexOf('mdat');
    return moov < 0 || mdat < 0 ? null : { indexFirst: moov < mdat, editLists };
  } finally {
    await file.close();
  }
}

function countBoxes(data: Buffer, wanted: string): number {
  let count = 0;
  for (let at = 0; at + 8 <= data.length;) {
    const bytes = data.readUInt32BE(at);
    const type = data.toString('latin1', at + 4, at + 8);
    if (bytes < 8 || at + bytes > data.length) break;
    if (type === wanted) count += 1;
    if (CONTAINERS.has(type)) count += countBoxes(data.subarray(at + 8, at + bytes), wanted);
    at += bytes;
  }
  return count;
}
