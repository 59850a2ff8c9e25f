import { readCover, refuseCover } from './cover-picture';

const segment = (marker: number, content: readonly number[]): number[] => [0xff, marker, 0, content.length + 2, ...content];
const text = (value: string): number[] => [...value].map((one) => one.charCodeAt(0));
const frame = ({ width = 1080, height = 1920, channels = 3, precision = 8, marker = 0xc0 }) =>
  segment(marker, [precision, height >> 8, height & 255, width >> 8, width & 255, channels]);
const scan = [...segment(0xda, [1, 2, 3]), 0x11, 0xff, 0x00, 0xff, 0xd3, 0x22];
const END = [0xff, 0xd9];
const jpeg = (...parts: readonly (readonly number[])[]): Uint8Array => Uint8Array.from([0xff, 0xd8, ...parts.flat()]);

const exif = (orientation: number, order: 'II' | 'MM'): number[] => {
  const two = (value: number) => (order === 'II' ? [value, 0] : [0, value]);
  const four = (value: number) => (order === 'II' ? [value, 0, 0, 0] : [0, 0, 0, value]);
  const entry = [...(order === 'II' ? [0x12, 0x01] : [0x01, 0x12]), ...two(3), ...four(1), ...two(orientation), 0, 0];
  return segment(0xe1, [...text('Exif'), 0, 0, ...text(order), ...two(42), ...four(8), ...two(1), ...entry]);
};

const reasonOf = (bytes: Uint8Array): string => {
  const read = readCover(bytes);
  return 'refused' in read ? read.refused.message : 'accepted';
};

describe('readCover', () => {
  it('keeps the picture and removes what tells who took it where', () => {
    const kept = [segment(0xe0, text('JFIF')), segment(0xe2, [...text('ICC_PROFILE'), 0, 1]), segment(0xee, text('Adobe'))];
    const removed = [exif(1, 'II'), segment(0xe1, text('http://ns.adobe.com/xap')), segment(0xe2, text('MPF')), segment(0xfe, text('Me'))];
    const behind = text('another picture');
    const read = readCover(jpeg(...kept, ...removed, frame({}), scan, scan, END, behind));
    expect(read).toEqual({ cover: { jpeg: jpeg(...kept, frame({}), scan, scan, END), width: 1080, height: 1920 } });
  });

  it('skips the bytes that fill up to a marker', () => {
    expect(reasonOf(jpeg([0xff, 0xff], frame({}), scan, END))).toBe('accepted');
  });

  it.each([
    ['a PNG picture', Uint8Array.from([0x89, ...text('PNG')]), 'not a JPEG picture'],
    ['an empty file', new Uint8Array(), 'not a JPEG picture'],
    ['a file without a picture', jpeg(segment(0xe0, text('JFIF')), END), 'not a JPEG picture'],
    ['bytes between the segments', jpeg(frame({}), [0x00, 0x01], scan, END), 'not a JPEG picture'],
    ['12 bits per colour', jpeg(frame({ precision: 12 }), scan, END), 'not a JPEG picture'],
    ['a lossless picture', jpeg(frame({ marker: 0xc3 }), scan, END), 'not a JPEG picture'],
    ['a picture that was cut off', jpeg(frame({}), scan), 'not complete'],
    ['the colours of print', jpeg(frame({ channels: 4 }), scan, END), 'CMYK'],
    ['a turned picture', jpeg(exif(6, 'II'), frame({}), scan, END), 'save it upright'],
    ['a turned picture of the other byte order', jpeg(exif(8, 'MM'), frame({}), scan, END), 'save it upright'],
    ['a narrow picture', jpeg(frame({ width: 319, height: 400 }), scan, END), 'a width of at least 320'],
    ['a tall picture', jpeg(frame({ width: 500, height: 1000 }), scan, END), 'its ratio must lie between 9:16 and 1.91:1'],
    ['a wide picture', jpeg(frame({ width: 2000, height: 1000 }), scan, END), 'its ratio must lie between 9:16 and 1.91:1'],
  ])('refuses %s', (_what, bytes, reason) => {
    expect(reasonOf(bytes)).toContain(reason);
  });

  it.each([
    [{ width: 320, height: 569 }],
    [{ width: 1080, height: 1920, marker: 0xc2 }],
    [{ width: 1910, height: 1000 }],
    [{ width: 700, height: 700, channels: 1 }],
  ])('accepts a picture of %j', (size) => {
    expect(reasonOf(jpeg(frame(size), scan, END))).toBe('accepted');
  });

  it.each([
    ['no directory', segment(0xe1, [...text('Exif'), 0, 0, ...text('II'), 42, 0, 255, 255, 255, 255])],
    ['a directory that is cut off', segment(0xe1, [...text('Exif'), 0, 0, ...text('II'), 42, 0, 8, 0, 0, 0, 9, 0, 0x12])],
    ['almost nothing', segment(0xe1, text('Exif'))],
  ])('accepts Exif data with %s', (_what, data) => {
    expect(reasonOf(jpeg(data, frame({}), scan, END))).toBe('accepted');
  });
});

describe('refuseCover', () => {
  it.each([
    ['reel', true, undefined],
    ['reel', false, 'Cover picture: Instagram fetches it from a public address, and this installation has none (CDN_BASE_URL).'],
    ['story', true, 'Cover picture: only a reel can have one.'],
    ['image', true, 'Cover picture: only a reel can have one.'],
    ['carousel', true, 'Cover picture: only a reel can have one.'],
  ] as const)('of a %s with a public address: %s', (kind, hasPublicAddress, message) => {
    expect(refuseCover({ kind, hasPublicAddress })?.message).toBe(message);
  });
});
