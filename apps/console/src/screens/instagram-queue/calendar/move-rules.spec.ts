import { queueItemSample, type QueueItem } from '@autoposter/contracts';
import {
  afterKeyPress,
  blockedBands,
  dropOnDay,
  dropOnMinute,
  rulesOf,
  startOfMove,
  immovableReason,
  refusalAt,
  type QueueRules,
} from './move-rules';
import { layOutDay } from './calendar-layout';

const rules: QueueRules = {
  timeZone: 'Europe/Berlin',
  blocking: { enabled: true, startTime: '22:00', endTime: '06:00', timeZone: 'Europe/Berlin' },
};
const item = (scheduledFor: string | null, status: QueueItem['status'] = 'scheduled'): QueueItem => ({
  ...queueItemSample,
  status,
  scheduling: { ...queueItemSample.scheduling, scheduledFor },
});
const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('move rules', () => {
  it.each([
    ['2026-11-21T11:59:00Z', 'This time has passed; choose a later one.'],
    ['2026-11-21T20:59:00Z', null],
    ['2026-11-21T21:00:00Z', 'Nothing is posted between 22:00–06:00 (Europe/Berlin); choose another time.'],
    ['2026-11-22T04:59:00Z', 'Nothing is posted between 22:00–06:00 (Europe/Berlin); choose another time.'],
    ['2026-11-22T05:00:00Z', null],
  ])('at %s the refusal is: %s', (at, reason) => expect(refusalAt(new Date(at), rules, NOW)).toBe(reason));

  it.each(['posting', 'posted', 'failed', 'cancelled'] as const)('%s posts cannot be moved, with a reason', (status) => {
    expect(immovableReason(item(null, status))).toMatch(/\./u);
  });

  it.each(['pending', 'scheduled'] as const)('%s posts can be moved', (status) => expect(immovableReason(item(null, status))).toBeNull());

  it('splits blocked hours over midnight into two bands and ignores equal times', () => {
    expect(blockedBands(rules)).toEqual([
      [0, 360],
      [1320, 1440],
    ]);
    expect(blockedBands({ ...rules, blocking: { ...rules.blocking, endTime: '22:00' } })).toEqual([]);
    expect(blockedBands({ ...rules, blocking: { ...rules.blocking, enabled: false } })).toEqual([]);
    expect(blockedBands({ ...rules, blocking: { ...rules.blocking, endTime: '00:00' } })).toEqual([[1320, 1440]]);
  });

  it('defaults to UTC without blocked hours before the status is loaded', () => {
    expect(rulesOf(undefined)).toMatchObject({ timeZone: 'UTC', blocking: { enabled: false } });
  });
});

describe('move', () => {
  const slot = '2026-11-21T13:07:00.000Z';

  it('keeps the time of day on another day, also across a DST change', () => {
    expect(dropOnDay(item(slot), '2026-11-30', rules).toISOString()).toBe('2026-11-30T13:07:00.000Z');
    expect(dropOnDay(item(slot), '2027-04-01', rules).toISOString()).toBe('2027-04-01T12:07:00.000Z');
    expect(dropOnDay(item(null), '2026-11-30', rules).toISOString()).toBe('2026-11-30T11:00:00.000Z');
  });

  it.each([
    [602, '09:00'],
    [603, '09:05'],
    [-30, '23:00'],
    [1500, '22:55'],
  ])('snaps minute %i of the week view to five minutes', (minute, utc) => {
    expect(dropOnMinute('2026-11-22', minute, rules).toISOString().slice(11, 16)).toBe(utc);
  });

  it.each([
    ['week', 'ArrowDown', '2026-11-21T13:10:00.000Z'],
    ['week', 'ArrowUp', '2026-11-21T13:00:00.000Z'],
    ['week', 'PageDown', '2026-11-21T14:05:00.000Z'],
    ['week', 'ArrowRight', '2026-11-22T13:07:00.000Z'],
    ['month', 'ArrowDown', '2026-11-28T13:07:00.000Z'],
    ['month', 'ArrowLeft', '2026-11-20T13:07:00.000Z'],
    ['month', 'PageDown', '2026-12-19T13:07:00.000Z'],
  ] as const)('in the %s by %s', (view, key, expected) => {
    expect(afterKeyPress(new Date(slot), key, view, rules)?.toISOString()).toBe(expected);
  });

  it('crosses midnight by the minute and ignores other keys', () => {
    expect(afterKeyPress(new Date('2026-11-21T22:55:00Z'), 'ArrowDown', 'week', rules)?.toISOString()).toBe('2026-11-21T23:00:00.000Z');
    expect(afterKeyPress(new Date('2026-11-21T23:00:00Z'), 'ArrowUp', 'week', rules)?.toISOString()).toBe('2026-11-21T22:55:00.000Z');
    expect(afterKeyPress(new Date(slot), 'x', 'week', rules)).toBeNull();
  });

  it.each([
    ['ArrowUp', '2027-03-28T01:00:00Z', '2027-03-28T00:55:00.000Z'],
    ['ArrowDown', '2027-03-28T00:55:00Z', '2027-03-28T01:00:00.000Z'],
    ['ArrowDown', '2026-10-25T00:55:00Z', '2026-10-25T01:00:00.000Z'],
    ['PageUp', '2026-10-25T02:00:00Z', '2026-10-25T01:00:00.000Z'],
  ])('%s passes a change of the clocks from %s', (key, from, to) => {
    expect(afterKeyPress(new Date(from), key, 'week', rules)?.toISOString()).toBe(to);
  });

  it('starts an unscheduled post at the next full five minutes', () => {
    expect(new Date(startOfMove(item(null), NOW + 1)).toISOString()).toBe('2026-11-21T12:10:00.000Z');
  });
});

describe('layOutDay', () => {
  it('places overlapping posts below each other within the day', () => {
    const drawn = (...times: string[]) =>
      layOutDay(
        times.map((time) => item(`2026-11-21T${time}:00Z`)),
        'UTC',
        30,
      ).map(({ minute }) => minute);
    expect(drawn('10:00', '10:10', '10:40', '12:00')).toEqual([600, 630, 660, 720]);
    expect(drawn('23:30', '23:40', '23:55')).toEqual([1350, 1380, 1410]);
  });
});
