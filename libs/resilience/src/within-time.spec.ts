import { settleOrAbort, withinTime } from './within-time';

describe('withinTime', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('returns the result of work that ends in time, and leaves no timer', async () => {
    expect(await withinTime(Promise.resolve(1), 100, 'the answer')).toBe(1);
    await expect(withinTime(Promise.reject(new Error('refused')), 100, 'the answer')).rejects.toThrow('refused');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects work that takes longer, and ignores that it fails later', async () => {
    const work = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('too late')), 200));
    const named = expect(withinTime(work, 100, 'the answer')).rejects.toThrow('the answer took longer than 100 ms');
    const own = expect(withinTime(work, 100, () => new TypeError('no answer'))).rejects.toThrow(TypeError);
    await jest.advanceTimersByTimeAsync(300);
    await Promise.all([named, own]);
  });
});

describe('settleOrAbort', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('returns the result of work that ends within the grace period after an abort', async () => {
    const controller = new AbortController();
    const work = new Promise<string>((resolve) =>
      controller.signal.addEventListener('abort', () => setTimeout(() => resolve('cleaned up'), 1000)),
    );
    const result = settleOrAbort(work, controller.signal, 5000);
    controller.abort(new Error('stop'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(await result).toBe('cleaned up');
  });

  it('rejects when aborted work does not end within the grace period', async () => {
    const controller = new AbortController();
    const result = settleOrAbort(new Promise(() => undefined), controller.signal, 5000);
    const rejected = expect(result).rejects.toThrow('stop');
    controller.abort(new Error('stop'));
    await jest.advanceTimersByTimeAsync(5000);
    await rejected;
  });
});
