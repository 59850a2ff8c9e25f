import type { AccountReport } from '@autoposter/domain';
import { accountChecks, watchAccount } from './check-account';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined } as never;
const MINUTE = 60_000;

describe('accountChecks', () => {
  const reports: unknown[] = [];
  const check = (report: Partial<AccountReport>) => {
    const found = { accountId: '1', username: 'demo', flavour: 'instagram', tokenExpiresAt: null, quotaUsed: 1, quotaTotal: 50, ...report };
    const workerReports = { save: (_name: string, saved: unknown) => Promise.resolve(void reports.push(saved)) };
    const config = { service: 'instagram-poster', keys: { sealing: [] }, instagram: { configured: true } };
    const tools = { publisher: { account: () => Promise.resolve(found) }, platform: {}, access: { images: true, videos: true } };
    const systems = { database: { read: { workerReports } }, config, objects: {} };
    return accountChecks(systems as never, { ...tools, links: { isPublic: false } } as never)?.checkAccount();
  };

  it('calls an account ready once its publishing limit is known', async () => {
    expect(await check({})).toBe(true);
    expect(await check({ quotaUsed: null, quotaTotal: null })).toBe(false);
    expect(reports).toEqual([
      expect.objectContaining({ ok: true, username: 'demo', quotaTotal: 50 }),
      expect.objectContaining({ ok: false, username: 'demo', detail: expect.stringContaining('does not contain its publishing limit') }),
    ]);
  });
});

describe('watchAccount', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('checks at once, then daily while the account works and every ten minutes otherwise, until the process stops', async () => {
    const end = new AbortController();
    const answers: (boolean | Error)[] = [true, false, new Error('the database is away'), true];
    const checks: number[] = [];
    let stopped = false;
    const begun = Date.now();
    const checkAccount = () => {
      checks.push((Date.now() - begun) / MINUTE);
      const answer = answers.shift() ?? true;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    watchAccount({ checkAccount, isStopped: () => Promise.resolve(stopped), logger, signal: end.signal });
    await jest.advanceTimersByTimeAsync(1440 * MINUTE + 25 * MINUTE);
    expect(checks).toEqual([0, 1440, 1450, 1460]);
    stopped = true;
    await jest.advanceTimersByTimeAsync(20 * MINUTE);
    expect(checks.slice(4)).toEqual([1470, 1480]);
    stopped = false;
    await jest.advanceTimersByTimeAsync(60 * MINUTE);
    expect(checks).toHaveLength(6);
    end.abort();
    await jest.advanceTimersByTimeAsync(3000 * MINUTE);
    expect(checks).toHaveLength(6);
  });
});
