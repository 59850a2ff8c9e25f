import { silentLogger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';
import { WorkerHeartbeat } from './worker-heartbeat';

describe('WorkerHeartbeat', () => {
  const beat = jest.fn((..._values: unknown[]) => Promise.resolve());
  const remove = jest.fn((_id: string) => Promise.resolve());
  const warn = jest.fn();
  const database = { read: { heartbeats: { beat, remove } } } as unknown as Database;
  let heartbeat: WorkerHeartbeat;
  const firsts = () => beat.mock.calls.map(([, , , isFirst]) => isFirst);

  beforeEach(() => {
    jest.useFakeTimers();
    for (const mock of [beat, remove, warn]) mock.mockReset();
    remove.mockResolvedValue();
    heartbeat = new WorkerHeartbeat({ database, logger: { ...silentLogger, warn }, id: 'worker', stages: ['dmca'] });
    heartbeat.start();
  });
  afterEach(() => jest.useRealTimers());

  it('marks the first heartbeat that is written, and repeats it every ten seconds until it stops', async () => {
    beat.mockRejectedValueOnce(new Error('away'));
    await jest.advanceTimersByTimeAsync(25_000);
    expect(firsts()).toEqual([true, true, false]);
    await heartbeat.stop();
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
    await heartbeat.stop();
  });
});
