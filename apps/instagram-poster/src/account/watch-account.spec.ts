import { watchAccount } from './watch-account';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined } as never;

describe('the look at the account', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('comes at once, daily while all is well, every ten minutes while it is not, and ends with the process', async () => {
    const end = new AbortController();
    const answers: (boolean | Error)[] = [true, false, new Error('the database is away'), true];
    const looks: number[] = [];
    const begun = Date.now();
    const look = () => {
      looks.push((Date.now() - begun) / 60_000);
      const answer = answers.shift() ?? true;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    watchAccount({ look, logger, signal: end.signal });
    await jest.advanceTimersByTimeAsync(24 * 3_600_000 + 21 * 60_000);
    expect(looks).toEqual([0, 1440, 1450, 1460]);
    end.abort();
    await jest.advanceTimersByTimeAsync(100 * 3_600_000);
    expect(looks).toHaveLength(4);
  });
});
