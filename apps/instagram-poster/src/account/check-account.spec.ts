import { watchAccount } from './check-account';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined } as never;
const MINUTE = 60_000;

describe('watchAccount', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('comes at once, daily while all is well, every ten minutes while it is not, and ends with the process', async () => {
    const end = new AbortController();
    const answers: (boolean | Error)[] = [true, false, new Error('the database is away'), true];
    const looks: number[] = [];
    let stopped = false;
    const begun = Date.now();
    const look = () => {
      looks.push((Date.now() - begun) / MINUTE);
      const answer = answers.shift() ?? true;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    watchAccount({ look, isStopped: () => Promise.resolve(stopped), logger, signal: end.signal });
    await jest.advanceTimersByTimeAsync(1440 * MINUTE + 25 * MINUTE);
    expect(looks).toEqual([0, 1440, 1450, 1460]);
    stopped = true;
    await jest.advanceTimersByTimeAsync(20 * MINUTE);
    expect(looks.slice(4)).toEqual([1470, 1480]);
    stopped = false;
    await jest.advanceTimersByTimeAsync(60 * MINUTE);
    expect(looks).toHaveLength(6);
    end.abort();
    await jest.advanceTimersByTimeAsync(3000 * MINUTE);
    expect(looks).toHaveLength(6);
  });
});
