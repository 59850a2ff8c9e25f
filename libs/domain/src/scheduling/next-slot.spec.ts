import { delayOf, explainSlot, nextRun, nextSlot, planQueue, type QueuePlan } from './next-slot';
import { firstFreeInstant, isBlocked, type TimeBlocking } from './zoned-time';

const night: TimeBlocking = { enabled: true, startTime: '00:00', endTime: '06:00', timeZone: 'UTC' };
const open: TimeBlocking = { ...night, enabled: false };
const plan: QueuePlan = { intervalMinutes: 120, timeBlocking: open, randomization: { enabled: false, maxDelayMinutes: 15 } };
const at = (text: string) => new Date(text);
const noon = at('2026-05-05T12:00:00.000Z');

describe('isBlocked', () => {
  it.each([
    ['2026-05-05T00:00:00Z', true],
    ['2026-05-05T05:59:59Z', true],
    ['2026-05-05T06:00:00Z', false],
    ['2026-05-04T23:59:59Z', false],
  ])('answers for %s: %s', (text, expected) => {
    expect(isBlocked(at(text), night)).toBe(expected);
  });

  it('reads hours over midnight in the zone', () => {
    const late: TimeBlocking = { enabled: true, startTime: '22:00', endTime: '07:00', timeZone: 'Europe/Berlin' };
    expect(firstFreeInstant(at('2026-05-05T20:30:00Z'), late).toISOString()).toBe('2026-05-06T05:00:00.000Z');
    expect(firstFreeInstant(at('2026-05-05T19:59:00Z'), late).toISOString()).toBe('2026-05-05T19:59:00.000Z');
  });

  it('ends blocked hours at the wall time on the day when clocks go forward', () => {
    const berlin: TimeBlocking = { ...night, timeZone: 'Europe/Berlin' };
    expect(firstFreeInstant(at('2026-03-28T23:10:00Z'), berlin).toISOString()).toBe('2026-03-29T04:00:00.000Z');
  });

  it('blocks nothing with hours of no length', () => {
    expect(isBlocked(noon, { ...night, startTime: '12:00', endTime: '12:00' })).toBe(false);
  });
});

describe('planQueue', () => {
  it('gives the first post the present time', () => {
    expect(nextSlot(plan, { now: noon, lastPostAt: null, taken: [] }, 0)).toMatchObject({ at: noon, why: { basis: 'now' } });
  });

  it('keeps the interval after the last post and adds the delay', () => {
    const slot = nextSlot(plan, { now: noon, lastPostAt: at('2026-05-05T11:00:00Z'), taken: [] }, 60_000);
    expect(slot.at.toISOString()).toBe('2026-05-05T13:01:00.000Z');
    expect(slot.why).toEqual({ basis: 'interval', earliestAt: at('2026-05-05T13:00:00Z'), delayMs: 60_000, blockedMs: 0 });
  });

  it('leaves the blocked hours after the delay, not before', () => {
    const slot = nextSlot({ ...plan, timeBlocking: night }, { now: at('2026-05-05T23:58:00Z'), lastPostAt: null, taken: [] }, 180_000);
    expect(slot.at.toISOString()).toBe('2026-05-06T06:00:00.000Z');
    expect(slot.why.blockedMs).toBe(5 * 3_600_000 + 59 * 60_000);
  });

  it('does not overtake the item before it, although a gap in front of a pinned time would do', () => {
    const ids = Array.from({ length: 50 }, (_, index) => `item-${index}`);
    const dice = { enabled: true, maxDelayMinutes: 60 };
    const slow = ids.find((id) => delayOf(id, dice) > 40 * 60_000) ?? '';
    const quick = ids.find((id) => delayOf(id, dice) < 5 * 60_000) ?? '';
    const items = [
      { id: slow, priority: 9, queuedAt: noon, slot: null },
      { id: quick, priority: 1, queuedAt: noon, slot: null },
    ];
    const ground = { now: noon, lastPostAt: null, taken: [at('2026-05-05T14:30:00Z')] };
    const [first, second] = planQueue({ ...plan, randomization: dice }, ground, items);
    expect([first?.id, second?.id]).toEqual([slow, quick]);
    expect((first?.slot ?? 0) < (second?.slot ?? 0)).toBe(true);
  });

  it('keeps its distance from a pinned time on both sides', () => {
    const pinned = at('2026-05-05T13:00:00Z');
    expect(nextSlot(plan, { now: noon, lastPostAt: null, taken: [pinned] }, 0).at.toISOString()).toBe('2026-05-05T15:00:00.000Z');
  });

  it('serves the highest priority first, then the oldest item', () => {
    const items = [
      { id: 'c', priority: 5, queuedAt: at('2026-05-05T10:00:00Z'), slot: null },
      { id: 'a', priority: 9, queuedAt: at('2026-05-05T11:00:00Z'), slot: null },
      { id: 'b', priority: 5, queuedAt: at('2026-05-05T09:00:00Z'), slot: null },
    ];
    const planned = planQueue(plan, { now: noon, lastPostAt: null, taken: [] }, items);
    expect(planned.map(({ id, slot }) => [id, slot.toISOString().slice(11, 16)])).toEqual([
      ['a', '12:00'],
      ['b', '14:00'],
      ['c', '16:00'],
    ]);
  });

  describe('planQueue of a planned queue', () => {
    const ground = { now: noon, lastPostAt: null, taken: [] };
    const queued = at('2026-05-05T09:00:00Z');
    const slotOf = (hour: number) => at(`2026-05-05T${String(hour).padStart(2, '0')}:00:00Z`);
    const item = (id: string, slot: Date | null, priority = 5) => ({ id, priority, queuedAt: queued, slot });
    const hours = (items: ReturnType<typeof item>[], over: object = {}, changed: object = {}) =>
      planQueue({ ...plan, ...changed }, { ...ground, ...over }, items).map(({ id, slot }) => `${id}${slot.toISOString().slice(11, 13)}`);

    it('moves nothing while time passes', () => {
      const items = [item('a', slotOf(13)), item('b', slotOf(15))];
      expect(hours(items, { now: slotOf(13) })).toEqual(['a13', 'b15']);
      expect(hours(items, { now: new Date(slotOf(13).getTime() + 2000) })).toEqual(['a13', 'b15']);
    });

    it('keeps what is due, however late, and spaces everything behind it from now', () => {
      expect(hours([item('a', slotOf(10)), item('b', null)])).toEqual(['a10', 'b14']);
      expect(hours([item('a', slotOf(6)), item('b', slotOf(8)), item('c', slotOf(10))])).toEqual(['a06', 'b14', 'c16']);
    });

    it('replans a late queue at most once a minute', () => {
      const items = [item('a', slotOf(10)), item('b', null)];
      const later = (seconds: number) =>
        planQueue(plan, { now: new Date(noon.getTime() + seconds * 1000), lastPostAt: null, taken: [] }, items)[1]?.slot.toISOString();
      expect([later(1), later(30), later(60)]).toEqual(Array(3).fill('2026-05-05T14:01:00.000Z'));
      expect(later(61)).toBe('2026-05-05T14:02:00.000Z');
    });

    it('closes the gap of a removed item, and shifts items behind a higher priority', () => {
      expect(hours([item('b', slotOf(16)), item('c', slotOf(18))])).toEqual(['b12', 'c14']);
      expect(hours([item('a', slotOf(12)), item('z', null, 9)])).toEqual(['z12', 'a14']);
    });

    it('follows a longer interval, a last post and new blocked hours', () => {
      const items = [item('a', slotOf(12)), item('b', slotOf(14))];
      expect(hours(items, {}, { intervalMinutes: 180 })).toEqual(['a12', 'b15']);
      expect(hours(items, { lastPostAt: slotOf(11) })).toEqual(['a13', 'b15']);
      const lunch = { ...night, startTime: '12:00', endTime: '13:00' };
      expect(hours(items, {}, { timeBlocking: lunch })).toEqual(['a13', 'b15']);
    });
  });

  it('draws the same delay for the same item, within the limit, and spreads different items', () => {
    const dice = { enabled: true, maxDelayMinutes: 15 };
    const drawn = Array.from({ length: 200 }, (_, index) => delayOf(`0190-${index}`, dice));
    expect(delayOf('0190-7', dice)).toBe(drawn[7]);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(15 * 60_000);
    expect(drawn.filter((delay) => delay > 7.5 * 60_000).length).toBeGreaterThan(60);
    expect(drawn.filter((delay) => delay < 7.5 * 60_000).length).toBeGreaterThan(60);
    expect(delayOf('0190-7', { enabled: false, maxDelayMinutes: 15 })).toBe(0);
  });
});

describe('nextRun', () => {
  it('follows the last run by one interval, without making up for missed runs', () => {
    expect(nextRun(noon, 60, noon).toISOString()).toBe('2026-05-05T13:00:00.000Z');
    expect(nextRun(at('2026-05-04T00:00:00Z'), 60, noon)).toEqual(noon);
  });
});

const why = (change: object) => ({ basis: 'interval' as const, earliestAt: new Date(0), delayMs: 0, blockedMs: 0, ...change });

describe('explainSlot', () => {
  it.each([
    [why({ basis: 'now' }), 'No post is before it.'],
    [why({ delayMs: 420_000 }), '120 minutes after the post before it, plus 7 minutes at random.'],
    [why({ delayMs: 20_000 }), '120 minutes after the post before it, plus less than a minute at random.'],
    [
      why({ blockedMs: 5 * 3_600_000 + 60_000 }),
      '120 minutes after the post before it, moved by 5 hours 1 minute out of the blocked hours.',
    ],
    [why({ basis: 'pinned' }), 'A person chose this time.'],
    [why({ basis: 'kept' }), 'It was given this time earlier, and it still fits.'],
  ])('renders %j as one sentence', (reason, text) => {
    expect(explainSlot(reason, 120)).toBe(text);
  });
});
