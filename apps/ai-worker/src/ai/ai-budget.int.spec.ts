import { PipelineError, type FailureKind, type RequestMeter } from '@autoposter/domain';
import { freshDatabase, startPostgres, type FreshDatabase, type PostgresServer } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import { AiBudget, type ModelCall } from './ai-budget';

jest.setTimeout(60_000);

const GEMINI = { provider: 'gemini', model: 'flash', apiKey: 'one key', url: 'https://gemini.test' } as const;
const GROQ = { ...GEMINI, provider: 'groq', model: 'oss' } as const;
const NOON = new Date('2026-03-01T20:00:00Z');
const later = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

describe('AiBudget', () => {
  let server: PostgresServer;
  let fresh: FreshDatabase;
  let calls: number;

  beforeAll(async () => void (server = await startPostgres('embedded')), 120_000);
  afterAll(() => server?.stop());
  beforeEach(async () => {
    fresh = await freshDatabase(server);
    calls = 0;
  });
  afterEach(() => fresh.drop());

  /** One per worker process; all on the same database. */
  const budgetOf = (limit = 50, providers: ConstructorParameters<typeof AiBudget>[2] = [GEMINI, GROQ]) =>
    new AiBudget(fresh.database, limit, providers);
  const at = (now: Date, more: Partial<ModelCall> = {}): ModelCall => ({
    provider: 'gemini',
    jobId: uuidv7(),
    byPerson: false,
    now,
    signal: new AbortController().signal,
    ...more,
  });
  const answers = () => {
    calls += 1;
    return Promise.resolve('a caption');
  };
  const failing = (kind: FailureKind, more: { retryAfterSeconds?: number; detail?: { sent: boolean } } = {}) => {
    return () => {
      calls += 1;
      return Promise.reject(new PipelineError({ kind, message: 'No.', side: 'gemini', nextAction: 'Wait.', ...more }));
    };
  };
  const failureOf = (spent: Promise<unknown>) =>
    spent.then(
      () => null,
      (error: unknown) => (error instanceof PipelineError ? error.failure : Promise.reject(error)),
    );
  const used = (day = '2026-03-01') => fresh.database.read.quota.used('ai.gemini', day);

  it('counts requests until the limit of the Pacific day and tells when the next day begins', async () => {
    const budget = budgetOf(2);
    const evening = new Date('2026-03-02T07:59:00Z');
    await budget.spend(at(evening), answers);
    await budget.spend(at(evening), answers);
    expect(await failureOf(budget.spend(at(evening), answers))).toMatchObject({
      kind: 'quota_exceeded',
      message: 'All 2 requests of the day to Gemini are used up (AI_DAILY_LIMIT).',
      retryAt: '2026-03-02T08:00:00.000Z',
    });
    expect(calls).toBe(2);
    expect(await budget.spend(at(new Date('2026-03-02T08:00:00Z')), answers)).toBe('a caption');
  });

  it('makes one call for ten posts, in two processes, once the quota of the day is exceeded', async () => {
    const [one, other] = [budgetOf(), budgetOf()];
    const exceeded = failing('quota_exceeded', { retryAfterSeconds: 43_200 });
    const failures = [];
    for (let post = 0; post < 10; post += 1)
      failures.push(await failureOf((post % 2 === 0 ? one : other).spend(at(later(post)), exceeded)));
    expect(calls).toBe(1);
    const retryAt = failures[0]?.retryAt ?? '';
    // the call itself takes some milliseconds, and the seconds count from its answer
    expect(Math.floor((Date.parse(retryAt) - NOON.getTime()) / 60_000)).toBe(720);
    for (const failure of failures) expect(failure).toMatchObject({ kind: 'quota_exceeded', retryAt });
    expect(await used()).toBe(1);
  });

  it('lets one job probe after the pause, and lets the others in after its success', async () => {
    const budget = budgetOf();
    await failureOf(budget.spend(at(NOON), failing('rate_limited', { retryAfterSeconds: 30 })));
    let finish = (_text: string): void => undefined;
    const probe = budget.spend(at(later(31)), () => {
      calls += 1;
      return new Promise<string>((resolve) => (finish = resolve));
    });
    const started = Date.now();
    while (calls < 2 && Date.now() - started < 20_000) await new Promise((resolve) => setImmediate(resolve));
    expect(await failureOf(budget.spend(at(later(32)), answers))).toMatchObject({ kind: 'rate_limited', retryAt: later(47).toISOString() });
    finish('a caption');
    await probe;
    expect(await budget.spend(at(later(33)), answers)).toBe('a caption');
    expect(calls).toBe(3);
  });

  it('lets the next job probe where the first probe met an outage', async () => {
    const budget = budgetOf();
    await failureOf(budget.spend(at(NOON), failing('rate_limited', { retryAfterSeconds: 30 })));
    await failureOf(budget.spend(at(later(31)), failing('transient')));
    expect(await budget.spend(at(later(32)), answers)).toBe('a caption');
  });

  it('gives a request back only where nothing was sent', async () => {
    const budget = budgetOf();
    await failureOf(budget.spend(at(NOON), failing('transient', { detail: { sent: false } })));
    expect(await used()).toBe(0);
    await failureOf(budget.spend(at(NOON), failing('transient')));
    expect(await used()).toBe(1);
    await failureOf(budget.spend(at(NOON), failing('policy')));
    expect(await used()).toBe(2);
    await failureOf(budget.spend(at(NOON), failing('rate_limited')));
    expect(await used()).toBe(3);
  });

  it('counts and calls nothing for a stopped attempt', async () => {
    const stopped = new AbortController();
    stopped.abort(new Error('the run was stopped'));
    await expect(budgetOf().spend(at(NOON, { signal: stopped.signal }), answers)).rejects.toThrow('the run was stopped');
    expect([calls, await used()]).toEqual([0, 0]);
  });

  it('counts each provider separately and never the offline model', async () => {
    const budget = budgetOf(1);
    await budget.spend(at(NOON), answers);
    expect(await budget.spend(at(NOON, { provider: 'groq' }), answers)).toBe('a caption');
    for (let call = 0; call < 3; call += 1) await budget.spend(at(NOON, { provider: undefined }), answers);
    expect(await failureOf(budget.spend(at(NOON, { provider: 'groq' }), answers))).toMatchObject({ side: 'groq' });
  });

  describe('with a provider that tells what is left', () => {
    const groq = (now: Date) => at(now, { provider: 'groq' });
    const telling =
      (requests: number, nextInSeconds: number | null = null) =>
      (meter?: RequestMeter) => {
        calls += 1;
        meter?.left({ requests, nextInSeconds });
        return Promise.resolve('a caption');
      };
    const counted = () => fresh.database.read.quota.used('ai.groq', '2026-03-01');

    it('counts what others used of the same key, and takes it back when the provider does', async () => {
      const budget = budgetOf(50);
      await budget.spend(groq(NOON), telling(10));
      expect(await counted()).toBe(40);
      await budget.spend(groq(NOON), telling(30));
      expect(await counted()).toBe(20);
      await budget.spend(groq(NOON), telling(997));
      expect(await counted()).toBe(3);
    });

    it('sends nothing while the provider has no request left, and continues when it accepts one', async () => {
      const budget = budgetOf(50);
      await budget.spend(groq(NOON), telling(0, 90));
      const held = await failureOf(budget.spend(groq(later(60)), telling(0, 90)));
      expect(held).toMatchObject({ kind: 'quota_exceeded', side: 'groq', retryAt: expect.any(String) });
      const waits = Date.parse(held?.retryAt ?? '') - later(90).getTime();
      expect(waits).toBeGreaterThanOrEqual(0);
      expect(calls).toBe(1);
      for (const seconds of [200, 400, 600]) expect(await budget.spend(groq(later(seconds)), telling(0, 90))).toBe('a caption');
      expect(await budget.spend(groq(later(800)), telling(20))).toBe('a caption');
      expect(await budget.spend(groq(later(801)), telling(19))).toBe('a caption');
      expect(await counted()).toBe(31);
    });

    it('reads what is left from an answer that failed, too', async () => {
      const broken = (meter?: RequestMeter) => {
        meter?.left({ requests: 4, nextInSeconds: null });
        return failing('policy')();
      };
      await failureOf(budgetOf(50).spend(groq(NOON), broken));
      expect(await counted()).toBe(46);
    });

    it('counts a second request of a call, and sends none beyond the limit', async () => {
      const twice = async (meter?: RequestMeter) => {
        calls += 1;
        await meter?.another();
        return answers();
      };
      const budget = budgetOf(3);
      expect(await budget.spend(groq(NOON), twice)).toBe('a caption');
      expect(await counted()).toBe(2);
      expect(await failureOf(budget.spend(groq(NOON), twice))).toMatchObject({ kind: 'quota_exceeded', side: 'groq' });
      expect([calls, await counted()]).toEqual([3, 3]);
      expect(await fresh.database.read.aiProviders.list()).toMatchObject([{ provider: 'groq', failure: null }]);
    });
  });

  it('lists the models once while the key is wrong, not with every try', async () => {
    const budget = budgetOf();
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await failureOf(budget.look('gemini', failing('not_authorised')))).toMatchObject({ kind: 'not_authorised' });
    expect(calls).toBe(1);
    expect(await budget.spend(at(NOON), answers)).toBe('a caption');
    expect(await budget.look('groq', answers)).toBe('a caption');
    expect(await used()).toBe(1);
  });

  it('lists no models while the breaker is open', async () => {
    const budget = budgetOf();
    const now = await fresh.database.read.now();
    await failureOf(budget.spend(at(now), failing('not_authorised')));
    expect(await failureOf(budgetOf().look('gemini', answers))).toMatchObject({ kind: 'not_authorised' });
    expect(calls).toBe(1);
  });

  it('starts closed with another key, and wakes the jobs that waited because of the earlier one', async () => {
    await budgetOf().configure();
    await failureOf(budgetOf().spend(at(NOON), failing('not_authorised')));
    const waiting = await fresh.database.unitOfWork(async (uow) => {
      const subjectId = uuidv7();
      const job = await uow.jobs.create({
        stage: 'ai',
        subjectId,
        itemId: null,
        messageKey: subjectId,
        maxAttempts: 3,
        correlationId: uuidv7(),
      });
      const held = job && (await uow.jobs.claim(job.id, null, 'a worker', 30));
      if (!held) throw new Error('not claimed');
      await uow.jobs.end(held, { state: 'waiting', inSeconds: 900, reason: 'No.', cause: { kind: 'not_authorised', side: 'gemini' } });
      return held.id;
    });
    await budgetOf().configure();
    expect(await failureOf(budgetOf().spend(at(later(1)), answers))).toMatchObject({ kind: 'not_authorised' });
    const changed = budgetOf(50, [{ ...GEMINI, apiKey: 'another key' }]);
    await changed.configure();
    expect(await changed.spend(at(later(2)), answers)).toBe('a caption');
    expect(await fresh.database.unitOfWork((uow) => uow.jobs.requestDue(10))).toEqual([expect.objectContaining({ id: waiting })]);
    expect((await fresh.database.read.aiProviders.list()).map(({ provider }) => provider)).toEqual(['gemini']);
  });
});
