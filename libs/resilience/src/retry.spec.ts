import { retry } from './retry';

describe('retry', () => {
  const failing = (times: number) => {
    let left = times;
    return () => (left-- > 0 ? Promise.reject(new Error('not there')) : Promise.resolve('here'));
  };
  const recording = () => {
    const pauses: number[] = [];
    const reasons: unknown[] = [];
    const pause = (ms: number) => Promise.resolve(pauses.push(ms));
    return { pauses, reasons, pause, onRetry: (error: unknown) => void reasons.push((error as Error).message) };
  };

  it('repeats the work with pauses that double up to the longest one', async () => {
    const seen = recording();
    await expect(retry(failing(7), seen)).resolves.toBe('here');
    expect(seen.pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect(seen.reasons).toEqual(Array<string>(7).fill('not there'));
    const short = { ...recording(), firstPauseMs: 100, longestPauseMs: 150 };
    await retry(failing(3), short);
    expect(short.pauses).toEqual([100, 150, 150]);
  });

  it('throws the error after which no retry makes sense, without a pause', async () => {
    const seen = recording();
    const shouldRetry = jest.fn((_error: unknown, pauseMs: number) => pauseMs < 1000);
    await expect(retry(failing(9), { ...seen, shouldRetry })).rejects.toThrow('not there');
    expect(seen.pauses).toEqual([250, 500]);
  });

  it('ends with an abort before an attempt and during a pause', async () => {
    await expect(retry(failing(0), { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    const stop = new AbortController();
    const ended = retry(failing(9), { signal: stop.signal, firstPauseMs: 60_000, onRetry: () => setImmediate(() => stop.abort()) });
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
  });
});
