import { silentLogger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { startHeartbeat } from './worker-heartbeat';

describe('startHeartbeat', () => {
  const beat = jest.fn((..._values: unknown[]) => Promise.resolve());
  const remove = jest.fn((_id: string) => Promise.resolve());
  const warn = jest.fn();
  const database = { read: { heartbeats: { beat, remove } } } as unknown as Database;
  let stop: () => Promise<void>;
  const firsts = () => beat.mock.calls.map(([, , , isFirst]) => isFirst);

  beforeEach(() => {
    jest.useFakeTimers();
    for (const mock of [beat, remove, warn]) mock.mockReset();
    remove.mockResolvedValue();
    stop = startHeartbeat(database, 'worker', ['dmca'], { ...silentLogger, warn });
  });
  afterEach(() => jest.useRealTimers());

  it('marks the first heartbeat that is written, and repeats it every ten seconds until it stops', async () => {
    beat.mockRejectedValueOnce(new Error('away'));
    await jest.advanceTimersByTimeAsync(25_000);
    expect(firsts()).toEqual([true, true, false]);
    await stop();
    expect(remove).toHaveBeenCalledWith('worker');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(beat).toHaveBeenCalledTimes(3);
  });

  it('logs each outage of the database once', async () => {
    beat.mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('away'));
    await jest.advanceTimersByTimeAsync(35_000);
    expect(warn).toHaveBeenCalledTimes(1);
    beat.mockRejectedValueOnce(new Error('away again'));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(warn).toHaveBeenCalledTimes(2);
    await stop();
  });
});
