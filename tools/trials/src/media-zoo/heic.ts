/**
 * A HEIC picture (ISO/IEC 23008-12) of the first frame of an MP4 file that holds one HEVC frame: the decoder's configuration and the coded frame,
 * as the only item of a picture. No installed program writes this format.
 */
export function heicOf(mp4: Buffer, width: number, height: number): Buffer {
  const configuration = boxOf(mp4, 'hvcC');
  const frame = boxOf(mp4, 'mdat').subarray(8);
  const size = Buffer.concat([words(0), words(width, height)]);
  const ftyp = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'));
  const meta = (offset: number): Buffer =>
    box(
      'meta',
      words(0),
      box('hdlr', words(0, 0), Buffer.from('pict', 'latin1'), words(0, 0, 0), Buffer.from([0])),
      box('pitm', words(0), shorts(1)),
      // version 0: offsets and lengths of 4 bytes, no base offset; one item with one extent
      box('iloc', words(0), Buffer.from([0x44, 0x00]), shorts(1, 1, 0, 1), words(offset, frame.length)),
      box('iinf', words(0), shorts(1), box('infe', words(0x02000000), shorts(1, 0), Buffer.from('hvc1\0', 'latin1'))),
      box('iprp', box('ipco', configuration, box('ispe', size)), box('ipma', words(0, 1), shorts(1), Buffer.from([2, 0x81, 0x02]))),
    );
  return Buffer.concat([ftyp, meta(ftyp.length + meta(0).length + 8), box('mdat', frame)]);
}

/** The whole box of a type, found by its name: these two names do not occur elsewhere in a file of one frame. */
function boxOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1') - 4;
  if (at < 0) throw new Error(`the file has no ${type}`);
  return file.subarray(at, at + file.readUInt32BE(at));
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([words(body.length + 8), Buffer.from(type, 'latin1'), body]);
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
