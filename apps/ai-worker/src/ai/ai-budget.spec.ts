import { PipelineError, type FailureKind } from '@autoposter/domain';
import { AiBudget, type DailyCounter } from './ai-budget';

class MemoryCounter implements DailyCounter {
  readonly used = new Map<string, number>();

  take(name: string, day: string, limit: number): Promise<boolean> {
    const key = `${name} ${day}`;
    const used = this.used.get(key) ?? 0;
    if (used >= limit) return Promise.resolve(false);
    this.used.set(key, used + 1);
    return Promise.resolve(true);
  }

  giveBack(name: string, day: string): Promise<void> {
    const key = `${name} ${day}`;
    this.used.set(key, (this.used.get(key) ?? 0) - 1);
    return Promise.resolve();
  }
}

describe('AiBudget', () => {
  it('waits until the next UTC day once the limit is reached', async () => {
    const budget = new AiBudget(new MemoryCounter(), 2);
    const evening = new Date('2026-03-01T23:00:00Z');
    expect(await budget.take('gemini', evening)).toBe(0);
    expect(await budget.take('gemini', evening)).toBe(0);
    expect(await budget.take('gemini', evening)).toBe(3600 + 60);
    expect(await budget.take('gemini', new Date('2026-03-02T00:01:00Z'))).toBe(0);
  });

  it('is not used up by calls that the provider put off, but by every other', async () => {
    const counter = new MemoryCounter();
    const budget = new AiBudget(counter, 2);
    const noon = new Date('2026-03-01T12:00:00Z');
    const failing = (kind: FailureKind) => () =>
      Promise.reject(new PipelineError({ kind, message: 'No.', side: 'gemini', nextAction: 'Wait.' }));
    const spend = (call: () => Promise<unknown>) => budget.spend('gemini', noon, call);
    for (const kind of ['rate_limited', 'quota_exceeded', 'rate_limited'] as const)
      await expect(spend(failing(kind))).rejects.toMatchObject({ failure: { kind } });
    expect(counter.used.get('ai.gemini 2026-03-01')).toBe(0);
    await expect(spend(failing('transient'))).rejects.toMatchObject({ failure: { kind: 'transient' } });
    expect(await spend(() => Promise.resolve('seen'))).toBe('seen');
    const none = { kind: 'quota_exceeded', side: 'operator', retryAt: '2026-03-02T00:01:00.000Z' };
    await expect(spend(() => Promise.resolve('never'))).rejects.toMatchObject({ failure: none });
  });

  it('counts each model by itself and never the offline one', async () => {
    const counter = new MemoryCounter();
    const budget = new AiBudget(counter, 0);
    expect(await budget.take('offline', new Date())).toBe(0);
    expect(counter.used.size).toBe(0);
    expect(await budget.take('groq', new Date())).toBeGreaterThan(0);
  });
});
