import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { crc32, gzipSync } from 'node:zlib';
import type { SeededRandom } from '../trial';

interface HostileFile {
  name: string;
  file: string;
  /** Kinds of failure that every operation ends with; without them at least one operation has to fail. */
  refused?: readonly string[];
}

/**
 * Writes small files that need much memory or time, or that refer a decoder to other files. `canary` is a valid video that no output may contain.
 */
export function writeBombs(folder: string, canary: string): HostileFile[] {
  const files: HostileFile[] = [];
  const add = (name: string, content: string | Buffer, refused?: readonly string[]): void => {
    const file = path.join(folder, `bomb-${files.length}`);
    fs.writeFileSync(file, content);
    files.push({ name, file, ...(refused === undefined ? {} : { refused }) });
  };
  const encode = (name: string, extension: string, ...args: string[]): void => {
    const file = path.join(folder, `bomb-${files.length}.${extension}`);
    const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-y', ...args, file], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the file "${name}" could not be generated: ${stderr}`);
    files.push({ name, file });
  };
  for (const side of [20_000, 100_000, 0x7fffffff]) {
    add(`PNG of ${side} x ${side} pixels`, png(side, side));
    add(`APNG of ${side} x ${side} pixels`, png(side, side, 10_000));
  }
  add('GIF of 65535 x 65535 pixels', gif(65_535, 65_535, 1));
  add('GIF with 10,000 frames of 4000 x 4000 pixels', gif(4000, 4000, 10_000));
  add('JPEG of 65500 x 65500 pixels', jpeg(65_500, 65_500));
  add('WebP of 16383 x 16383 pixels', webp(16_383, 16_383));
  add('index of 500 MB', Buffer.concat([FTYP, box('moov', Buffer.alloc(16), 500_000_000)]));
  add('10,000 empty boxes', Buffer.concat([FTYP, ...Array.from({ length: 10_000 }, () => box('free', Buffer.alloc(0)))]));
  add('box of length 0 again and again', Buffer.concat([FTYP, Buffer.alloc(64_000)]));
  add('gzip of 100 MB', gzipSync(Buffer.alloc(100_000_000)));
  add('SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"><image href="file:///etc/passwd"/></svg>');
  add('empty', '');
  for (const [name, text] of playlists(canary)) {
    add(name, text, ['unsupported_media']);
    add(`${name} behind a file type box`, Buffer.concat([FTYP, Buffer.from(text)]), ['corrupt_media', 'integrity']);
  }
  encode('8000 x 6000 video', 'mp4', ...still('8000x6000', 60), ...FAST_H264, '-crf', '51', '-pix_fmt', 'yuv420p');
  encode('one frame per second for ten hours', 'mkv', ...still('16x16', 36_000), ...FAST_H264);
  encode('10,000 frames per second', 'mp4', '-f', 'lavfi', '-i', 'color=s=16x16:r=10000:d=1', ...FAST_H264);
  encode('pixels 250 times as wide as high', 'mp4', ...still('64x64', 3), '-vf', 'setsar=250', '-c:v', 'libx264');
  const small = files.at(-1)?.file ?? '';
  encode('600 tracks', 'mkv', '-i', small, ...Array.from({ length: 600 }, () => ['-map', '0:v']).flat(), '-c', 'copy');
  return files;
}

const FAST_H264 = ['-c:v', 'libx264', '-preset', 'ultrafast'];
/** A black video of one frame per second. */
const still = (size: string, seconds: number): string[] => ['-f', 'lavfi', '-i', `color=s=${size}:r=1:d=${seconds}`];

function playlists(canary: string): [name: string, text: string][] {
  const targets = [
    canary,
    path.basename(canary),
    'http://127.0.0.1:9/x.ts',
    'file:///etc/passwd',
    `concat:${canary}|/etc/passwd`,
    `subfile,,start,0,end,99,,:${canary}`,
  ];
  return targets.flatMap((target): [string, string][] => [
    [`HLS playlist of ${target.slice(0, 20)}`, `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${target}\n#EXT-X-ENDLIST\n`],
    [`DASH manifest of ${target.slice(0, 20)}`, `<?xml version="1.0"?><MPD><Period><BaseURL>${target}</BaseURL></Period></MPD>`],
    [`concat list of ${target.slice(0, 20)}`, `ffconcat version 1.0\nfile '${target}'\n`],
  ]);
}

const FTYP = Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex');

function box(type: string, body: Buffer, stated = body.length + 8): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(stated, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length, 0);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed), 0);
  return Buffer.concat([head, typed, check]);
}

function png(width: number, height: number, frames = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames, 0);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(frames > 0 ? [chunk('acTL', control)] : []),
    chunk('IDAT', gzipSync(Buffer.alloc(1000)).subarray(10)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function gif(width: number, height: number, frames: number): Buffer {
  const screen = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  screen.writeUInt16LE(width, 6);
  screen.writeUInt16LE(height, 8);
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const frame = Buffer.concat([Buffer.from('21f904040a0000002c00000000', 'hex'), size, Buffer.from('000202440100', 'hex')]);
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}

function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc00011080000000003012200021101031101', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    frame,
    Buffer.from('ffda000c03010002110311003f00', 'hex'),
    Buffer.alloc(100),
    Buffer.from('ffd9', 'hex'),
  ]);
}

function webp(width: number, height: number): Buffer {
  const bits = ((width - 1) | ((height - 1) << 14)) >>> 0;
  const body = Buffer.alloc(64);
  body[0] = 0x2f;
  body.writeUInt32LE(bits, 1);
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + body.length, 4);
  head.write('WEBPVP8L', 8, 'latin1');
  head.writeUInt32LE(body.length, 16);
  return Buffer.concat([head, body]);
}

/** Damages a file: cut, changed bytes anywhere or in the first kilobyte, swapped or repeated blocks, zeros, another file's beginning. */
export function mutate(source: Buffer, other: Buffer, random: SeededRandom): Buffer {
  const data = Buffer.from(source);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const at = below(data.length);
  const length = 1 + below(Math.max(1, Math.min(4096, data.length - at)));
  const change = (count: number, limit: number): Buffer => {
    for (let index = 0; index < count; index += 1) data[below(limit)] = below(256);
    return data;
  };
  const ways: (() => Buffer)[] = [
    () => data.subarray(0, Math.max(1, at)),
    () => change(1 + below(20), data.length),
    () => change(1 + below(8), Math.min(1024, data.length)),
    () => change(1 + below(40), Math.min(4096, data.length)),
    () => Buffer.concat([data.subarray(0, 32), data.subarray(at), data.subarray(32, Math.max(32, at))]),
    () => Buffer.concat([data.subarray(0, at), data.subarray(at, at + length), data.subarray(at, at + length), data.subarray(at + length)]),
    () => data.fill(0, at, at + length),
    () => data.fill(255, at, Math.min(data.length, at + 8)),
    () => Buffer.concat([other.subarray(0, below(Math.min(2048, other.length))), data.subarray(below(64))]),
  ];
  return (ways[below(ways.length)] as () => Buffer)();
}
