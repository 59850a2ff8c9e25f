import { type Evidence, assess, LagMonitor } from './assess';

const start = (jobId: string, member: string, at: number, attempt = 1) => ({ jobId, member, at, attempt });
const good: Evidence = {
  jobIds: ['a', 'b'],
  starts: [start('a', 'm1', 100), start('b', 'm2', 100), start('b', 'm3', 900, 2)],
  killedAt: new Map([['m2', 300]]),
  effects: ['a', 'b'],
  completed: ['a', 'b'],
};

describe('assess', () => {
  it('accepts the restart of a job whose member was killed', () => {
    expect(assess(good)).toEqual({ starts: 3, restarted: 1, effectsPerJob: 1, longestTakeoverMs: 600, failures: [] });
  });

  it.each<[string, Partial<Evidence>]>([
    ['a second start while the first member is alive', { killedAt: new Map() }],
    ['a second start before the kill', { killedAt: new Map([['m2', 950]]) }],
    ['a duplicate effect', { effects: ['a', 'b', 'b'] }],
    ['a missing effect', { effects: ['a'] }],
    ['a duplicate completion', { completed: ['a', 'a', 'b'] }],
    ['a job that never started', { starts: [start('a', 'm1', 100)] }],
    ['an effect of an unknown job', { effects: ['a', 'b', 'c'] }],
  ])('reports %s', (_what, change) => {
    expect(assess({ ...good, ...change }).failures).not.toEqual([]);
  });
});

describe('LagMonitor', () => {
  it('reads the lag before the unfinished jobs and reports a lower lag', async () => {
    const order: string[] = [];
    const lags = [5, 3, 2];
    const monitor = new LagMonitor(
      {
        lag: () => Promise.resolve(void order.push('lag')).then(() => lags.shift() ?? 9),
        unfinished: () => Promise.resolve(void order.push('unfinished')).then(() => (order.length >= 6 ? 3 : 4)),
      },
      1,
    );
    monitor.start();
    while (monitor.samples.length < 3) await new Promise((resolve) => setImmediate(resolve));
    await monitor.stop();
    expect(order.slice(0, 4)).toEqual(['lag', 'unfinished', 'lag', 'unfinished']);
    expect(monitor.tooLow.slice(0, 2)).toEqual([
      { lag: 3, unfinished: 4 },
      { lag: 2, unfinished: 3 },
    ]);
    expect(monitor.mostAbove).toBeGreaterThanOrEqual(1);
  });
});
