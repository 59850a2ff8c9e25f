import { AsyncLocalStorage } from 'node:async_hooks';
import { silentLogger } from '@autoposter/observability';
import { Poller, repeatUntilAborted } from './poller';

const quiet = { problem: 'the work fails', logger: silentLogger };

describe('Poller', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('works at intervals, and at once when it is woken', async () => {
    const work = jest.fn(() => Promise.resolve());
    const poller = new Poller({ work, everyMs: () => 1000, ...quiet });
    poller.start();
    await jest.advanceTimersByTimeAsync(999);
    expect(work).toHaveBeenCalledTimes(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(1);
    poller.wake();
    await jest.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(1000);
    expect(work).toHaveBeenCalledTimes(3);
    await poller.stop();
    poller.wake();
    await jest.advanceTimersByTimeAsync(5000);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('works once on what happens within a gap, unless it is urgent', async () => {
    const work = jest.fn(() => Promise.resolve());
    const poller = new Poller({ work, everyMs: () => 1000, gapMs: () => 20, ...quiet });
    poller.wake();
    await jest.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(1);
    for (let n = 0; n < 5; n += 1) {
      poller.wake();
      await jest.advanceTimersByTimeAsync(2);
    }
    expect(work).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(10);
    expect(work).toHaveBeenCalledTimes(2);
    poller.wake();
    poller.wake(true);
    await jest.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(3);
    await poller.stop();
  });

  it('never works twice at the same time, and once more if it was woken meanwhile', async () => {
    let end: () => void = () => undefined;
    const work = jest.fn(() => new Promise<void>((resolve) => (end = resolve)));
    const poller = new Poller({ work, everyMs: () => 1000, ...quiet });
    poller.wake();
    await jest.advanceTimersByTimeAsync(1);
    poller.wake();
    poller.wake();
    await jest.advanceTimersByTimeAsync(10);
    expect(work).toHaveBeenCalledTimes(1);
    end();
    await jest.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(2);
    let hasStopped = false;
    const stopped = poller.stop().then(() => (hasStopped = true));
    await jest.advanceTimersByTimeAsync(1000);
    expect(hasStopped).toBe(false);
    end();
    await stopped;
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('works outside of the async context that woke it', async () => {
    // the callbacks of fake timers have no context
    jest.useRealTimers();
    const context = new AsyncLocalStorage<string>();
    let report: (store: unknown) => void = () => undefined;
    const worked = new Promise((resolve) => (report = resolve));
    const poller = new Poller({ work: () => Promise.resolve(report(context.getStore())), everyMs: () => 60_000, ...quiet });
    context.run('an attempt', () => poller.wake());
    expect(await worked).toBeUndefined();
    await poller.stop();
  });

  it('repeats failed work, and logs the first and the end of the failures', async () => {
    const logger = { warn: jest.fn(), info: jest.fn() };
    const work = jest.fn(() => Promise.resolve());
    work.mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('away'));
    const poller = new Poller({ work, everyMs: (failures) => 1000 * (failures + 1), problem: 'the work fails', logger });
    poller.start();
    await jest.advanceTimersByTimeAsync(1000 + 2000);
    expect([work.mock.calls.length, poller.failures]).toEqual([2, 2]);
    await jest.advanceTimersByTimeAsync(3000);
    expect([work.mock.calls.length, poller.failures]).toEqual([3, 0]);
    expect(logger.warn.mock.calls).toEqual([[{ error: new Error('away') }, 'the work fails']]);
    expect(logger.info).toHaveBeenCalledTimes(1);
    await poller.stop();
  });
});

describe('repeatUntilAborted', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('counts the pause from the end of a run, and stops with the signal', async () => {
    const end = new AbortController();
    const work = jest.fn(() => new Promise<void>((resolve) => setTimeout(resolve, 5_000)));
    repeatUntilAborted(end.signal, { everyMs: 1_000, work, ...quiet });
    await jest.advanceTimersByTimeAsync(6_500);
    expect(work).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(500);
    expect(work).toHaveBeenCalledTimes(2);
    end.abort();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('runs first after a time of its own', async () => {
    const end = new AbortController();
    const work = jest.fn(() => Promise.resolve());
    repeatUntilAborted(end.signal, { everyMs: 1_000, firstMs: 0, work, ...quiet });
    await jest.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(work).toHaveBeenCalledTimes(2);
    end.abort();
  });

  it('runs again after a time of its own when it failed', async () => {
    const end = new AbortController();
    const work = jest.fn(() => Promise.reject(new Error('away')));
    repeatUntilAborted(end.signal, { everyMs: 60_000, firstMs: 0, retryMs: 1_000, work, ...quiet });
    await jest.advanceTimersByTimeAsync(2_001);
    expect(work).toHaveBeenCalledTimes(3);
    end.abort();
  });

  it('never runs with an aborted signal', async () => {
    const work = jest.fn(() => Promise.resolve());
    repeatUntilAborted(AbortSignal.abort(), { everyMs: 1_000, work, ...quiet });
    await jest.advanceTimersByTimeAsync(5_000);
    expect(work).not.toHaveBeenCalled();
  });
});
