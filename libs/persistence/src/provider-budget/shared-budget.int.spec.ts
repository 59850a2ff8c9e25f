import type { BudgetReading } from '@autoposter/domain';
import { freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import { Database } from '../database/database';
import { SharedBudget } from './shared-budget';

describe('SharedBudget', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  const processes: Database[] = [];

  beforeAll(async () => {
    server = await startPostgres('embedded');
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    fresh = await freshDatabase(server);
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map((database) => database.close()));
    await fresh.drop();
  });

  const reading = (more: Partial<BudgetReading> = {}): BudgetReading => ({
    used: 998,
    remaining: 2,
    resetSeconds: 540,
    refused: false,
    retryAfterSeconds: null,
    ...more,
  });
  const budgetOfProcess = async (maxWaitMs = { person: 20_000, automation: 20_000 }): Promise<SharedBudget> => {
    const database = await Database.connect({ url: fresh.url, poolSize: 2 });
    processes.push(database);
    return new SharedBudget(database, { provider: 'reddit', side: 'reddit', maxWaitMs });
  };
  const kindOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'granted',
      (error: { failure?: { kind: string } }) => error.failure?.kind ?? 'another error',
    );

  it('grants two requests to four processes if two are left', async () => {
    let left = 3;
    let refused = 0;
    const requestOf = async (budget: SharedBudget, source: string): Promise<void> => {
      const ask = { source, forPerson: true };
      await budget.take(ask);
      left -= 1;
      if (left < 0) refused += 1;
      await budget.report(ask, reading({ used: 1000 - left, remaining: Math.max(left, 0), refused: left < 0 }));
    };
    const budgets = await Promise.all([1, 2, 3, 4].map(() => budgetOfProcess()));
    const ends = await Promise.all(
      budgets.flatMap((budget, i) => [kindOf(requestOf(budget, `a${i}`)), kindOf(requestOf(budget, `b${i}`))]),
    );
    expect(ends.filter((end) => end === 'granted')).toHaveLength(3);
    expect(ends.filter((end) => end === 'rate_limited')).toHaveLength(5);
    expect(refused).toBe(0);
  });

  it('grants an administrator a request that automation has to wait for', async () => {
    const budget = await budgetOfProcess({ person: 0, automation: 0 });
    await budget.take({ source: 'r/one', forPerson: false });
    await budget.report({ source: 'r/one', forPerson: false }, reading({ used: 960, remaining: 40 }));
    expect(await kindOf(budget.take({ source: 'r/two', forPerson: false }))).toBe('rate_limited');
    expect(await kindOf(budget.take({ source: 'comments/1', forPerson: true }))).toBe('granted');
  });

  it('pauses only the refused source, in every process', async () => {
    const [one, two] = [await budgetOfProcess({ person: 0, automation: 0 }), await budgetOfProcess({ person: 0, automation: 0 })];
    const busy = { source: 'r/busy', forPerson: false };
    await one.take(busy);
    const seconds = await one.report(busy, reading({ used: 100, remaining: 900, refused: true }));
    expect(seconds).toBe(60);
    expect(await kindOf(two.take(busy))).toBe('rate_limited');
    expect(await kindOf(two.take({ source: 'r/calm', forPerson: false }))).toBe('granted');
  });

  it('frees the probe of a request without an answer', async () => {
    const budget = await budgetOfProcess({ person: 0, automation: 0 });
    const ask = { source: 'r/one', forPerson: false };
    await budget.take(ask);
    expect(await kindOf(budget.take(ask))).toBe('rate_limited');
    await budget.report(ask, null);
    expect(await kindOf(budget.take(ask))).toBe('granted');
  });
});
