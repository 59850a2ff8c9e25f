import { decoderMemory, heicHeap, memoryLimit, memoryNeeded, pixelsWithin, threadsWithin, type FrameShape } from './memory-budget';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const files =
  (content: Record<string, string>) =>
  (path: string): string | null =>
    content[path] ?? null;

describe('memoryLimit', () => {
  it.each([
    ['version 2 inside a container', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': '1610612736\n' }, 1.5 * GIB],
    [
      'version 2 with a tighter group further up',
      {
        '/proc/self/cgroup': '0::/kubepods/pod1/main\n',
        '/sys/fs/cgroup/kubepods/pod1/main/memory.max': 'max\n',
        '/sys/fs/cgroup/kubepods/pod1/memory.max': '1073741824\n',
        '/sys/fs/cgroup/kubepods/memory.max': '8589934592\n',
      },
      GIB,
    ],
    [
      'version 2 beside version 1',
      { '/proc/self/cgroup': '5:cpu:/\n0::/a\n', '/sys/fs/cgroup/unified/a/memory.max': '536870912\n' },
      GIB / 2,
    ],
    [
      'version 1 inside a container that shows the path of the host',
      { '/proc/self/cgroup': '4:memory:/docker/abc\n', '/sys/fs/cgroup/memory/memory.limit_in_bytes': '805306368\n' },
      768 * MIB,
    ],
    [
      'version 1 with several controllers',
      { '/proc/self/cgroup': '4:cpu,memory:/x\n', '/sys/fs/cgroup/memory/x/memory.limit_in_bytes': '268435456\n' },
      256 * MIB,
    ],
    [
      'version 1 without a limit',
      { '/proc/self/cgroup': '4:memory:/\n', '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n' },
      16 * GIB,
    ],
    ['no limit', { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/memory.max': 'max\n' }, 16 * GIB],
    ['no control groups at all', {}, 16 * GIB],
  ])('reads %s', (_name, content, expected) => {
    expect(memoryLimit(files(content as unknown as Record<string, string>), 16 * GIB)).toBe(expected);
  });

  it('finds a positive limit on this machine', () => expect(memoryLimit()).toBeGreaterThan(64 * MIB));
});

describe('decoderMemory', () => {
  it('reserves memory for the worker and divides the rest among the decoders', () => {
    expect(decoderMemory(1536 * MIB, 1)).toBe(1152 * MIB);
    expect(decoderMemory(1536 * MIB, 2)).toBe(576 * MIB);
    expect(decoderMemory(300 * MIB, 1)).toBe(200 * MIB);
    for (const limit of [256, 512, 768, 1536, 65_536]) expect(decoderMemory(limit * MIB, 1)).toBeLessThan(limit * MIB);
  });
});

describe('threadsWithin', () => {
  const EIGHT_K = { width: 7680, height: 4320, codec: 'hevc', pixelFormat: 'yuv420p10le' };
  const frame = (change: Partial<FrameShape> = {}): FrameShape => ({
    ...{ width: 1920, height: 1080, pixelFormat: 'yuv420p', codec: 'h264', references: 4 },
    ...change,
  });

  it('gives fewer threads to larger frames and refuses a frame that does not fit with one', () => {
    const memory = 1152 * MIB;
    const huge = { width: 8000, height: 6000 };
    expect(threadsWithin(memory, frame(), 'encode', 4)).toBe(4);
    expect(threadsWithin(memory, frame({ ...huge, references: 1 }), 'encode', 4)).toBeLessThan(4);
    for (const costly of [{ references: 16 }, { codec: 'av1', pixelFormat: 'yuv420p10le' }, { pixelFormat: 'yuv444p10le' }, EIGHT_K]) {
      expect(() => threadsWithin(memory, frame({ ...huge, ...costly }), 'encode', 4)).toThrow(
        expect.objectContaining({
          failure: expect.objectContaining({ kind: 'too_large', detail: expect.objectContaining({ allowedMegabytes: 1152 }) }),
        }),
      );
    }
    expect(threadsWithin(6 * memory, frame({ ...huge, references: 16 }), 'encode', 4)).toBe(4);
  });

  it('never plans for more than the limit', () => {
    for (const megabytes of [400, 700, 1152, 4096]) {
      for (const width of [320, 1080, 3840, 8000]) {
        const shape = frame({ width, height: width });
        try {
          expect(memoryNeeded(shape, 'decode', threadsWithin(megabytes * MIB, shape, 'decode', 4))).toBeLessThanOrEqual(megabytes * MIB);
        } catch (error) {
          expect(error).toMatchObject({ failure: { kind: 'too_large' } });
        }
      }
    }
  });

  it('caps the pixels of a picture by the memory that holds them', () => expect(pixelsWithin(341 * MIB)).toBeLessThan(30_000_000));
});

describe('heicHeap', () => {
  it('leaves libheif what the process and the file do not need, and refuses a picture that does not fit', () => {
    const phone = { width: 4032, height: 3024, isDeep: false };
    expect(heicHeap(1152 * MIB, 3_000_000, phone)).toBe(1024 * MIB - 3_000_000);
    expect(heicHeap(341 * MIB, 3_000_000, phone)).toBeGreaterThan(9 * 4032 * 3024);
    expect(() => heicHeap(200 * MIB, 3_000_000, phone)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code: 'media_needs_memory' }) }),
    );
    expect(() => heicHeap(1152 * MIB, 550_000_000, phone)).toThrow();
    const camera = { width: 8192, height: 5464, isDeep: true };
    expect(heicHeap(1152 * MIB, 3_000_000, camera)).toBe(1024 * MIB - 3_000_000 - 6 * 4096 * 4096);
    expect(() => heicHeap(768 * MIB, 3_000_000, camera)).toThrow();
    expect(heicHeap(768 * MIB, 3_000_000, { ...camera, isDeep: false })).toBeGreaterThan(0);
  });
});
