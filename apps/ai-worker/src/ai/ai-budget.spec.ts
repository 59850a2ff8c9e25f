import type { FailureKind } from '@autoposter/contracts';
import { type AiProvider, CLOSED, PipelineError, type ProviderBreaker, type RequestMeter } from '@autoposter/domain';
import { FakeDatabase, NOW } from '@autoposter/testkit';
import { v7 as uuidv7 } from 'uuid';
import { AiBudget, type ModelCall } from './ai-budget';

const GEMINI = { provider: 'gemini', model: 'flash', apiKey: 'one key', url: 'https://gemini.test' } as const;
const GROQ = { ...GEMINI, provider: 'groq', model: 'oss' } as const;
const NOON = new Date('2026-03-01T20:00:00Z');
const later = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

/** Usage and breakers in memory, as the tables of the same names count and store them. */
function tables() {
  const usage = new Map<string, { name: string; day: string; used: number }>();
  const breakers = new Map<AiProvider, ProviderBreaker & { provider: AiProvider }>();
  const row = (name: string, day: string) => {
    const key = `${name} ${day}`;
    return usage.get(key) ?? usage.set(key, { name, day, used: 0 }).get(key)!;
  };
  const used = (prefix: string, day: string) =>
    [...usage.values()].filter((one) => one.name.startsWith(prefix) && one.day === day).reduce((sum, one) => sum + one.used, 0);
  const stubs = {
    'quota.used': used,
    'quota.take': (name: string, day: string, limit: number) => row(name, day).used < limit && (row(name, day).used += 1) > 0,
    'quota.refund': (name: string, day: string) => void (row(name, day).used -= 1),
    'quota.set': (name: string, day: string, count: number) => void (row(name, day).used = count),
    'aiProviders.lock': (provider: AiProvider) => breakers.get(provider) ?? null,
    'aiProviders.ensure': ({ provider }: { provider: AiProvider }) => void breakers.set(provider, { provider, ...CLOSED }),
    'aiProviders.save': ({ provider }: { provider: AiProvider }, breaker: ProviderBreaker) =>
      void breakers.set(provider, { ...breaker, provider }),
    'aiProviders.configure': false,
  };
  return { stubs, used, breakers };
}

describe('AiBudget', () => {
  let fake: FakeDatabase;
  let stored: ReturnType<typeof tables>;
  let calls: number;

  beforeEach(() => {
    stored = tables();
    fake = new FakeDatabase(stored.stubs);
    calls = 0;
  });

  const budgetOf = (limit = 50) => new AiBudget(fake.database, limit, [GEMINI, GROQ]);
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
      return Promise.reject(
        new PipelineError({ code: 'gemini_overloaded', kind, message: 'No.', side: 'gemini', nextAction: 'Wait.', ...more }),
      );
    };
  };
  const failureOf = (spent: Promise<unknown>) =>
    spent.then(
      () => null,
      (error: unknown) => (error instanceof PipelineError ? error.failure : Promise.reject(error)),
    );
  const used = (day = '2026-03-01') => stored.used('ai.gemini', day);

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
    expect(used()).toBe(0);
    await failureOf(budget.spend(at(NOON), failing('transient')));
    expect(used()).toBe(1);
    await failureOf(budget.spend(at(NOON), failing('policy')));
    expect(used()).toBe(2);
    await failureOf(budget.spend(at(NOON), failing('rate_limited')));
    expect(used()).toBe(3);
  });

  it('counts and calls nothing for a stopped attempt', async () => {
    const stopped = new AbortController();
    stopped.abort(new Error('the run was stopped'));
    await expect(budgetOf().spend(at(NOON, { signal: stopped.signal }), answers)).rejects.toThrow('the run was stopped');
    expect([calls, used()]).toEqual([0, 0]);
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
      (requests: number, nextInSeconds: number | null = null, limit: number | null = null) =>
      (meter?: RequestMeter) => {
        calls += 1;
        meter?.left({ requests, limit, nextInSeconds });
        return Promise.resolve('a caption');
      };
    const counted = () => stored.used('ai.groq', '2026-03-01');

    it('counts what others used of the same key, and takes it back when the provider does', async () => {
      const budget = budgetOf(50);
      await budget.spend(groq(NOON), telling(10));
      expect(counted()).toBe(40);
      await budget.spend(groq(NOON), telling(30));
      expect(counted()).toBe(20);
      await budget.spend(groq(NOON), telling(997));
      expect(counted()).toBe(3);
    });

    it.each([
      ['a plan below our limit', 2000, 1000, 990, 10],
      ['a plan above our limit', 50, 14_400, 14_370, 1],
    ])('counts what was used, not what our limit exceeds the plan by, with %s', async (_what, ours, plan, left, used) => {
      await budgetOf(ours).spend(groq(NOON), telling(left, null, plan));
      expect(counted()).toBe(used);
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
      expect(counted()).toBe(31);
    });

    it('reads what is left from an answer that failed, too', async () => {
      const broken = (meter?: RequestMeter) => {
        meter?.left({ requests: 4, limit: null, nextInSeconds: null });
        return failing('policy')();
      };
      await failureOf(budgetOf(50).spend(groq(NOON), broken));
      expect(counted()).toBe(46);
    });

    it('counts a second request of a call, and sends none beyond the limit', async () => {
      const twice = async (meter?: RequestMeter) => {
        calls += 1;
        await meter?.another();
        return answers();
      };
      const budget = budgetOf(3);
      expect(await budget.spend(groq(NOON), twice)).toBe('a caption');
      expect(counted()).toBe(2);
      expect(await failureOf(budget.spend(groq(NOON), twice))).toMatchObject({ kind: 'quota_exceeded', side: 'groq' });
      expect([calls, counted()]).toEqual([3, 3]);
      expect(stored.breakers.get('groq')).toMatchObject({ failure: null });
    });
  });

  it('lists the models once while the key is wrong, not with every try', async () => {
    const budget = budgetOf();
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect(await failureOf(budget.look('gemini', failing('not_authorised')))).toMatchObject({ kind: 'not_authorised' });
    expect(calls).toBe(1);
    expect(await budget.spend(at(NOON), answers)).toBe('a caption');
    expect(await budget.look('groq', answers)).toBe('a caption');
    expect(used()).toBe(1);
  });

  it('lists no models while the breaker is open', async () => {
    const budget = budgetOf();
    await failureOf(budget.spend(at(NOW), failing('not_authorised')));
    expect(await failureOf(budgetOf().look('gemini', answers))).toMatchObject({ kind: 'not_authorised' });
    expect(calls).toBe(1);
  });

  it('configures its providers and wakes the jobs that waited because of an earlier configuration', async () => {
    const changed = new FakeDatabase({
      ...stored.stubs,
      'aiProviders.configure': ({ provider }: { provider: AiProvider }) => provider === 'groq',
      'aiProviders.keepOnly': [],
    });
    await new AiBudget(changed.database, 50, [GEMINI, GROQ]).configure();
    expect(changed.argsOf('aiProviders.keepOnly')).toEqual([[['gemini', 'groq']]]);
    expect(changed.argsOf('jobs.resumeWaiting')).toEqual([['ai', 'groq']]);
    const [[configured = {}] = []] = changed.argsOf('aiProviders.configure');
    expect(configured).toMatchObject({ provider: 'gemini', model: 'flash', dailyLimit: 50 });
    expect(JSON.stringify(configured)).not.toContain(GEMINI.apiKey);
  });

  it('wakes the waiting jobs after a successful probe', async () => {
    const budget = budgetOf();
    await failureOf(budget.spend(at(NOON), failing('rate_limited', { retryAfterSeconds: 30 })));
    await budget.spend(at(later(31)), answers);
    expect(fake.argsOf('jobs.resumeWaiting')).toEqual([['ai', 'gemini']]);
  });

  it('refunds the request of an attempt that was stopped while it waited for the row', async () => {
    const stopped = new AbortController();
    fake = new FakeDatabase({
      ...stored.stubs,
      'quota.take': (...args: [string, string, number]) => {
        stopped.abort(new Error('the run was stopped'));
        return stored.stubs['quota.take'](...args);
      },
    });
    await expect(budgetOf().spend(at(NOON, { signal: stopped.signal }), answers)).rejects.toThrow('the run was stopped');
    expect([calls, used()]).toEqual([0, 0]);
  });

  it('refuses a provider that is not configured', async () => {
    const budget = new AiBudget(fake.database, 50, [GEMINI]);
    await expect(budget.spend(at(NOON, { provider: 'groq' }), answers)).rejects.toThrow('groq is called without being configured');
  });
});
