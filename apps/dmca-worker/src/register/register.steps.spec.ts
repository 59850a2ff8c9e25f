import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import type { RightsMatch } from '@autoposter/domain';
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

it('fingerprints the stored file of the work', async () => {
  const fingerprint = jest.fn(() => Promise.resolve({ pdq: [] }));
  const input = { claim, work: {} as never, objectKey: 'originals/c1', mediaType: 'video' as const };
  const result = await fingerprintWork.run(
    input,
    { media: { fingerprint }, objects: { get: storedObject } } as never,
    stepContext({ workFolder }),
  );
  expect(result).toMatchObject({ kind: 'done', output: { claim, file: join(workFolder, 'work'), fingerprint: { sha256: 'x', pdq: [] } } });
  expect(fingerprint).toHaveBeenCalledWith(join(workFolder, 'work'), 'video', expect.any(AbortSignal));
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
    const input = { claim, file: join(workFolder, 'work'), mediaType: 'image', fingerprint: {} } as FingerprintedWork;
    const result = await keepItemFrames.run(input, tools, stepContext({ workFolder }));
    return result.kind === 'done' ? result.output.framesOf : null;
  };

  it('keeps both sides of what an item shows of the work', async () => {
    const frames = (await run([found('i1')]))?.get('i1');
    expect(frames).toMatchObject([
      { other: { kind: 'claim', id: 'c1' }, file: 2, side: 'ours', atSeconds: null, bytes: Buffer.from('stored') },
      { other: { kind: 'claim', id: 'c1' }, file: 2, side: 'theirs', atSeconds: null, bytes: Buffer.from('work') },
    ]);
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
