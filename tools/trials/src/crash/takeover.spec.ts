import type { JobFacts } from './item-facts';
import { TakeoverMonitor } from './takeover';

const job = (change: Partial<JobFacts>): JobFacts => ({
  id: 'j',
  stage: 'dmca',
  state: 'running',
  fence: 1,
  attempts: 1,
  owner: 'dmca-worker@host/7',
  leaseUntil: 12_000,
  ...change,
});

describe('TakeoverMonitor', () => {
  it('measures from the kill to the start of the new lease', () => {
    const monitor = new TakeoverMonitor(2000);
    monitor.observe([job({})], 10_000);
    monitor.killed([job({})], 7, ['dmca'], { at: 10_500, readyAfter: 0 });
    monitor.observe([job({})], 11_000);
    monitor.observe([job({ fence: 2, owner: 'dmca-worker@host/8', leaseUntil: 14_100 })], 12_300);
    expect(monitor.seen).toEqual([{ stage: 'dmca', ms: 1600, kill: { at: 10_500, readyAfter: 0 } }]);
    expect(monitor.open).toBe(0);
  });

  it('ignores jobs of other processes', () => {
    const monitor = new TakeoverMonitor(2000);
    monitor.killed([job({ owner: 'dmca-worker@host/17' })], 7, ['dmca'], { at: 10_500, readyAfter: 0 });
    expect(monitor.open).toBe(0);
  });

  it('counts a requested job without a claim', () => {
    const monitor = new TakeoverMonitor(2000);
    monitor.killed([job({ state: 'requested', fence: 0, owner: null, leaseUntil: null })], 7, ['dmca'], { at: 10_500, readyAfter: 0 });
    monitor.observe([job({ state: 'done', owner: null, leaseUntil: null })], 13_000);
    expect(monitor.seen).toEqual([{ stage: 'dmca', ms: 2500, kill: { at: 10_500, readyAfter: 0 } }]);
  });

  it('reports takeovers later than lease and grace, counted from the readiness of the replacement', () => {
    const late = (readyAfter: number): number => {
      const monitor = new TakeoverMonitor(2000);
      monitor.killed([job({})], 7, ['dmca'], { at: 10_000, readyAfter });
      monitor.observe([job({ fence: 2, leaseUntil: 16_500 })], 14_600);
      return monitor.late(2000).length;
    };
    expect(late(0)).toBe(1);
    expect(late(1900)).toBe(1);
    expect(late(2700)).toBe(0);
  });
});
