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

  it('counts each model by itself and never the offline one', async () => {
    const counter = new MemoryCounter();
    const budget = new AiBudget(counter, 0);
    expect(await budget.take('offline', new Date())).toBe(0);
    expect(counter.used.size).toBe(0);
    expect(await budget.take('groq', new Date())).toBeGreaterThan(0);
  });
});
