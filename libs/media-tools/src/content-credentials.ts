import { X509Certificate } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { cutText } from '@autoposter/domain';
import { readAt } from './mp4';
import type { SniffedFile } from './sniff';

/** What a file says about its origin by C2PA. Neither the signature nor the trust in its certificate is verified. */
export interface ContentCredentials {
  /** Organisation or name in the certificate of the signer; `null` if none can be read. */
  issuer: string | null;
  /** Size of the manifest store. */
  bytes: number;
  verified: false;
}

const MAX_PARTS = 10_000;
/** Thumbnails make manifests large; the certificates follow them within this size or are not read. */
const MAX_BYTES = 4 * 1024 * 1024;
const ISSUER_CHARACTERS = 200;

/** The manifest store of a file (C2PA 2.1, appendix A: where each format embeds it); `null` without one. */
export async function readContentCredentials({ path, container, bytes }: SniffedFile): Promise<ContentCredentials | null> {
  const file = await open(path, 'r');
  try {
    const store = await find(file, container, bytes);
    return store === null ? null : { issuer: issuerOf(activeManifest(store)), bytes: store.length, verified: false };
  } finally {
    await file.close();
  }
}

function find(file: FileHandle, container: string, bytes: number): Promise<Buffer | null> {
  switch (container) {
    case 'jpeg':
      return inJpeg(file);
    case 'png':
    case 'apng':
      return inParts(file, bytes, 8, (head, at) => ({
        isStore: head.toString('latin1', 4, 8) === 'caBX',
        from: at + 8,
        length: head.readUInt32BE(0),
        next: at + 12 + head.readUInt32BE(0),
      }));
    case 'webp':
      return inParts(file, bytes, 12, (head, at) => ({
        isStore: head.toString('latin1', 0, 4) === 'C2PA',
        from: at + 8,
        length: head.readUInt32LE(4),
        next: at + 8 + head.readUInt32LE(4) + (head.readUInt32LE(4) % 2),
      }));
    case 'mp4':
    case 'mov':
    case 'avif':
    case 'heic':
      return inParts(file, bytes, 0, (head, at) => {
        const size = head.readUInt32BE(0) === 1 ? Number(head.readBigUInt64BE(8)) : head.readUInt32BE(0);
        const isStore = head.toString('latin1', 4, 8) === 'uuid' && head.subarray(8, 24).equals(C2PA_UUID);
        return { isStore, from: at + 24, length: size - 24, next: size < 8 ? bytes : at + size };
      });
    default:
      return Promise.resolve(null);
  }
}

const C2PA_UUID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');

interface Part {
  isStore: boolean;
  from: number;
  length: number;
  next: number;
}

async function inParts(file: FileHandle, bytes: number, from: number, partOf: (head: Buffer, at: number) => Part): Promise<Buffer | null> {
  for (let at = from, parts = 0; at + 8 <= bytes && parts < MAX_PARTS; parts += 1) {
    const head = await readAt(file, at, 24);
    const part = partOf(Buffer.concat([head, Buffer.alloc(24 - head.length)]), at);
    if (part.isStore) return readAt(file, part.from, Math.min(MAX_BYTES, Math.max(0, part.length)));
    at = part.next;
  }
  return null;
}

/** JPEG splits a box into APP11 segments (ISO/IEC 19566-5): `JP`, the number of the box, that of the segment, and the head of the box again. */
async function inJpeg(file: FileHandle): Promise<Buffer | null> {
  const found: Buffer[] = [];
  let total = 0;
  for (let at = 2, segments = 0; segments < MAX_PARTS && total < MAX_BYTES; segments += 1) {
    const head = await readAt(file, at, 20);
    const marker = head[1];
    if (head.length < 20 || head[0] !== 0xff || marker === undefined || marker === 0xda) break;
    const length = head.readUInt16BE(2);
    if (marker === 0xeb && head.toString('latin1', 4, 6) === 'JP' && head.toString('latin1', 16, 20) === 'jumb') {
      const body = await readAt(file, at + (found.length === 0 ? 12 : 20), Math.max(0, length + 2 - (found.length === 0 ? 12 : 20)));
      found.push(body);
      total += body.length;
    }
    at += 2 + length;
  }
  return found.length === 0 ? null : Buffer.concat(found);
}

/** The last manifest of a store is the active one; earlier ones describe the ingredients of the work. */
function activeManifest(store: Buffer): Buffer {
  let last = store;
  for (let at = 8; at + 8 <= store.length; at += Math.max(8, store.readUInt32BE(at))) {
    if (store.toString('latin1', at + 4, at + 8) === 'jumb') last = store.subarray(at, at + store.readUInt32BE(at));
  }
  return last;
}

/** The first X.509 certificate (DER) is that of the signer: `x5chain` starts with it (RFC 9360). */
function issuerOf(manifest: Buffer): string | null {
  const START = Buffer.from([0x30, 0x82]);
  for (let at = manifest.indexOf(START), tried = 0; at >= 0 && tried < MAX_PARTS; at = manifest.indexOf(START, at + 1), tried += 1) {
    // a certificate starts with a sequence in a sequence
    if (at + 8 > manifest.length || manifest[at + 4] !== 0x30) continue;
    try {
      const { subject } = new X509Certificate(manifest.subarray(at, at + 4 + manifest.readUInt16BE(at + 2)));
      const named = (field: string) =>
        subject
          .split('\n')
          .find((line) => line.startsWith(`${field}=`))
          ?.slice(field.length + 1);
      const name = (named('O') ?? named('CN') ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
      return cutText(name, ISSUER_CHARACTERS) || null;
    } catch {
      // other data that begins like one
    }
  }
  return null;
}
