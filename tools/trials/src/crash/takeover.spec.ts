import type { JobFacts } from './item-facts';
import { TakeoverWatch } from './takeover';

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

describe('TakeoverWatch', () => {
  it('measures from the kill to the claim, which is when the new lease began', () => {
    const watch = new TakeoverWatch(2000);
    watch.look([job({})], 10_000);
    watch.killed([job({})], 7, ['dmca'], { at: 10_500, readyAfter: 0 });
    watch.look([job({})], 11_000);
    watch.look([job({ fence: 2, owner: 'dmca-worker@host/8', leaseUntil: 14_100 })], 12_300);
    expect(watch.seen).toEqual([{ stage: 'dmca', ms: 1600, kill: { at: 10_500, readyAfter: 0 } }]);
    expect(watch.open).toBe(0);
  });

  it('leaves jobs of other processes alone', () => {
    const watch = new TakeoverWatch(2000);
    watch.killed([job({ owner: 'dmca-worker@host/17' })], 7, ['dmca'], { at: 10_500, readyAfter: 0 });
    expect(watch.open).toBe(0);
  });

  it('counts a job that was asked for and not claimed', () => {
    const watch = new TakeoverWatch(2000);
    watch.killed([job({ state: 'requested', fence: 0, owner: null, leaseUntil: null })], 7, ['dmca'], { at: 10_500, readyAfter: 0 });
    watch.look([job({ state: 'done', owner: null, leaseUntil: null })], 13_000);
    expect(watch.seen).toEqual([{ stage: 'dmca', ms: 2500, kill: { at: 10_500, readyAfter: 0 } }]);
  });

  it('calls late what took longer than the lease and the grace, counted from when somebody was there', () => {
    const late = (readyAfter: number): number => {
      const watch = new TakeoverWatch(2000);
      watch.killed([job({})], 7, ['dmca'], { at: 10_000, readyAfter });
      watch.look([job({ fence: 2, leaseUntil: 16_500 })], 14_600);
      return watch.late(2000).length;
    };
    expect(late(0)).toBe(1);
    expect(late(1900)).toBe(1);
    expect(late(2700)).toBe(0);
  });
});
