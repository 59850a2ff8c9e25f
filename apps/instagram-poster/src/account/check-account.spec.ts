import { watchAccount } from './check-account';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined } as never;
const MINUTE = 60_000;

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
