import type { MediaInfo } from './media-info';
import { platformRefusal } from './media-limits';

const reel: MediaInfo = {
  container: 'mp4',
  kind: 'video',
  width: 1080,
  height: 1920,
  durationSeconds: 12,
  fps: 30,
  videoCodec: 'h264',
  audioCodec: 'aac',
  hasAudio: true,
  bytes: 9_000_000,
  rotation: 0,
};
const picture: MediaInfo = {
  ...reel,
  kind: 'image',
  container: 'jpeg',
  width: 1080,
  height: 1350,
  durationSeconds: null,
  fps: null,
  bytes: 900_000,
};

describe('platformRefusal', () => {
  it.each([
    ['a reel', reel],
    ['one of exactly 3 s', { ...reel, durationSeconds: 3 }],
    ['one of exactly 15 minutes', { ...reel, durationSeconds: 900 }],
    ['a silent one in HEVC', { ...reel, audioCodec: null, videoCodec: 'hevc', container: 'mov' }],
    ['a picture of 4:5', picture],
    ['a picture of 1.91:1 and the least width', { ...picture, width: 320, height: 168 }],
  ])('takes %s', (_what, info) => {
    expect(platformRefusal(info)).toBeNull();
  });

  it.each([
    ['too short', { ...reel, durationSeconds: 2.99 }, 'The video lasts 2.99 s; Instagram takes videos from 3 s on.'],
    ['without a length', { ...reel, durationSeconds: null }, 'The video lasts 0 s; Instagram takes videos from 3 s on.'],
    ['too long', { ...reel, durationSeconds: 901 }, 'up to 15 minutes'],
    ['too large', { ...reel, bytes: 300_000_001 }, 'The video has 300.1 MB; Instagram takes up to 300 MB.'],
    ['of another container', { ...reel, container: 'webm' }, 'webm'],
    ['of another codec', { ...reel, videoCodec: 'av1' }, 'av1'],
    ['with other sound', { ...reel, audioCodec: 'opus' }, 'opus'],
    ['too slow', { ...reel, fps: 22.9 }, '22.9 pictures per second'],
    ['too fast', { ...reel, fps: 61 }, '61 pictures per second'],
    ['too wide', { ...reel, width: 1921 }, '1921 pixels wide'],
    ['a thread', { ...reel, width: 10, height: 1920 }, 'too narrow'],
    ['of a high bit rate', { ...reel, bytes: 40_000_000 }, 'more than 25 Mbit'],
    ['no JPEG', { ...picture, container: 'png' }, 'png'],
    ['a heavy picture', { ...picture, bytes: 8_000_001 }, 'up to 8 MB'],
    ['a small picture', { ...picture, width: 319, height: 319 }, '319 pixels wide'],
    ['a large picture', { ...picture, width: 1441, height: 1441 }, '1441 pixels wide'],
    ['a tall picture', { ...picture, width: 1080, height: 1351 }, '4:5 to 1.91:1'],
    ['a broad picture', { ...picture, width: 1440, height: 753 }, '4:5 to 1.91:1'],
  ])('refuses what is %s', (_what, info, said) => {
    expect(platformRefusal(info)).toContain(said);
  });
});
