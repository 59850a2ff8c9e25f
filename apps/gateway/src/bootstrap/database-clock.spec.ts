import { silentLogger } from '@autoposter/observability';
import { withWrongClock } from '@autoposter/testkit';
import { DatabaseClock } from './database-clock';

const HOUR_MS = 3_600_000;
const AT = new Date('2026-05-05T10:00:00Z');

describe('DatabaseClock', () => {
  let read: () => Promise<Date>;
  let warnings: number;
  let clock: DatabaseClock;
  beforeEach(() => {
    jest.useFakeTimers({ now: AT });
    read = () => Promise.resolve(AT);
    warnings = 0;
    const logger = { ...silentLogger, warn: () => (warnings += 1) };
    clock = new DatabaseClock({ read: { now: () => read() } } as never, logger);
  });
  afterEach(() => {
    clock.onModuleDestroy();
    jest.useRealTimers();
  });

  it('continues the time of the database whatever the clock of the process says', async () => {
    await withWrongClock(HOUR_MS, () => clock.onModuleInit());
    await jest.advanceTimersByTimeAsync(5_000);
    await withWrongClock(-HOUR_MS, async () => expect(clock.now()).toEqual(new Date(AT.getTime() + 5_000)));
  });

  it('is read again every minute', async () => {
    await clock.onModuleInit();
    read = () => Promise.resolve(new Date(AT.getTime() + HOUR_MS));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(clock.now()).toEqual(new Date(AT.getTime() + HOUR_MS));
  });

  it('keeps the last reading while the database is unavailable', async () => {
    await clock.onModuleInit();
    read = () => Promise.reject(new Error('connect ECONNREFUSED'));
    await jest.advanceTimersByTimeAsync(120_000);
    expect([clock.now(), warnings]).toEqual([new Date(AT.getTime() + 120_000), 2]);
  });
});
