import { LeaseKeeper } from './lease-keeper';

describe('LeaseKeeper', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const keep = (renew: () => Promise<boolean>) => {
    const lost: string[] = [];
    const keeper = new LeaseKeeper({ leaseSeconds: 30, renew, onLost: (why) => lost.push(why) });
    return { keeper, lost };
  };

  it('renews every third of its time and stays', async () => {
    const renew = jest.fn(() => Promise.resolve(true));
    const { keeper, lost } = keep(renew);
    await jest.advanceTimersByTimeAsync(120_000);
    expect(renew).toHaveBeenCalledTimes(12);
    expect(lost).toEqual([]);
    keeper.stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(renew).toHaveBeenCalledTimes(12);
  });

  it('is lost once when the database says so', async () => {
    const { lost } = keep(() => Promise.resolve(false));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(lost).toEqual([expect.stringContaining('another worker')]);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('away'))],
    ['never answers', () => new Promise<boolean>(() => undefined)],
  ])('is lost after half of its time when the database %s', async (_how, renew) => {
    const { lost } = keep(renew);
    await jest.advanceTimersByTimeAsync(14_900);
    expect(lost).toEqual([]);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(lost).toEqual([expect.stringContaining('did not answer')]);
  });
});
