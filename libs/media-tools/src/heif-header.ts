import { open, type FileHandle } from 'node:fs/promises';
import { PipelineError } from '@autoposter/domain';
import { boxesIn, readAt, readBox } from './mp4';

/** What the header of a HEIF picture (ISO/IEC 23008-12) says about its primary item. */
export interface HeifHeader {
  /** Pixels as shown: after cropping and rotation. */
  width: number;
  height: number;
  /** Pixels as they are coded. */
  coded: { width: number; height: number };
  /** Clockwise degrees. */
  rotation: number;
  /** Type of the coded items, such as `hvc1`. */
  codec: string;
  icc: Buffer | null;
  /** Code points of ITU-T H.273. */
  nclx: { primaries: number; transfer: number } | null;
  exif?: Buffer;
  xmpAsString?: string;
}

const META_BYTES = 4 * 1024 * 1024;
const METADATA_BYTES = 1024 * 1024;
const MAX_BOXES = 10_000;
const MAX_EXTENTS = 64;
/** Items that are made of other items. */
const DERIVED = new Set(['grid', 'iden', 'iovl']);
const MAX_DERIVATIONS = 4;

const damaged = (said: string): PipelineError => PipelineError.of('picture_undecodable', { detail: { said } });

export async function readHeifHeader(path: string, bytes: number): Promise<HeifHeader> {
  const file = await open(path, 'r');
  try {
    const items = new Items(await readMeta(file, bytes));
    const codedItem = items.firstCoded();
    const properties = items.propertiesOf(items.primary);
    const colours = [...properties, ...items.propertiesOf(codedItem)].filter(({ type }) => type === 'colr');
    return {
      ...shapeOf(properties),
      codec: items.typeOf(codedItem),
      icc: iccOf(colours),
      nclx: nclxOf(colours),
      ...(await metadataOf(file, items)),
    };
  } finally {
    await file.close();
  }
}

/** How the levels of a picture with a high dynamic range are coded, in ffmpeg's names. */
export interface HdrRange {
  transfer: string;
  primaries: string;
}

/** Transfer characteristics of ITU-T H.273 with a high dynamic range: PQ and HLG. */
const HDR_TRANSFERS: Record<number, string> = { 16: 'smpte2084', 18: 'arib-std-b67' };
const PRIMARIES: Record<number, string> = { 1: 'bt709', 11: 'smpte431', 12: 'smpte432' };

/** `null` if the levels are those of sRGB, or have a profile, which converts them. */
export function hdrRangeOf({ icc, nclx }: Pick<HeifHeader, 'icc' | 'nclx'>): HdrRange | null {
  const transfer = icc === null ? HDR_TRANSFERS[nclx?.transfer ?? 0] : undefined;
  return transfer === undefined ? null : { transfer, primaries: PRIMARIES[nclx?.primaries ?? 0] ?? 'bt2020' };
}

async function readMeta(file: FileHandle, bytes: number): Promise<Buffer> {
  for (let at = 0, count = 0; at < bytes && count < MAX_BOXES; count += 1) {
    const box = readBox(await readAt(file, at, 16), at, bytes);
    if (box === null || box.end > bytes) break;
    if (box.type === 'meta' && box.end - box.body <= META_BYTES) return readAt(file, box.body, box.end - box.body);
    at = box.end;
  }
  throw damaged('no item list');
}

/** Reads numbers one after the other; the end of the data is a damaged file. */
class Fields {
  private at = 0;

  constructor(private readonly data: Buffer) {}

  number(bytes: number): number {
    if (this.at + bytes > this.data.length || ![0, 1, 2, 4, 8].includes(bytes)) throw damaged('an item list that ends early');
    const start = this.at;
    this.at += bytes;
    if (bytes === 0) return 0;
    return bytes === 8 ? Number(this.data.readBigUInt64BE(start)) : this.data.readUIntBE(start, bytes);
  }

  numbers(count: number, bytes: number): number[] {
    if (this.at + count * bytes > this.data.length) throw damaged('an item list that ends early');
    return Array.from({ length: count }, () => this.number(bytes));
  }

  skip(bytes: number): void {
    this.at += bytes;
  }

  type(): string {
    this.skip(4);
    return this.data.toString('latin1', this.at - 4, this.at);
  }

  /** Up to the next zero byte. */
  text(): string {
    const end = this.data.indexOf(0, this.at);
    const text = this.data.toString('latin1', this.at, end < 0 ? this.data.length : end);
    this.at += text.length + 1;
    return text;
  }
}

/** Fields of a box that begins with version and flags. */
function versioned(body: Buffer): { version: number; flags: number; fields: Fields } {
  const fields = new Fields(body);
  const head = fields.number(4);
  return { version: head >>> 24, flags: head & 0xffffff, fields };
}

interface Property {
  type: string;
  body: Buffer;
}

/** The items of a `meta` box: types, properties, references and places. */
class Items {
  readonly primary: number;
  private readonly boxes: readonly Property[];
  private readonly types = new Map<number, { type: string; contentType: string }>();
  private readonly properties: readonly Property[];
  private readonly associations = new Map<number, number[]>();
  private readonly references: { type: string; from: number; to: number[] }[] = [];

  constructor(meta: Buffer) {
    this.boxes = boxesIn(meta.subarray(4), MAX_BOXES);
    const { version, fields } = versioned(this.box('pitm'));
    this.primary = fields.number(version === 0 ? 2 : 4);
    this.readTypes();
    this.readReferences();
    const parts = boxesIn(this.box('iprp'), MAX_BOXES);
    this.properties = boxesIn(parts.find(({ type }) => type === 'ipco')?.body ?? Buffer.alloc(0), MAX_BOXES);
    for (const { type, body } of parts) if (type === 'ipma') this.readAssociations(body);
  }

  typeOf(item: number): string {
    return this.types.get(item)?.type ?? '';
  }

  /** In the order in which they apply. */
  propertiesOf(item: number): Property[] {
    return (this.associations.get(item) ?? []).flatMap((index) => this.properties[index - 1] ?? []);
  }

  /** The primary item, or the first one that it is made of. */
  firstCoded(): number {
    let item = this.primary;
    for (let step = 0; step < MAX_DERIVATIONS && DERIVED.has(this.typeOf(item)); step += 1)
      item = this.references.find(({ type, from }) => type === 'dimg' && from === item)?.to[0] ?? -1;
    if (!this.types.has(item)) throw damaged('no coded item');
    return item;
  }

  /** Items that describe the primary one. */
  describing(wanted: string, contentType = ''): number | undefined {
    return this.references.find(({ type, from, to }) => {
      const item = this.types.get(from);
      return type === 'cdsc' && to.includes(this.primary) && item?.type === wanted && item.contentType === contentType;
    })?.from;
  }

  /** The data of an item; `null` if it is not in this file or too large. */
  async dataOf(item: number, file: FileHandle): Promise<Buffer | null> {
    const { fields, version } = versioned(this.box('iloc'));
    const sizes = fields.number(2);
    const sizeAt = (shift: number): number => (sizes >> shift) & 15;
    const [offsetBytes, lengthBytes, baseBytes] = [sizeAt(12), sizeAt(8), sizeAt(4)];
    const indexBytes = version === 0 ? 0 : sizeAt(0);
    const idBytes = version < 2 ? 2 : 4;
    for (let left = fields.number(idBytes); left > 0; left -= 1) {
      const found = fields.number(idBytes);
      const method = version === 0 ? 0 : fields.number(2) & 15;
      // a reference to another file
      fields.skip(2);
      const base = fields.number(baseBytes);
      const count = fields.number(2);
      if (found !== item) {
        fields.skip(count * (indexBytes + offsetBytes + lengthBytes));
        continue;
      }
      if (count > MAX_EXTENTS || method > 1) return null;
      const extents = Array.from({ length: count }, () => {
        fields.skip(indexBytes);
        return { from: base + fields.number(offsetBytes), length: fields.number(lengthBytes) };
      });
      if (extents.reduce((sum, { length }) => sum + length, 0) > METADATA_BYTES) return null;
      if (!extents.every(({ from }) => Number.isSafeInteger(from))) return null;
      const idat = method === 1 ? this.box('idat') : null;
      const read = ({ from, length }: { from: number; length: number }) =>
        idat === null ? readAt(file, from, length) : Promise.resolve(idat.subarray(from, from + length));
      return Buffer.concat(await Promise.all(extents.map(read)));
    }
    return null;
  }

  private box(wanted: string): Buffer {
    const found = this.boxes.find(({ type }) => type === wanted);
    if (found === undefined) throw damaged(`no ${wanted} box`);
    return found.body;
  }

  private readTypes(): void {
    const { version, fields } = versioned(this.box('iinf'));
    fields.number(version === 0 ? 2 : 4);
    for (const { body } of boxesIn(this.box('iinf').subarray(version === 0 ? 6 : 8), MAX_BOXES, 'infe')) {
      const entry = versioned(body);
      const item = entry.fields.number(entry.version < 3 ? 2 : 4);
      // index of a protection
      entry.fields.skip(2);
      const type = entry.fields.type();
      entry.fields.text();
      this.types.set(item, { type, contentType: type === 'mime' ? entry.fields.text() : '' });
    }
  }

  private readReferences(): void {
    const iref = this.boxes.find(({ type }) => type === 'iref')?.body;
    if (iref === undefined) return;
    const idBytes = versioned(iref).version === 0 ? 2 : 4;
    for (const { type, body } of boxesIn(iref.subarray(4), MAX_BOXES)) {
      const fields = new Fields(body);
      const from = fields.number(idBytes);
      this.references.push({ type, from, to: fields.numbers(fields.number(2), idBytes) });
    }
  }

  private readAssociations(ipma: Buffer): void {
    const { version, flags, fields } = versioned(ipma);
    const indexBytes = (flags & 1) === 0 ? 1 : 2;
    for (let left = fields.number(4); left > 0; left -= 1) {
      const item = fields.number(version === 0 ? 2 : 4);
      // the highest bit says whether a reader must know the property
      const indexes = fields.numbers(fields.number(1), indexBytes).map((index) => index & (indexBytes === 1 ? 0x7f : 0x7fff));
      const known = this.associations.get(item);
      if (known === undefined) this.associations.set(item, indexes);
      else known.push(...indexes);
    }
  }
}

/** Size and rotation after the transformations, which apply in their order. */
function shapeOf(properties: readonly Property[]): Pick<HeifHeader, 'width' | 'height' | 'coded' | 'rotation'> {
  const ispe = properties.find(({ type }) => type === 'ispe')?.body;
  const [width = 0, height = 0] = ispe === undefined ? [] : versioned(ispe).fields.numbers(2, 4);
  if (width === 0 || height === 0) throw PipelineError.of('media_without_size');
  const shape = { width, height, coded: { width, height }, rotation: 0 };
  for (const { type, body } of properties) {
    if (type === 'irot') {
      const quarters = new Fields(body).number(1) & 3;
      shape.rotation = (shape.rotation + (4 - quarters) * 90) % 360;
      if (quarters % 2 === 1) [shape.width, shape.height] = [shape.height, shape.width];
    } else if (type === 'clap') {
      const [widthOver = 0, widthUnder = 0, heightOver = 0, heightUnder = 0] = new Fields(body).numbers(4, 4);
      shape.width = Math.min(shape.width, Math.max(1, Math.round(widthOver / widthUnder) || 1));
      shape.height = Math.min(shape.height, Math.max(1, Math.round(heightOver / heightUnder) || 1));
    }
  }
  return shape;
}

function iccOf(colours: readonly Property[]): Buffer | null {
  const profile = colours.find(({ body }) => ['prof', 'rICC'].includes(body.toString('latin1', 0, 4)));
  return profile?.body.subarray(4) ?? null;
}

function nclxOf(colours: readonly Property[]): HeifHeader['nclx'] {
  const found = colours.find(({ body }) => body.toString('latin1', 0, 4) === 'nclx')?.body;
  if (found === undefined) return null;
  const [primaries = 0, transfer = 0] = new Fields(found.subarray(4)).numbers(2, 2);
  return { primaries, transfer };
}

async function metadataOf(file: FileHandle, items: Items): Promise<Pick<HeifHeader, 'exif' | 'xmpAsString'>> {
  const [exif, xmp] = [items.describing('Exif'), items.describing('mime', 'application/rdf+xml')];
  const [exifData, xmpData] = [
    exif === undefined ? null : await items.dataOf(exif, file),
    xmp === undefined ? null : await items.dataOf(xmp, file),
  ];
  return {
    // four bytes say where the TIFF header begins behind them
    ...(exifData !== null && exifData.length > 4 ? { exif: exifData.subarray(4 + exifData.readUInt32BE(0)) } : {}),
    ...(xmpData === null ? {} : { xmpAsString: xmpData.toString('utf8') }),
  };
}
