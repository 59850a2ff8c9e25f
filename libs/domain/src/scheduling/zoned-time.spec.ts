import { dayBounds, firstFreeInstant, instantOf, isBlocked, wallClockOf } from './zoned-time';

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

  it.each([
    ['first', '2026-11-01T04:30:00.000Z', '2026-11-01T05:30:00.000Z'],
    ['second', '2026-11-01T06:10:00.000Z', '2026-11-01T06:30:00.000Z'],
  ])('ends a block in the %s occurrence of a repeated hour', (_what, at, expected) => {
    const blocking = { enabled: true, startTime: '22:00', endTime: '01:30', timeZone: 'America/New_York' };
    expect(firstFreeInstant(new Date(at), blocking).toISOString()).toBe(expected);
  });

  it('finds an instant for each reading of two years, clock changes included', () => {
    const wrong: string[] = [];
    for (const timeZone of ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
      for (let at = Date.UTC(2025, 0, 1); at < Date.UTC(2027, 0, 1); at += 7 * 3_600_000 + 60_000) {
        const clock = wallClockOf(new Date(at), timeZone);
        const again = wallClockOf(instantOf(clock, timeZone), timeZone);
        // an assertion for each would take longer than the search
        if (JSON.stringify(again) !== JSON.stringify(clock)) wrong.push(`${timeZone} ${new Date(at).toISOString()}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('leaves no blocked instant through a clock change', () => {
    const blocking = { enabled: true, startTime: '23:15', endTime: '01:45', timeZone: 'America/New_York' };
    for (let at = Date.UTC(2026, 9, 31, 20); at < Date.UTC(2026, 10, 2); at += 300_000) {
      const free = firstFreeInstant(new Date(at), blocking);
      expect([free.getTime() >= at, isBlocked(free, blocking)]).toEqual([true, false]);
    }
  });

  it('bounds a day of 23 and of 25 hours', () => {
    const hours = (day: string) => {
      const { from, until } = dayBounds(day, 'Europe/Berlin');
      return (until.getTime() - from.getTime()) / 3_600_000;
    };
    expect([hours('2026-03-29'), hours('2026-06-01'), hours('2026-10-25')]).toEqual([23, 24, 25]);
  });
});
