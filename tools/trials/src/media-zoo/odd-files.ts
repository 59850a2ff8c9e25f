import { hevcPictureOf, isoBox, writeHeic } from '@autoposter/testkit';

/** The expected colour at a position of the written file; `x` and `y` are shares of its width and height. */
interface Pixel {
  seconds: number;
  x: number;
  y: number;
  rgb: readonly [number, number, number];
  tolerance: number;
}

export interface OddFile {
  name: string;
  /** File name; its extension selects the container. */
  file: string;
  /** Arguments of ffmpeg. */
  make: readonly string[];
  /** A second run that reads the first result, such as one that adds a rotation. */
  then?: readonly string[];
  /** The second run leaves out this beginning; as it encodes nothing, the frames stay in the file, hidden by its edit list. */
  cutSeconds?: number;
  /** Changes the bytes that ffmpeg wrote. */
  rewrite?: (made: Buffer) => Buffer;
  /** An encoder or muxer of ffmpeg; without it the file is omitted. */
  needs?: string;
  expect: {
    seconds?: number;
    /** `avg_frame_rate` of the written file. */
    rate?: string;
    copied?: boolean;
    changes?: Record<string, unknown>;
    /** Frames whose two fields differ. */
    combedFrames?: number;
    pixels: readonly Pixel[];
  };
}

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const lavfi = (source: string): string[] => ['-f', 'lavfi', '-i', source];
const BROWN = '863F33';
const brown = (change: Partial<Pixel> = {}): Pixel => ({ seconds: 1, x: 0.5, y: 0.5, rgb: [134, 63, 51], tolerance: 5, ...change });
const blue = (change: Partial<Pixel> = {}): Pixel => ({ seconds: 1, x: 0.5, y: 0.5, rgb: [0, 0, 255], tolerance: 12, ...change });
const red = (change: Partial<Pixel> = {}): Pixel => ({ seconds: 1, x: 0.5, y: 0.5, rgb: [255, 0, 0], tolerance: 12, ...change });
const plain = (rgb: string, size: string, seconds = 3, rate = 10): string[] =>
  lavfi(`color=c=0x${rgb}:s=${size}:r=${rate}:d=${seconds},format=gbrp`);
/** One colour after the other. */
const sequence = (rate: number, ...parts: readonly (readonly [colour: string, seconds: number])[]): string[] => {
  const sources = parts.map(([name, seconds], index) => `color=c=${name}:s=160x120:r=${rate}:d=${seconds}[${index}];`);
  return lavfi(`${sources.join('')}${parts.map((_part, index) => `[${index}]`).join('')}concat=n=${parts.length}`);
};
const blueThenRed = (each: number): string[] => sequence(10, ['blue', each], ['red', each]);
const sine = (seconds: number): string[] => lavfi(`sine=d=${seconds}`);

/** The colour 128,32,32 with a high dynamic range, whose reference white has 203 cd/m2. */
const graded = (transfer: string, curve = 'bt709'): string[] => {
  const tagged = `scale=out_color_matrix=bt709:out_range=tv,format=yuv444p10le,setparams=color_primaries=bt709:color_trc=${curve}:colorspace=bt709`;
  return [
    ...plain('802020', '320x180'),
    ...['-vf', `${tagged},zscale=m=2020_ncl:t=${transfer}:p=2020:r=limited:npl=203,format=yuv420p10le`],
    ...['-colorspace', 'bt2020nc', '-color_primaries', 'bt2020', '-color_trc', transfer],
  ];
};
const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'];
const hdr = (transfer: string): string[] => [...graded(transfer), ...x265];
const hdrStill = (transfer: string): string[] => [...graded(transfer, 'iec61966-2-1'), '-frames:v', '1'];
const toned = { pixels: [brown({ rgb: [128, 32, 32], tolerance: 14 })], changes: { toneMapped: true } };
/** One HEVC frame of BT.709 in an MP4 file. */
const hevcFrame = (pixelFormat: string): string[] => [
  ...['-frames:v', '1', '-vf', `scale=out_color_matrix=bt709:out_range=tv,format=${pixelFormat}`],
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
  ...['-c:v', 'libx265', '-x265-params', 'log-level=none', '-tag:v', 'hvc1', '-f', 'mp4'],
];
const matrix = (name: string): string[] => ['-vf', `scale=out_color_matrix=${name}:out_range=tv,format=yuv420p`];

/** Files that cameras, editors and web sites write and that simple tools get wrong. */
export const ODD_FILES: readonly OddFile[] = [
  { name: 'black', file: 'black.mp4', make: [...plain('000000', '320x180'), ...H264], expect: { pixels: [blue({ rgb: [0, 0, 0] })] } },
  { name: 'HDR10', file: 'hdr10.mp4', make: hdr('smpte2084'), needs: 'libx265', expect: toned },
  { name: 'HLG', file: 'hlg.mp4', make: hdr('arib-std-b67'), needs: 'libx265', expect: toned },
  {
    name: '10-bit SDR',
    file: 'ten-bit.mp4',
    make: [
      ...plain(BROWN, '1280x720'),
      ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p10le', '-c:v', 'libx265', '-preset', 'ultrafast'],
    ],
    needs: 'libx265',
    expect: { pixels: [brown()] },
  },
  { name: 'untagged HD', file: 'hd.mp4', make: [...plain(BROWN, '1280x720'), ...matrix('bt709'), ...H264], expect: { pixels: [brown()] } },
  { name: 'untagged SD', file: 'sd.mp4', make: [...plain(BROWN, '640x360'), ...matrix('bt601'), ...H264], expect: { pixels: [brown()] } },
  {
    name: 'full range',
    file: 'full.mp4',
    make: [
      ...plain(BROWN, '640x360'),
      ...['-vf', 'scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p', '-c:v', 'libx264', '-color_range', 'pc'],
    ],
    expect: { pixels: [brown()] },
  },
  {
    name: '4:4:4',
    file: 'full-chroma.mkv',
    make: [...plain(BROWN, '640x360'), '-c:v', 'libx264', '-pix_fmt', 'yuv444p'],
    expect: { pixels: [brown()] },
  },
  {
    name: 'rotated',
    file: 'rotated.mp4',
    // ffmpeg 5 writes this tag as a turn to the left: the upper half, which is blue as stored, is shown at the left
    make: [...plain('FF0000', '320x180'), '-vf', 'drawbox=x=0:y=0:w=320:h=90:color=blue:t=fill', ...H264],
    then: ['-c', 'copy', '-metadata:s:v', 'rotate=90'],
    expect: { pixels: [blue({ x: 0.2 }), red({ x: 0.8 })] },
  },
  {
    name: 'variable frame rate',
    file: 'vfr.mp4',
    // two thirds of the frames are shown in the first half; evenly spaced, the colour would change at 1 s
    make: [...sequence(60, ['blue', 1.5], ['red', 1.5]), '-vf', "select='not(mod(n,2))+lt(t,1.5)'", '-vsync', 'vfr', ...H264],
    expect: { seconds: 3, pixels: [blue({ seconds: 0.7 }), blue({ seconds: 1.4 }), red({ seconds: 1.6 })] },
  },
  {
    name: 'interlaced',
    file: 'interlaced.mp4',
    // a bar that moves between the two fields of a frame
    make: [
      ...lavfi('color=c=blue:s=720x576:r=50:d=3'),
      ...lavfi('color=c=white:s=100x576:r=50:d=3'),
      ...['-filter_complex', "[0][1]overlay=x='mod(n*16,500)',interlace=scan=tff:lowpass=0"],
      ...[...H264, '-flags', '+ilme+ildct', '-x264-params', 'tff=1'],
    ],
    expect: { changes: { deinterlaced: true }, combedFrames: 0, pixels: [blue({ x: 0.95 })] },
  },
  {
    name: 'edit list',
    file: 'edited.mov',
    make: [...sequence(10, ['lime', 1], ['blue', 1], ['red', 3]), ...sine(5), ...H264, '-bf', '3', '-g', '100', '-c:a', 'aac'],
    then: ['-c', 'copy'],
    cutSeconds: 1,
    expect: {
      seconds: 4,
      copied: false,
      pixels: [blue({ seconds: 0 }), blue({ seconds: 0.9 }), red({ seconds: 1.1 }), red({ seconds: 3.9 })],
    },
  },
  {
    name: 'edit list of a clip that is repeated',
    file: 'edited-short.mp4',
    make: [...sequence(10, ['lime', 1], ['blue', 0.6], ['red', 2.1]), ...sine(3.7), ...H264, '-g', '100', '-c:a', 'aac'],
    then: ['-c', 'copy'],
    cutSeconds: 1,
    expect: {
      seconds: 5.4,
      changes: { loopedFromSeconds: 2.7 },
      pixels: [0, 2.7].flatMap((start) => [
        blue({ seconds: start + 0.05 }),
        blue({ seconds: start + 0.5 }),
        red({ seconds: start + 0.7 }),
        red({ seconds: start + 2.6 }),
      ]),
    },
  },
  {
    name: 'edit list of a file that is ready otherwise',
    file: 'edited-ready.mp4',
    make: [
      ...sequence(30, ['lime', 0.5], ['blue', 1], ['red', 3]),
      ...lavfi('aevalsrc=0.35*sin(2*PI*997*t):s=48000:d=4.5'),
      ...['-vf', 'scale=720:1280:in_color_matrix=bt601:out_color_matrix=bt709', ...H264, '-g', '200', '-c:a', 'aac', '-ac', '2'],
    ],
    then: ['-c', 'copy'],
    cutSeconds: 0.5,
    expect: { seconds: 4, copied: false, pixels: [blue({ seconds: 0 }), blue({ seconds: 0.9 }), red({ seconds: 1.1 })] },
  },
  {
    name: 'start offset',
    file: 'offset.mkv',
    make: ['-itsoffset', '2', ...blueThenRed(2), ...sine(6), '-map', '0:v', '-map', '1:a', ...H264],
    expect: { seconds: 6, pixels: [blue({ seconds: 1 }), blue({ seconds: 3 }), red({ seconds: 5 })] },
  },
  {
    name: 'sound that ends after the picture',
    file: 'sound.webm',
    make: [...blueThenRed(1.5), ...sine(5), '-c:v', 'libvpx', '-c:a', 'libopus'],
    expect: { seconds: 5, pixels: [blue(), red({ seconds: 4.5 })] },
  },
  {
    name: '5.1 sound',
    file: 'surround.mkv',
    make: [...plain('0000FF', '160x120'), ...lavfi('sine=d=3,pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0'), ...H264, '-c:a', 'ac3'],
    expect: { seconds: 3, pixels: [blue()] },
  },
  { name: 'silent', file: 'silent.mp4', make: [...plain('0000FF', '160x120'), ...H264], expect: { seconds: 3, pixels: [blue()] } },
  {
    name: 'twelve tracks',
    file: 'tracks.mkv',
    make: [...plain('0000FF', '160x120'), ...sine(3), ...['-map', '0', ...Array.from({ length: 11 }, () => ['-map', '1']).flat()], ...H264],
    expect: { seconds: 3, pixels: [blue()] },
  },
  {
    name: 'one second',
    file: 'short.mp4',
    make: [...blueThenRed(0.5), ...sine(1), ...H264],
    expect: { seconds: 3, changes: { loopedFromSeconds: 1 }, pixels: [blue({ seconds: 1.2 }), red({ seconds: 1.7 })] },
  },
  {
    name: '60 frames per second',
    file: 'sixty.mp4',
    make: [...plain('0000FF', '160x120', 3, 60), ...H264],
    expect: { rate: '60/1', pixels: [blue()] },
  },
  {
    name: '240 frames per second',
    file: 'slow-motion.mp4',
    make: [...plain('0000FF', '160x120', 3, 240), ...H264],
    expect: { rate: '60/1', pixels: [blue()] },
  },
  {
    name: 'wide pixels',
    file: 'anamorphic.mp4',
    make: [...plain('0000FF', '720x576'), '-vf', 'setsar=16/11', ...H264],
    expect: { pixels: [blue()] },
  },
  {
    name: 'letterboxed',
    file: 'bars.mp4',
    make: [...plain('FF0000', '320x180'), '-vf', 'pad=320:320:0:70:black', ...H264],
    expect: { changes: { barsRemoved: true }, pixels: [red({ y: 0.4 }), red({ y: 0.05 })] },
  },
  {
    name: 'ready for a reel',
    file: 'ready.mp4',
    make: [
      ...lavfi('testsrc2=s=720x1280:r=30:d=3'),
      ...lavfi('aevalsrc=0.35*sin(2*PI*997*t):s=48000:d=3'),
      ...[...H264, '-g', '60', '-c:a', 'aac', '-ac', '2'],
    ],
    expect: { copied: true, seconds: 3, pixels: [] },
  },
  {
    name: 'GIF',
    file: 'animation.gif',
    make: [...blueThenRed(0.5), '-pix_fmt', 'rgb8'],
    expect: { seconds: 3, pixels: [blue({ seconds: 0.2 }), red({ seconds: 0.8 })] },
  },
  {
    name: 'APNG',
    file: 'animation.png',
    make: [...blueThenRed(0.5), '-f', 'apng', '-plays', '0'],
    expect: { seconds: 3, pixels: [blue({ seconds: 0.2 }), red({ seconds: 0.8 })] },
  },
  {
    name: 'animated WebP',
    file: 'animation.webp',
    make: [...blueThenRed(0.5), '-loop', '0'],
    needs: 'libwebp_anim',
    expect: { seconds: 3, pixels: [blue({ seconds: 0.2 }), red({ seconds: 0.8 })] },
  },
  {
    name: 'animated AVIF',
    file: 'animation.avif',
    make: [...blueThenRed(0.5), '-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '30'],
    needs: 'libaom-av1',
    expect: { seconds: 3, pixels: [blue({ seconds: 0.2 }), red({ seconds: 0.8 })] },
  },
  {
    name: 'WebP',
    file: 'still.webp',
    make: [...plain('0000FF', '640x640'), '-frames:v', '1'],
    needs: 'libwebp',
    expect: { pixels: [blue()] },
  },
  {
    name: 'HEIC',
    file: 'phone.heic',
    make: [...plain('0000FF', '640x640'), ...hevcFrame('yuv420p')],
    rewrite: (made) => writeHeic({ tiles: [hevcPictureOf(made)], tile: { width: 640, height: 640 } }),
    needs: 'libx265',
    expect: { pixels: [blue()] },
  },
  {
    name: 'HEIC of tiles, turned to the left',
    file: 'tiles.heic',
    make: [
      ...lavfi('color=c=red:s=160x320:d=1,format=gbrp[l];color=c=blue:s=160x320:d=1,format=gbrp[r];[l][r]hstack'),
      ...hevcFrame('yuv420p'),
    ],
    rewrite: (made) => {
      const grid = { columns: 2, width: 640, height: 320 };
      const tiles = [hevcPictureOf(made), hevcPictureOf(made)];
      return writeHeic({ tiles, tile: { width: 320, height: 320 }, grid, properties: [isoBox('irot', Buffer.from([1]))] });
    },
    needs: 'libx265',
    expect: { pixels: [blue({ y: 0.125 }), red({ y: 0.375 }), blue({ y: 0.625 }), red({ y: 0.875 })] },
  },
  {
    name: 'HEIC with 10 bits',
    file: 'camera.heic',
    make: [...plain(BROWN, '640x640'), ...hevcFrame('yuv420p10le')],
    rewrite: (made) => writeHeic({ tiles: [hevcPictureOf(made)], tile: { width: 640, height: 640 }, brands: ['heix', 'mif1', 'heix'] }),
    needs: 'libx265',
    expect: { pixels: [brown()] },
  },
  ...(
    [
      ['PQ', 'smpte2084', 16],
      ['HLG', 'arib-std-b67', 18],
    ] as const
  ).flatMap(([name, transfer, code]): OddFile[] => [
    {
      name: `HEIC in ${name}`,
      file: `${code}.heic`,
      make: [...hdrStill(transfer), ...x265, '-tag:v', 'hvc1', '-f', 'mp4'],
      rewrite: (made) => {
        const properties = [isoBox('colr', Buffer.from('nclx', 'latin1'), Buffer.from([0, 9, 0, code, 0, 9, 0]))];
        return writeHeic({ tiles: [hevcPictureOf(made)], tile: { width: 320, height: 180 }, properties });
      },
      needs: 'libx265',
      expect: toned,
    },
    {
      name: `AVIF in ${name}`,
      file: `${code}.avif`,
      make: [...hdrStill(transfer), '-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '8', '-crf', '20'],
      needs: 'libaom-av1',
      expect: toned,
    },
  ]),
  {
    name: 'transparent PNG',
    file: 'clear.png',
    make: [...lavfi('color=c=red@0:s=640x640,format=rgba'), '-frames:v', '1'],
    expect: { pixels: [red({ rgb: [255, 255, 255] })] },
  },
  { name: '50 megapixels', file: 'large.jpg', make: [...plain('0000FF', '8660x5773'), '-frames:v', '1'], expect: { pixels: [blue()] } },
  {
    name: 'AV1',
    file: 'av1.mp4',
    make: [...plain('0000FF', '160x120'), '-c:v', 'libaom-av1', '-cpu-used', '8', '-crf', '40'],
    needs: 'libaom-av1',
    expect: { seconds: 3, pixels: [blue()] },
  },
];
