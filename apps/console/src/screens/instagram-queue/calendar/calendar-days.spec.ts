import {
  addDays,
  addMonths,
  dayOf,
  fromLocalText,
  instantAt,
  isDay,
  localText,
  minuteOf,
  monthOf,
  weekOf,
  weekTitle,
} from './calendar-days';

describe('calendar days', () => {
  it('start the week on Monday, also for a Sunday and across a year boundary', () => {
    expect(weekOf('2026-11-22')).toEqual([
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
    ]);
    expect(weekOf('2027-01-01')[0]).toBe('2026-12-28');
    expect(weekTitle('2027-01-01')).toBe('28 Dec – 3 Jan 2027');
  });

  it.each([
    ['2026-02-10', '2026-01-26', '2026-03-01', 5],
    ['2027-02-10', '2027-02-01', '2027-02-28', 4],
    ['2026-08-10', '2026-07-27', '2026-09-06', 6],
  ])('the month view of %s covers %s to %s', (day, first, last, weeks) => {
    const rows = monthOf(day);
    expect([rows[0]?.[0], rows.at(-1)?.[6], rows.length]).toEqual([first, last, weeks]);
  });

  it('step by days and months and clamp to shorter months', () => {
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-01-31', -1)).toBe('2025-12-31');
  });

  it.each(['2026-02-30', '2026-13-01', 'x', '', '2026-1-1'])('%s is not a day', (text) => expect(isDay(text)).toBe(false));
});

describe('time zones', () => {
  it.each([
    ['UTC', '2026-11-21', 1410],
    ['America/New_York', '2026-11-21', 1110],
    ['Asia/Kathmandu', '2026-11-22', 315],
  ])('shows the day and the minute in %s', (zone, day, minute) => {
    const at = new Date('2026-11-21T23:30:00Z');
    expect(dayOf(at, zone)).toBe(day);
    expect(minuteOf(at, zone)).toBe(minute);
    expect(instantAt(day, minute, zone)).toEqual(at);
    expect(fromLocalText(localText(at, zone), zone)).toEqual(at);
  });

  it('keep the wall-clock time across a DST change', () => {
    const before = new Date('2026-10-31T14:00:00Z');
    const zone = 'America/New_York';
    expect(instantAt(addDays(dayOf(before, zone), 1), minuteOf(before, zone), zone)).toEqual(new Date('2026-11-01T15:00:00Z'));
  });

  it('an incomplete field has no time', () => {
    expect(fromLocalText('', 'UTC')).toBeNull();
    expect(fromLocalText('2026-02-30T10:00', 'UTC')).toBeNull();
  });
});
