import type { Database } from '@autoposter/persistence';
import { LeaderLease } from './leader-lease';

describe('LeaderLease', () => {
  let answer: () => Promise<number | null>;
  let lease: LeaderLease;

  beforeEach(() => {
    jest.useFakeTimers();
    answer = () => Promise.resolve(7);
    const database = { read: { leases: { hold: () => answer() } } } as unknown as Database;
    lease = new LeaderLease({ database, name: 'scheduler', owner: 'a', seconds: 15 });
  });
  afterEach(() => jest.useRealTimers());

  it('loses leadership while the database is unavailable and regains it afterwards', async () => {
    expect([await lease.hold(), lease.isLeader]).toEqual([7, true]);
    answer = () => Promise.reject(new Error('connect ECONNREFUSED'));
    expect([await lease.hold(), lease.isLeader]).toEqual([null, false]);
    answer = () => Promise.resolve(8);
    expect([await lease.hold(), lease.isLeader]).toEqual([8, true]);
  });

  it('loses leadership when the lease expires without an answer from the database', async () => {
    await lease.hold();
    let reply: (fence: number) => void = () => undefined;
    answer = () => new Promise((resolve) => (reply = resolve));
    await jest.advanceTimersByTimeAsync(10_000);
    const holding = lease.hold();
    expect(lease.isLeader).toBe(true);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(lease.isLeader).toBe(false);
    // a late answer confirms a lease that started with the request
    await jest.advanceTimersByTimeAsync(20_000);
    reply(7);
    expect([await holding, lease.isLeader]).toEqual([null, false]);
  });
});
