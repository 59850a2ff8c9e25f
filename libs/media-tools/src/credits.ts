import { cutText } from '@autoposter/domain';
import type { Metadata } from 'sharp';

export interface Credits {
  artist?: string;
  copyright?: string;
}

const CREDIT_CHARACTERS = 200;

/** One printable line. */
const credit = (text: string | undefined): string | undefined =>
  cutText((text ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim(), CREDIT_CHARACTERS) || undefined;

/** Author and copyright notice of a video, from the tags of its container. */
export function creditsOfTags(tags: Record<string, string> = {}): Credits {
  const find = (...names: string[]) => credit(Object.entries(tags).find(([name]) => names.includes(name.toLowerCase()))?.[1]);
  const [artist, copyright] = [find('artist', 'author'), find('copyright')];
  return { ...(artist ? { artist } : {}), ...(copyright ? { copyright } : {}) };
}

/** Tags of IFD0 (TIFF 6.0) that name the author and the copyright. */
const TAGS: Record<number, keyof Credits> = { 0x013b: 'artist', 0x8298: 'copyright' };
const ASCII = 2;

/** Author and copyright notice of a picture, from EXIF or XMP. All other metadata is private. */
export function creditsOf({ exif, xmpAsString }: Pick<Metadata, 'exif' | 'xmpAsString'>): Credits {
  return { ...fromXmp(xmpAsString ?? ''), ...(exif ? fromExif(exif) : {}) };
}

function fromExif(exif: Buffer): Credits {
  const start = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0;
  const tiff = exif.subarray(start);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return {};
  const little = order === 'II';
  const u16 = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (at + 4 > tiff.length ? 0 : little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = u32(4);
  const found: Credits = {};
  for (let index = 0; index < Math.min(u16(directory), 500); index += 1) {
    const at = directory + 2 + index * 12;
    const name = TAGS[u16(at)];
    if (name === undefined || u16(at + 2) !== ASCII) continue;
    const length = u32(at + 4);
    // up to four characters are stored in the entry itself
    const from = length <= 4 ? at + 8 : u32(at + 8);
    const text = credit(tiff.toString('utf8', from, Math.min(from + length, from + 2000, tiff.length)).split('\0')[0]);
    if (text !== undefined) found[name] = text;
  }
  return found;
}

function fromXmp(xmp: string): Credits {
  const first = (element: string) => {
    const from = xmp.indexOf(`<dc:${element}>`);
    const item = from < 0 ? -1 : xmp.indexOf('<rdf:li', from);
    const start = item < 0 ? -1 : xmp.indexOf('>', item);
    const end = start < 0 ? -1 : xmp.indexOf('<', start);
    return end < 0 ? undefined : credit(decoded(xmp.slice(start + 1, end)));
  };
  const [artist, copyright] = [first('creator'), first('rights')];
  return { ...(artist ? { artist } : {}), ...(copyright ? { copyright } : {}) };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string): string => text.replace(/&(amp|lt|gt|quot|apos);/g, (_entity, name: string) => ENTITIES[name] ?? '');
