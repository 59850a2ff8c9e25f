import { imageViolation, videoViolation, type MediaFacts } from './media-rules';

const reel: MediaFacts = {
  kind: 'video',
  format: 'mov,mp4,m4a,3gp,3g2,mj2',
  bytes: 4_000_000,
  width: 1080,
  height: 1920,
  videoCodec: 'h264',
  pixelFormat: 'yuv420p',
  fps: 30,
  seconds: 12,
  bitrate: 3_000_000,
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
  moovFirst: true,
  progressive: true,
  editLists: false,
};

describe('videoViolation', () => {
  it('accepts a reel, with and without sound', () => {
    expect(videoViolation(reel, 'REELS')).toBeNull();
    expect(videoViolation({ ...reel, audio: null }, 'REELS')).toBeNull();
  });

  it.each<[string, Partial<MediaFacts>]>([
    ['not a video', { kind: 'unknown' }],
    ['container', { format: 'matroska,webm' }],
    ['moov', { moovFirst: false }],
    ['edit lists', { editLists: true }],
    ['codec', { videoCodec: 'vp9' }],
    ['chroma', { pixelFormat: 'yuv444p' }],
    ['progressive', { progressive: false }],
    ['file too large', { bytes: 300_000_001 }],
    ['duration', { seconds: 2.9 }],
    ['duration', { seconds: 901 }],
    ['frame rate', { fps: 12 }],
    ['frame rate', { fps: 120 }],
    ['columns', { width: 2_160 }],
    ['bit rate', { bitrate: 26_000_000 }],
    ['AAC', { audio: { codec: 'opus', sampleRate: 48_000, channels: 2 } }],
    ['sample rate', { audio: { codec: 'aac', sampleRate: 96_000, channels: 2 } }],
    ['channels', { audio: { codec: 'aac', sampleRate: 48_000, channels: 6 } }],
  ])('reports %s', (words, change) => {
    expect(videoViolation({ ...reel, ...change }, 'REELS')).toContain(words);
  });

  it('accepts stories up to one minute and reels up to fifteen', () => {
    expect(videoViolation({ ...reel, seconds: 61 }, 'STORIES')).toContain('duration');
    expect(videoViolation({ ...reel, seconds: 61 }, 'REELS')).toBeNull();
  });
});

describe('imageViolation', () => {
  const image: MediaFacts = { ...reel, kind: 'image', format: 'jpeg', width: 1080, height: 1350 };

  it.each<[string | null, Partial<MediaFacts>]>([
    [null, {}],
    [null, { width: 1910, height: 1000 }],
    [null, { width: 1079, height: 1349 }],
    ['aspect_ratio', { width: 1078, height: 1350 }],
    ['aspect_ratio', { width: 1912, height: 1000 }],
    ['aspect_ratio', { width: 1080, height: 1920 }],
    ['aspect_ratio', { width: 2000, height: 1000 }],
    ['image_format', { format: 'png' }],
    ['image_size', { bytes: 8 * 1_048_576 + 1 }],
    ['media_unreachable', { kind: 'video' }],
  ])('reports %s', (fault, change) => {
    expect(imageViolation({ ...image, ...change }, false)).toBe(fault);
  });

  it('accepts any aspect ratio for a story', () => {
    expect(imageViolation({ ...image, height: 1920 }, true)).toBeNull();
  });
});
