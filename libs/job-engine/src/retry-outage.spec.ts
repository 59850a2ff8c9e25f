import { settleOrAbort } from './job-attempt';
import { retryDuringOutage } from './retry';

const outage = new Error('away');
const isOutage = (error: unknown): boolean => error === outage;

describe('retryDuringOutage', () => {
  it('repeats over an outage until it works', async () => {
    let calls = 0;
    const work = () => ((calls += 1) < 3 ? Promise.reject(outage) : Promise.resolve('done'));
    expect(await retryDuringOutage(work, isOutage, () => true)).toBe('done');
    expect(calls).toBe(3);
  });

  it('does not repeat what is no outage, nor longer than it may', async () => {
    const mistake = jest.fn(() => Promise.reject(new Error('a mistake')));
    await expect(retryDuringOutage(mistake, isOutage, () => true)).rejects.toThrow('a mistake');
    expect(mistake).toHaveBeenCalledTimes(1);
    await expect(
      retryDuringOutage(
        () => Promise.reject(outage),
        isOutage,
        () => false,
      ),
    ).rejects.toBe(outage);
  });
});

describe('settleOrAbort', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('gives the end of the work, also where it ends soon after an abort', async () => {
    const controller = new AbortController();
    const work = new Promise<string>((resolve) =>
      controller.signal.addEventListener('abort', () => setTimeout(() => resolve('cleaned up'), 1000)),
    );
    const result = settleOrAbort(work, controller.signal);
    controller.abort(new Error('stop'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(await result).toBe('cleaned up');
  });

  it('leaves work alone that does not listen', async () => {
    const controller = new AbortController();
    const result = settleOrAbort(new Promise(() => undefined), controller.signal);
    const rejected = expect(result).rejects.toThrow('stop');
    controller.abort(new Error('stop'));
    await jest.advanceTimersByTimeAsync(5000);
    await rejected;
  });
});
