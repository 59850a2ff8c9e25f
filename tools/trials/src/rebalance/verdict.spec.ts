import { LagWatch } from './lag-watch';
import { judge, type Evidence } from './verdict';

const start = (jobId: string, member: string, at: number, attempt = 1) => ({ jobId, member, at, attempt });
const good: Evidence = {
  jobIds: ['a', 'b'],
  starts: [start('a', 'm1', 100), start('b', 'm2', 100), start('b', 'm3', 900, 2)],
  killedAt: new Map([['m2', 300]]),
  effects: ['a', 'b'],
  completed: ['a', 'b'],
};

describe('the verdict of a rebalance trial', () => {
  it('lets a job start again whose member was killed', () => {
    expect(judge(good)).toEqual({ starts: 3, restarted: 1, effectsPerJob: 1, longestTakeoverMs: 600, faults: [] });
  });

  it.each<[string, Partial<Evidence>]>([
    ['a second start while the first member lives', { killedAt: new Map() }],
    ['a second start before the kill', { killedAt: new Map([['m2', 950]]) }],
    ['a doubled effect', { effects: ['a', 'b', 'b'] }],
    ['a missing effect', { effects: ['a'] }],
    ['a doubled completion', { completed: ['a', 'a', 'b'] }],
    ['a job that never started', { starts: [start('a', 'm1', 100)] }],
    ['an effect of something else', { effects: ['a', 'b', 'c'] }],
  ])('finds %s', (_what, change) => {
    expect(judge({ ...good, ...change }).faults).not.toEqual([]);
  });
});

describe('the watch over the lag', () => {
  it('reads the lag before the unfinished jobs, and tells where it is below', async () => {
    const order: string[] = [];
    const lags = [5, 3, 2];
    const watch = new LagWatch(
      {
        lag: () => Promise.resolve(void order.push('lag')).then(() => lags.shift() ?? 9),
        unfinished: () => Promise.resolve(void order.push('unfinished')).then(() => (order.length >= 6 ? 3 : 4)),
      },
      1,
    );
    watch.start();
    while (watch.samples.length < 3) await new Promise((resolve) => setImmediate(resolve));
    await watch.stop();
    expect(order.slice(0, 4)).toEqual(['lag', 'unfinished', 'lag', 'unfinished']);
    expect(watch.tooLow.slice(0, 2)).toEqual([
      { lag: 3, unfinished: 4 },
      { lag: 2, unfinished: 3 },
    ]);
    expect(watch.mostAbove).toBeGreaterThanOrEqual(1);
  });
});
