import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { PipelineError, type RightsMatch } from '@autoposter/domain';
import type { ObjectStore } from '@autoposter/object-store';
import type { ClaimedItem } from '@autoposter/persistence';
import { stepContext } from '@autoposter/testkit';
import type { RightsRegister } from '../dmca/rights-register';
import { fingerprintWork, type FingerprintedWork, type RegisterInput } from './steps/fingerprint-work.step';
import { keepItemFrames } from './steps/keep-item-frames.step';

const claim = { id: 'c1', title: 'Sunset', scope: 'all' } as unknown as RegisterInput['claim'];
const storedObject: ObjectStore['get'] = (key) => Promise.resolve({ stream: Readable.from([Buffer.from(key)]), sha256: 'x' } as never);

let workFolder: string;
beforeEach(() => (workFolder = mkdtempSync(join(tmpdir(), 'register-'))));
afterEach(() => rmSync(workFolder, { recursive: true }));

const file = (objectKey: string, mediaType: 'video' | 'image') => ({ objectKey, mediaType, bytes: 1, sha256: 'x' });

it('fingerprints the stored files of the work', async () => {
  const shown = (path: string) => (path.endsWith('0') ? 'video' : 'image');
  const fingerprint = jest.fn((path: string) => Promise.resolve({ mediaType: shown(path), fingerprint: { pdq: [] } }));
  // the first bytes, by which a file was stored, do not tell an animation from a picture
  const input = { claim, work: {} as never, files: [file('originals/c1', 'image'), file('originals/c2', 'image')] };
  const result = await fingerprintWork.run(
    input,
    { media: { fingerprintWork: fingerprint }, objects: { get: storedObject } } as never,
    stepContext({ workFolder }),
  );
  const paths = [0, 1].map((index) => join(workFolder, `work-${index}`));
  const print = { sha256: 'x', pdq: [] };
  expect(result).toMatchObject({
    kind: 'done',
    output: { claim, files: [{ mediaType: 'video' }, { mediaType: 'image' }], paths, fingerprints: [print, print] },
  });
  expect(fingerprint.mock.calls).toEqual(paths.map((path) => [path, expect.any(AbortSignal)]));
});

describe('a work of which a file cannot be read', () => {
  const tooLarge = PipelineError.of('media_too_many_pixels', { fields: { width: 9000, height: 9000 } });
  const run = (fingerprint: (path: string) => Promise<{ pdq: never[] }>) =>
    fingerprintWork.run(
      { claim, work: {} as never, files: ['originals/c1', 'originals/c2'].map((key) => ({ ...file(key, 'image'), sha256: key })) },
      {
        media: { fingerprintWork: async (path: string) => ({ mediaType: 'image', fingerprint: await fingerprint(path) }) },
        objects: { get: storedObject },
      } as never,
      stepContext({ workFolder }),
    );
  const firstFails = (error: Error) => (path: string) => (path.endsWith('0') ? Promise.reject(error) : Promise.resolve({ pdq: [] }));

  it('is fingerprinted by its other files', async () => {
    const path = join(workFolder, 'work-1');
    expect(await run(firstFails(tooLarge))).toMatchObject({
      kind: 'done',
      output: {
        files: [{ objectKey: 'originals/c2' }],
        paths: [path],
        fingerprints: [{ pdq: [] }],
        unreadable: [{ sha256: 'originals/c1', failure: { code: 'media_too_many_pixels' } }],
      },
    });
  });

  it('fails without another file, and where another attempt may succeed', async () => {
    await expect(run(() => Promise.reject(tooLarge))).rejects.toBe(tooLarge);
    const busy = PipelineError.of('timed_out', { fields: { seconds: 1 } });
    await expect(run(firstFails(busy))).rejects.toBe(busy);
  });
});

describe('keepItemFrames', () => {
  const match = { kind: 'claim', id: 'c1', title: 'Sunset', by: 'pdq', file: 2, strength: 'block', segment: null, matched: 1, compared: 1 };
  const found = (itemId: string, change: Partial<RightsMatch>[] = [{}]): ClaimedItem => ({
    itemId,
    matches: change.map((each) => ({ ...match, ...each }) as RightsMatch),
    files: [{ kind: 'image', usable: 1, total: 1 }],
  });
  const run = async (claimed: ClaimedItem[], compared?: RightsRegister['compared']) => {
    const still = jest.fn((file: string, out: string) => Promise.resolve(writeFileSync(out, basename(file))));
    const register = {
      findClaimed: () => Promise.resolve(claimed),
      compared: compared ?? (([owner]) => Promise.resolve([{ ...owner, mediaType: 'image', objectKey: 'originals/i', preview: null }])),
    } as Pick<RightsRegister, 'findClaimed' | 'compared'>;
    const tools = { media: { still }, objects: { get: storedObject }, register } as never;
    const paths = ['work-0', 'work-1'].map((name) => join(workFolder, name));
    const files = ['originals/c1', 'originals/c2'].map((key) => file(key, 'image'));
    const input = { claim, work: {} as never, files, paths, fingerprints: [], unreadable: [] } as FingerprintedWork;
    const result = await keepItemFrames.run(input, tools, stepContext({ workFolder }));
    return result.kind === 'done' ? result.output.framesOf : null;
  };

  it('keeps both sides of what an item shows of the work', async () => {
    const frames = (await run([found('i1')]))?.get('i1');
    expect(frames).toMatchObject([
      { other: { kind: 'claim', id: 'c1' }, file: 2, side: 'ours', atSeconds: null, bytes: Buffer.from('stored') },
      { other: { kind: 'claim', id: 'c1' }, file: 2, side: 'theirs', atSeconds: null, bytes: Buffer.from('work-0') },
    ]);
  });

  it('keeps the file of the work that the item shows', async () => {
    const nearest = { theirFile: 1, ours: null, theirs: null };
    const frames = (await run([found('i1', [{ nearest }])]))?.get('i1');
    expect(frames?.map(({ bytes }) => String(bytes))).toEqual(['stored', 'work-1']);
  });

  it('keeps none of a weak match or of a sound', async () => {
    expect(await run([found('weak', [{ strength: 'pass' }])])).toEqual(new Map());
    expect(await run([found('heard', [{ by: 'sound', strength: 'flag' }])])).toEqual(new Map([['heard', []]]));
  });

  it('keeps the side that is still stored', async () => {
    const frames = (await run([found('i1')], () => Promise.resolve([])))?.get('i1');
    expect(frames?.map(({ side }) => side)).toEqual(['theirs']);
  });

  it('keeps those of twenty items at most, of blocked ones first', async () => {
    const flagged = Array.from({ length: 25 }, (_, index) => found(`flagged-${index}`, [{ strength: 'flag' }]));
    const ids = [...((await run([...flagged, found('blocked')])) ?? [])].map(([id]) => id);
    expect([ids.length, ids[0]]).toEqual([20, 'blocked']);
  });
});
