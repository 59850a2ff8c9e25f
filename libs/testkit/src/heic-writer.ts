/** One picture coded with HEVC: the box with the configuration of its decoder, and the coded frame. */
export interface HevcPicture {
  configuration: Buffer;
  frame: Buffer;
}

/** The only frame of an MP4 file. */
export function hevcPictureOf(mp4: Buffer): HevcPicture {
  return { configuration: boxNamed(mp4, 'hvcC'), frame: boxNamed(mp4, 'mdat').subarray(8) };
}

interface HeicPicture {
  tiles: readonly HevcPicture[];
  tile: { width: number; height: number };
  /** Size of a picture of several tiles, which are in rows of `columns`. */
  grid?: { columns: number; width: number; height: number };
  /** Size that the file states; default the true one. */
  stated?: { width: number; height: number };
  /** Boxes of further properties, in the order in which they apply. */
  properties?: readonly Buffer[];
  exif?: Buffer;
  xmp?: string;
  /** Type of the coded items. */
  codec?: string;
  /** Major and compatible brands. */
  brands?: readonly string[];
}

/**
 * A HEIC picture (ISO/IEC 23008-12) with its tiles as items, a derived item if there are several, and metadata as phones write it. No installed
 * program writes grids of tiles.
 */
export function writeHeic({
  tiles,
  tile,
  grid,
  stated,
  properties = [],
  exif,
  xmp,
  codec = 'hvc1',
  brands = ['heic', 'mif1', 'heic'],
}: HeicPicture): Buffer {
  const items: { type: string; data: Buffer; inMeta?: boolean; properties?: number[] }[] = tiles.map(({ frame }) => ({
    type: `${codec}\0`,
    data: frame,
    properties: [1, 2],
  }));
  const extra = properties.map((_box, index) => index + 4);
  const primary = grid === undefined ? 1 : tiles.length + 1;
  if (grid === undefined) items[0] = { ...(items[0] as (typeof items)[0]), properties: [1, 3, ...extra] };
  else {
    const rows = tiles.length / grid.columns;
    const data = Buffer.concat([Buffer.from([0, 0, rows - 1, grid.columns - 1]), shorts(grid.width, grid.height)]);
    items.push({ type: 'grid\0', data, inMeta: true, properties: [3, ...extra] });
  }
  if (exif !== undefined) items.push({ type: 'Exif\0', data: Buffer.concat([words(6), Buffer.from('Exif\0\0', 'latin1'), exif]) });
  if (xmp !== undefined) items.push({ type: 'mime\0application/rdf+xml\0', data: Buffer.from(xmp) });

  const size = (shape: { width: number; height: number }): Buffer => isoBox('ispe', words(0, shape.width, shape.height));
  const associations = items.flatMap(({ properties: of }, index) =>
    of === undefined ? [] : [Buffer.concat([shorts(index + 1), Buffer.from([of.length, ...of.map((property) => 0x80 | property)])])],
  );
  const references = [
    ...(grid === undefined ? [] : [isoBox('dimg', shorts(primary, tiles.length, ...tiles.map((_tile, index) => index + 1)))]),
    ...items.flatMap(({ properties: of }, index) => (of === undefined ? [isoBox('cdsc', shorts(index + 1, 1, primary))] : [])),
  ];
  const ftyp = isoBox('ftyp', Buffer.from(`${brands[0] ?? ''}\0\0\0\0${brands.slice(1).join('')}`, 'latin1'));
  const meta = (mediaAt: number): Buffer => {
    const at = { file: mediaAt, meta: 0 };
    // version 1: offsets and lengths of 4 bytes, no base offset; of each item the method, the file and one extent
    const places = items.map(({ data, inMeta }, index) => {
      const from = inMeta ? at.meta : at.file;
      if (inMeta) at.meta += data.length;
      else at.file += data.length;
      return Buffer.concat([shorts(index + 1, inMeta ? 1 : 0, 0, 1), words(from, data.length)]);
    });
    return isoBox(
      'meta',
      words(0),
      isoBox('hdlr', words(0, 0), Buffer.from('pict', 'latin1'), words(0, 0, 0), Buffer.from([0])),
      isoBox('pitm', words(0), shorts(primary)),
      isoBox('iloc', words(0x01000000), Buffer.from([0x44, 0x00]), shorts(items.length), ...places),
      isoBox(
        'iinf',
        words(0),
        shorts(items.length),
        ...items.map(({ type }, index) => isoBox('infe', words(0x02000000), shorts(index + 1, 0), Buffer.from(type, 'latin1'))),
      ),
      ...(references.length === 0 ? [] : [isoBox('iref', words(0), ...references)]),
      isoBox(
        'iprp',
        isoBox('ipco', (tiles[0] as HevcPicture).configuration, size(tile), size(stated ?? grid ?? tile), ...properties),
        isoBox('ipma', words(0, associations.length), ...associations),
      ),
      isoBox('idat', ...items.flatMap(({ data, inMeta }) => (inMeta ? [data] : []))),
    );
  };
  const media = items.flatMap(({ data, inMeta }) => (inMeta ? [] : [data]));
  return Buffer.concat([ftyp, meta(ftyp.length + meta(0).length + 8), isoBox('mdat', ...media)]);
}

/** A box of an ISO base media file: length, type, content. */
export function isoBox(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([words(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** The whole box of a type, found by its name: it does not occur elsewhere in a file of one frame. */
function boxNamed(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1') - 4;
  if (at < 0) throw new Error(`the file has no ${type}`);
  return file.subarray(at, at + file.readUInt32BE(at));
}

function words(...values: number[]): Buffer {
  const data = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => data.writeUInt32BE(value >>> 0, index * 4));
  return data;
}

function shorts(...values: number[]): Buffer {
  const data = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => data.writeUInt16BE(value, index * 2));
  return data;
}
