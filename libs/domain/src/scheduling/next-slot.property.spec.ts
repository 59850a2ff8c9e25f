import { compareInQueue, planQueue, type PlanningContext, type QueuePlan, type Waiting } from './next-slot';
import { isBlocked, wallClockOf } from './zoned-time';

/** Repeatable: a failing run names its seed, and the same seed fails again. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below);
  };
}

const MINUTE = 60_000;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Africa/Casablanca',
];
/** Days around changes of clocks somewhere, and some others. */
const DAYS = ['2026-03-28', '2026-10-24', '2026-03-07', '2026-10-31', '2026-04-04', '2026-10-03', '2026-02-14', '2026-12-31', '2026-07-01'];

interface World {
  plan: QueuePlan;
  ground: PlanningContext;
  items: Waiting[];
}

function worldOf(seed: number): World {
  const roll = dice(seed);
  const pick = <T>(from: readonly T[]): T => from[roll(from.length)] as T;
  const time = () => `${String(roll(24)).padStart(2, '0')}:${String(roll(60)).padStart(2, '0')}`;
  const now = new Date(Date.parse(`${pick(DAYS)}T00:00:00Z`) + roll(48 * 60) * MINUTE + roll(60_000));
  const near = (minutes: number) => new Date(now.getTime() + (roll(2 * minutes) - minutes) * MINUTE);
  const intervalMinutes = pick([30, 31, 45, 60, 120, 240, 719, 1440]);
  return {
    plan: {
      intervalMinutes,
      timeBlocking: { enabled: roll(4) > 0, startTime: time(), endTime: time(), timeZone: pick(ZONES) },
      randomization: { enabled: roll(4) > 0, maxDelayMinutes: roll(61) },
    },
    ground: {
      now,
      lastPostAt: roll(2) === 0 ? null : new Date(now.getTime() - roll(2 * intervalMinutes) * MINUTE),
      taken: Array.from({ length: roll(4) }, () => near(3 * 1440)),
    },
    items: Array.from({ length: 1 + roll(12) }, (_, index) => ({
      id: `item-${seed}-${index}`,
      priority: roll(11),
      queuedAt: near(1440),
      slot: roll(3) === 0 ? near(1440) : null,
    })),
  };
}

const SEEDS = Array.from({ length: 1500 }, (_, index) => index + 1);

// each test asserts once: an assertion takes longer than what it checks
describe('planQueue', () => {
  it('keeps the interval, the blocked hours and the order, whatever the settings', () => {
    const wrong: string[] = [];
    for (const seed of SEEDS) {
      const { plan, ground, items } = worldOf(seed);
      const planned = planQueue(plan, ground, items);
      const interval = plan.intervalMinutes * MINUTE;
      for (const [index, { slot }] of planned.entries()) {
        const slotName = `slot ${index} of seed ${seed}`;
        if (isBlocked(slot, plan.timeBlocking)) wrong.push(`${slotName} lies in the blocked hours`);
        if (ground.taken.some((other) => Math.abs(other.getTime() - slot.getTime()) < interval))
          wrong.push(`${slotName} is too near to a fixed one`);
        if (ground.lastPostAt !== null && slot.getTime() - ground.lastPostAt.getTime() < interval)
          wrong.push(`${slotName} follows the last post too soon`);
        const next = planned[index + 1];
        if (next && next.slot.getTime() - slot.getTime() < interval) wrong.push(`${slotName} is followed too soon`);
      }
      const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join();
      if (idsOf(planned) !== idsOf([...items].sort(compareInQueue))) wrong.push(`seed ${seed} is not in the order of the queue`);
    }
    expect(wrong).toEqual([]);
  });

  it('gives the same slots when it is repeated, and explains each slot by its parts', () => {
    const wrong: string[] = [];
    for (const seed of SEEDS) {
      const { plan, ground, items } = worldOf(seed);
      const planned = planQueue(plan, ground, items);
      const slots = new Map(planned.map(({ id, slot }) => [id, slot]));
      const again = planQueue(
        plan,
        ground,
        items.map((item) => ({ ...item, slot: slots.get(item.id) ?? null })),
      );
      const timesOf = (rows: readonly { slot: Date }[]) => rows.map(({ slot }) => slot.getTime()).join();
      if (timesOf(again) !== timesOf(planned)) wrong.push(`seed ${seed} changes when it is planned again`);
      for (const [index, { slot, why }] of planned.entries()) {
        if (slot.getTime() !== why.earliestAt.getTime() + why.delayMs + why.blockedMs)
          wrong.push(`slot ${index} of seed ${seed} is not the sum of its parts`);
        if (!(why.delayMs <= plan.randomization.maxDelayMinutes * MINUTE)) wrong.push(`slot ${index} of seed ${seed} has too long a delay`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('isBlocked', () => {
  it('reads the blocked hours on the wall clock of the zone, on every minute around a change of clocks', () => {
    const wrong: string[] = [];
    for (const timeZone of ZONES) {
      const blocking = { enabled: true, startTime: '22:30', endTime: '02:30', timeZone };
      for (const day of DAYS) {
        for (let minute = 0; minute < 48 * 60; minute += 7) {
          const at = new Date(Date.parse(`${day}T00:00:00Z`) + minute * MINUTE);
          const { hour, minute: past } = wallClockOf(at, timeZone);
          const clock = hour * 60 + past;
          if (isBlocked(at, blocking) !== (clock >= 22 * 60 + 30 || clock < 2 * 60 + 30)) wrong.push(`${timeZone} ${at.toISOString()}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
