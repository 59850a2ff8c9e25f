import { retryUntil } from './retry-until';

describe('retryUntil', () => {
  const recordingOptions = (deadline: number) => {
    const pauses: number[] = [];
    const reasons: string[] = [];
    return {
      pauses,
      reasons,
      deadline,
      pause: (ms: number) => Promise.resolve(pauses.push(ms)),
      onRetry: (why: string) => reasons.push(why),
    };
  };
  const failing = (times: number) => {
    let left = times;
    return () => (left-- > 0 ? Promise.reject(new Error('not there')) : Promise.resolve('here'));
  };

  it('repeats the work with growing pauses', async () => {
    const seen = recordingOptions(Date.now() + 60_000);
    await expect(retryUntil(failing(7), seen)).resolves.toBe('here');
    expect(seen.pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect(seen.reasons).toEqual(Array<string>(7).fill('not there'));
  });

  it('throws the last error after the deadline', async () => {
    const seen = recordingOptions(Date.now() + 100);
    await expect(retryUntil(failing(1), seen)).rejects.toThrow('not there');
    expect(seen.pauses).toEqual([]);
  });
});
