import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { RightsMatch } from '@autoposter/domain';
import type { MediaAnalysis, MediaInfo, MediaTools, NormalisedVideo } from '@autoposter/media-tools';
import type { ObjectStore } from '@autoposter/object-store';
import { silentLogger } from '@autoposter/observability';
import type { ContentItem, MediaFile } from '@autoposter/persistence';
import { failing, stepContext } from '@autoposter/testkit';
import type { FileFingerprint, RightsRegister } from './rights-register';
import { checkPlatform } from './steps/check-platform.step';
import { fingerprint } from './steps/fingerprint.step';
import { keepFrames } from './steps/keep-frames.step';
import { type Matched, matchRegister } from './steps/match-register.step';
import { normalise, type Normalised } from './steps/normalise.step';
import { readOriginal } from './steps/read-original.step';
import { storeProcessed } from './steps/store-processed.step';

const item = { id: 'item-1', platform: 'reddit' } as ContentItem;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const original = (position: number, change: Partial<MediaFile> = {}): MediaFile =>
  ({ position, mediaType: 'image', objectKey: `originals/${position}`, sha256: sha256(`bytes ${position}`), ...change }) as MediaFile;
const image = (change: Partial<MediaInfo> = {}): MediaInfo =>
  ({
    kind: 'image',
    container: 'jpeg',
    width: 1080,
    height: 1350,
    bytes: 100_000,
    durationSeconds: null,
    audioCodec: null,
    ...change,
  }) as MediaInfo;
const fetched = { failure: { resumeFrom: 'download' } };

let workFolder: string;
beforeAll(() => {
  workFolder = mkdtempSync(join(tmpdir(), 'dmca-steps-'));
});
afterAll(() => rmSync(workFolder, { recursive: true }));

describe('readOriginal', () => {
  const stored = (text: string) => Promise.resolve({ stream: Readable.from([Buffer.from(text)]), sha256: sha256(text) });
  const run = (originals: MediaFile[], get: (key: string) => Promise<unknown> = (key) => stored(`bytes ${key.split('/')[1]}`)) =>
    readOriginal.run({ item, originals, layout: 'blur' }, { objects: { get } as unknown as ObjectStore }, stepContext({ workFolder }));

  it('copies the stored files into the work folder', async () => {
    const result = await run([original(0), original(1)]);
    expect(result).toMatchObject({ kind: 'done', output: { files: [{ file: join(workFolder, 'original-0') }, {}], leftOut: 0 } });
    expect(readFileSync(join(workFolder, 'original-1'), 'utf8')).toBe('bytes 1');
  });

  it('reads as many files as one post takes and counts the rest', async () => {
    const result = await run(Array.from({ length: 12 }, (_file, position) => original(position)));
    expect(result.kind === 'done' && [result.output.files.length, result.output.leftOut]).toEqual([10, 2]);
  });

  it('fails for a file that is not the one that was downloaded, to be retried from the download', async () => {
    expect(await run([original(0), original(1)], (key) => stored(key.endsWith('1') ? 'other' : 'bytes 0'))).toMatchObject({
      kind: 'fail',
      failure: { kind: 'integrity', fields: { number: 2 }, resumeFrom: 'download' },
    });
  });

  it('resumes from the download if the file is missing, but not if the store is unavailable', async () => {
    await expect(run([original(0)], failing('not_found'))).rejects.toMatchObject(fetched);
    await expect(run([original(0)], failing('transient'))).rejects.toMatchObject({
      failure: expect.not.objectContaining({ resumeFrom: 'download' }),
    });
  });
});

describe('fingerprint', () => {
  const run = (print: MediaTools['analyse']) => {
    const files = [0, 1].map((position) => ({ original: original(position), file: `/work/original-${position}` }));
    return fingerprint.run(
      { item, originals: [], layout: 'blur', files, leftOut: 0 },
      { media: { analyse: print } as unknown as MediaTools },
      stepContext(),
    );
  };

  it('fingerprints each file in order', async () => {
    const result = await run((file) => Promise.resolve({ fingerprint: { coverSeconds: Number(file.at(-1)) } } as MediaAnalysis));
    expect(result).toMatchObject({
      output: {
        fingerprints: [
          { sha256: sha256('bytes 0'), coverSeconds: 0 },
          { sha256: sha256('bytes 1'), coverSeconds: 1 },
        ],
      },
    });
  });

  it('resumes from the download for a corrupt file, which it names', async () => {
    await expect(run(failing('corrupt_media'))).rejects.toMatchObject(fetched);
    await expect(run(failing('corrupt_media'))).rejects.toMatchObject({ failure: { file: { number: 1, of: 2 } } });
  });
});

describe('matchRegister', () => {
  const prints: FileFingerprint[] = [
    {
      sha256: 'f'.repeat(64),
      coverSeconds: null,
      pdq: [
        { hash: 'good', quality: 90, atSeconds: null },
        { hash: 'weak', quality: 10, atSeconds: null },
      ],
    },
  ];
  const run = (matches: RightsMatch[], fingerprints = prints) => {
    const findMatches = jest.fn<Promise<RightsMatch[]>, Parameters<RightsRegister['findMatches']>>(() => Promise.resolve(matches));
    const input = { item, originals: [original(0)], layout: 'blur' as const, files: [], leftOut: 0, fingerprints, analyses: [] };
    return {
      result: matchRegister.run(
        input,
        { register: { size: () => Promise.resolve(7), findMatches, findClaimed: jest.fn(), compared: jest.fn(), enter: jest.fn() } },
        stepContext(),
      ),
      findMatches,
    };
  };

  it('clears an item without matches and remembers how far the register had grown', async () => {
    const { result, findMatches } = run([]);
    expect(await result).toMatchObject({ kind: 'done', output: { verdict: { verdict: 'clear' }, matches: [], seen: 7 } });
    expect(findMatches.mock.calls).toEqual([['item-1', prints]]);
  });

  it('flags an item that cannot be compared', async () => {
    expect(await run([], [{ sha256: 'a', coverSeconds: null, pdq: [] }]).result).toMatchObject({
      kind: 'done',
      output: { verdict: { verdict: 'flagged' } },
    });
  });
});

describe('keepFrames', () => {
  const match = { kind: 'claim', id: 'c1', title: 'Sunset', by: 'pdq', file: 0, strength: 'block', segment: null } as RightsMatch;
  const blocked = { verdict: 'blocked' as const, reasons: [], duplicate: false };
  const run = (matches: RightsMatch[], change: Partial<Matched> = {}, still: MediaTools['still'] = writeStill) => {
    const files = [{ original: original(0, { mediaType: 'video' }), file: '/work/original-0' }];
    const input = { item, originals: [], layout: 'blur' as const, files, leftOut: 0, fingerprints: [], analyses: [], matches, seen: 0 };
    const compared = [{ id: 'c1', file: 0, mediaType: 'image' as const, objectKey: 'originals/c1', preview: null }];
    const get = () => Promise.resolve({ stream: Readable.from([Buffer.from('their file')]) });
    const tools = { media: { still }, objects: { get }, register: { compared: () => Promise.resolve(compared) } };
    return keepFrames.run({ ...input, verdict: blocked, ...change } as Matched, tools as never, stepContext({ workFolder }));
  };
  /** Writes what would be decoded. */
  const writeStill: MediaTools['still'] = (file, out, { atSeconds }) =>
    Promise.resolve(writeFileSync(out, `${file.replace(workFolder, '')} at ${atSeconds}`));

  it('keeps both sides of a match where they are nearest, and refuses what is blocked', async () => {
    const nearest = { theirFile: 0, ours: 4.5, theirs: null };
    const result = await run([{ ...match, nearest }]);
    const about = { other: { kind: 'claim', id: 'c1' }, file: 0, contentType: 'image/jpeg' };
    const [ours, theirs] = ['/work/original-0 at 4.5', '/stored at 0'];
    expect(result).toMatchObject({
      kind: 'skip',
      reason: 'dmca_failure',
      evidence: {
        matches: [{ id: 'c1' }],
        frames: [
          { ...about, side: 'ours', atSeconds: 4.5, sha256: sha256(ours), bytes: Buffer.from(ours) },
          { ...about, side: 'theirs', atSeconds: null, sha256: sha256(theirs), bytes: Buffer.from(theirs) },
        ],
      },
    });
  });

  it('skips an item that repeats an earlier one as a duplicate', async () => {
    expect(await run([{ ...match, kind: 'item' }], { verdict: { ...blocked, duplicate: true } })).toMatchObject({
      kind: 'skip',
      reason: 'duplicate_post',
    });
  });

  it('reads no file without a match, for a weak match or for one of a sound', async () => {
    const still = jest.fn();
    const verdict = { ...blocked, verdict: 'flagged' as const };
    const matches = [
      { ...match, strength: 'pass' as const },
      { ...match, by: 'sound' as const },
    ];
    expect(await run(matches, { verdict }, still)).toMatchObject({ kind: 'done', output: { frames: [] } });
    expect(still).not.toHaveBeenCalled();
  });

  it('decides without the frames of files that cannot be read, and logs which', async () => {
    const warn = jest.spyOn(silentLogger, 'warn');
    expect(await run([match], {}, failing('corrupt_media'))).toMatchObject({ kind: 'skip', evidence: { frames: [] } });
    const other = { kind: 'claim', id: 'c1' };
    expect(warn.mock.calls.map(([facts]) => facts)).toMatchObject([
      { other, file: 0, side: 'ours', error: { failure: { kind: 'corrupt_media' } } },
      { other, file: 0, side: 'theirs', error: { failure: { kind: 'corrupt_media' } } },
    ]);
    warn.mockRestore();
  });
});

describe('normalise', () => {
  const changes = { videoCopied: true };
  const analysisOf = (kind: 'video' | 'image', width: number) =>
    ({ source: { info: { kind, width, height: 1000, rotation: 0 }, frame: { width, height: 1000 } }, bars: null }) as MediaAnalysis;
  const probed = { rate: '30/1' } as NormalisedVideo['probed'];
  const run = (originals: MediaFile[], change: Partial<MediaTools> = {}) => {
    const poster = jest.fn(() => Promise.resolve());
    const normaliseVideo = jest.fn((..._call: Parameters<MediaTools['normaliseVideo']>) =>
      Promise.resolve({ ...image({ kind: 'video', container: 'mp4' }), probed, trimmedFromSeconds: 120, changes }),
    );
    const pictureChanges = { barsRemoved: true, enlargedFrom: null, toneMapped: false };
    const normaliseImage = jest.fn((..._call: Parameters<MediaTools['normaliseImage']>) =>
      Promise.resolve({ ...image(), changes: pictureChanges }),
    );
    const media = {
      normaliseImage,
      normaliseVideo,
      poster,
      ...change,
    } as unknown as MediaTools;
    const files = originals.map((one) => ({ original: one, file: `/work/original-${one.position}` }));
    const analyses = originals.map(({ mediaType, position }) => analysisOf(mediaType, 900 + position));
    const input = {
      item,
      originals,
      layout: 'pad' as const,
      files,
      leftOut: 0,
      fingerprints: [{ sha256: 'a', pdq: [], coverSeconds: 7.5 }],
      analyses,
      verdict: { verdict: 'clear' as const, reasons: [], duplicate: false },
      matches: [],
      frames: [],
      seen: 0,
    };
    return {
      result: normalise.run(input, { media }, stepContext({ workFolder: '/work' })),
      poster,
      normaliseImage,
      normaliseVideo,
      analyses,
    };
  };

  it('normalises videos and images, and makes the cover of the first', async () => {
    const { result, poster, normaliseVideo, analyses } = run([original(0, { mediaType: 'video' }), original(1)]);
    expect(await result).toMatchObject({
      output: {
        normalised: [
          { kind: 'video', file: '/work/processed-0.mp4', trimmedFromSeconds: 120, changes, coverSeconds: 7.5 },
          {
            kind: 'image',
            file: '/work/processed-1.jpg',
            trimmedFromSeconds: null,
            changes: { barsRemoved: true, enlargedFrom: null, toneMapped: false },
          },
        ],
        coverFile: '/work/cover.jpg',
      },
    });
    expect(poster).toHaveBeenCalledWith('/work/processed-0.mp4', '/work/cover.jpg', 7.5, expect.anything(), probed);
    expect(normaliseVideo.mock.calls[0]?.[3]).toEqual({ layout: 'pad', ratio: 0.9, analysis: analyses[0] });
  });

  it('gives all files of a carousel the ratio of the first, and a single file its own', async () => {
    const carousel = run([original(0), original(1)]);
    await carousel.result;
    expect(carousel.normaliseImage.mock.calls.map(([, , , options]) => options)).toEqual([
      { layout: 'pad', ratio: 0.9, analysis: carousel.analyses[0] },
      { layout: 'pad', ratio: 0.9, analysis: carousel.analyses[1] },
    ]);
    const single = run([original(0)]);
    await single.result;
    expect(single.normaliseImage.mock.calls[0]?.[3]).toEqual({ layout: 'pad', analysis: single.analyses[0] });
  });

  it('resumes from the download for a corrupt file', async () => {
    await expect(run([original(0)], { normaliseImage: failing('corrupt_media') }).result).rejects.toMatchObject(fetched);
  });

  it('throws for an item without files', async () => {
    await expect(run([]).result).rejects.toThrow('without files');
  });
});

describe('checkPlatform', () => {
  const run = (info: MediaInfo) =>
    checkPlatform.run(
      { item, normalised: [{ kind: 'image', file: '/work/a.jpg', info, trimmedFromSeconds: null }] } as unknown as Normalised,
      {},
      stepContext(),
    );

  it('passes a file that Instagram accepts', async () => {
    expect(await run(image())).toMatchObject({ kind: 'done' });
  });

  it.each([image({ container: 'png' }), image({ bytes: 9_000_000 }), image({ kind: 'video', container: 'mp4', durationSeconds: 1 })])(
    'fails for a file that Instagram refuses: %j',
    async (info) => {
      expect(await run(info)).toMatchObject({ kind: 'fail', failure: { kind: 'unsupported_media', side: 'reddit' } });
    },
  );
});

describe('storeProcessed', () => {
  const put = jest.fn<Promise<unknown>, [string, AsyncIterable<unknown>, string, string]>(async (prefix, stream) => {
    for await (const _chunk of stream);
    return { key: `${prefix}/a` };
  });
  const input = () => {
    const file = join(workFolder, 'processed-0');
    writeFileSync(file, 'bytes');
    const normalised = (['video', 'image'] as const).map((kind) => ({ kind, file, info: image({ kind }), trimmedFromSeconds: null }));
    return { item, normalised, coverFile: file, verdict: {}, matches: [], fingerprints: [], seen: 3, leftOut: 1 } as unknown as Normalised;
  };

  it('stores the files and the cover with their types', async () => {
    const register = { enter: () => Promise.resolve(9) } as unknown as RightsRegister;
    const tools = { objects: { put } as unknown as ObjectStore, storageType: 'cdn' as const, register };
    const noteStored = jest.fn<undefined, [string]>();
    const result = await storeProcessed.run(input(), tools, stepContext({ noteStored }));
    // deleted if the job is cancelled meanwhile
    expect(noteStored.mock.calls.flat()).toEqual(['processed/a', 'processed/a', 'covers/a']);
    expect(result).toMatchObject({
      kind: 'done',
      output: {
        files: [
          { kind: 'video', position: 0, stored: { key: 'processed/a' } },
          { kind: 'image', position: 1 },
        ],
        cover: { key: 'covers/a' },
        storageType: 'cdn',
        seen: 3,
        entry: 9,
        leftOut: 1,
      },
    });
    expect(put.mock.calls.map(([prefix, , type, extension]) => [prefix, type, extension])).toEqual([
      ['processed', 'video/mp4', 'mp4'],
      ['processed', 'image/jpeg', 'jpg'],
      ['covers', 'image/jpeg', 'jpg'],
    ]);
  });
});
