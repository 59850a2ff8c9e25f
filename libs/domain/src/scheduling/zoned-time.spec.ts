import { dayBounds, instantOf, wallClockOf } from './zoned-time';

describe('wall clocks', () => {
  it('reads the clock of the zone', () => {
    expect(wallClockOf(new Date('2026-07-01T22:30:05Z'), 'Europe/Berlin')).toEqual({
      year: 2026,
      month: 7,
      day: 2,
      hour: 0,
      minute: 30,
      second: 5,
    });
  });

  it.each([
    ['summer', { year: 2026, month: 7, day: 1, hour: 6, minute: 0 }, 'Europe/Berlin', '2026-07-01T04:00:00.000Z'],
    ['winter', { year: 2026, month: 1, day: 1, hour: 6, minute: 0 }, 'America/New_York', '2026-01-01T11:00:00.000Z'],
    ['a reading that is left out', { year: 2026, month: 3, day: 29, hour: 2, minute: 30 }, 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['a reading that comes twice', { year: 2026, month: 10, day: 25, hour: 2, minute: 30 }, 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['half-hour zones', { year: 2026, month: 5, day: 5, hour: 0, minute: 0 }, 'Asia/Kolkata', '2026-05-04T18:30:00.000Z'],
  ])('finds the instant: %s', (_what, clock, zone, expected) => {
    expect(instantOf(clock, zone).toISOString()).toBe(expected);
  });

  it('bounds a day of 23 and of 25 hours', () => {
    const hours = (day: string) => {
      const { from, until } = dayBounds(day, 'Europe/Berlin');
      return (until.getTime() - from.getTime()) / 3_600_000;
    };
    expect([hours('2026-03-29'), hours('2026-06-01'), hours('2026-10-25')]).toEqual([23, 24, 25]);
  });
});
