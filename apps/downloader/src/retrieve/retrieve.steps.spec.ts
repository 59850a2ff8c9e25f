import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { claimedWork } from '@autoposter/contracts';
import type { StepContext } from '@autoposter/job-engine';
import { stepContext } from '@autoposter/testkit';
import { fetchWorks } from './steps/fetch-works.step';

const SLOW = 'https://slow.example/one.jpg';
const QUICK = 'https://quick.example/one.jpg';

let workFolder: string;
beforeEach(() => (workFolder = mkdtempSync(join(tmpdir(), 'fetch-works-'))));
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(workFolder, { recursive: true });
});

describe('an address of a work whose host never ends its file', () => {
  /** The limit of an address ends as soon as its file is requested. */
  const run = async (urls: string[], context: Partial<StepContext>) => {
    const limit = new AbortController();
    const never = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms < 10 * 60_000 ? limit : never).signal);
    const toFile = (url: string, file: string, signal: AbortSignal) => {
      if (url === QUICK) return Promise.resolve(writeFileSync(file, 'a picture'));
      limit.abort();
      return Promise.reject(signal.reason as Error);
    };
    const media = {
      soundFormat: () => Promise.resolve(null),
      assertComplete: () => Promise.resolve(),
      probe: () => Promise.resolve({ kind: 'image', container: 'jpeg' }),
    };
    const put = async (_folder: string, body: Readable) => ({ key: 'originals/a', bytes: (await body.toArray()).length, sha256: 'a' });
    const tools = { sources: { reddit: null, instagram: null }, workFetcher: { toFile }, media, objects: { put } };
    return fetchWorks.run(
      { claimId: 'c1', work: claimedWork('requested', [], { urls }) },
      tools as never,
      stepContext({ workFolder, ...context }),
    );
  };

  it('is tried again while the work has no other file', async () => {
    await expect(run([SLOW], { attempt: 3 })).rejects.toMatchObject({ failure: { code: 'timed_out', kind: 'transient' } });
  });

  it('is given up with the last attempt where another address gave a file', async () => {
    await expect(run([QUICK, SLOW], { attempt: 1 })).rejects.toMatchObject({ failure: { code: 'timed_out' } });
    expect(await run([QUICK, SLOW], { attempt: 3 })).toMatchObject({
      kind: 'done',
      output: { files: [{ objectKey: 'originals/a' }], missed: [{ url: SLOW, failure: { code: 'timed_out' } }] },
    });
  });
});
