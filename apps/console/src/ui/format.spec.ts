import {
  duration,
  formatDateTime,
  hashtag,
  initials,
  megabytes,
  nextRun,
  parseWholeNumber,
  sourceName,
  timeAgo,
  timeUntil,
  titleText,
  truncate,
  videoLength,
} from './format';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

describe('times', () => {
  it.each([
    [null, 'Not scheduled'],
    [at(-1), 'Overdue'],
    [at(0.5), 'Very soon'],
    [at(1), 'in 1 minute'],
    [at(59), 'in 59 minutes'],
    [at(60), 'in 1 hour'],
    [at(25 * 60), 'in 1 day'],
  ])('nextRun of %s is %s', (iso, text) => expect(nextRun(iso, NOW)).toBe(text));

  it.each([
    [null, '-'],
    [at(0), 'Ready to post'],
    [at(5), '5m'],
    [at(125), '2h 5m'],
    [at(49 * 60), '2d 1h'],
  ])('timeUntil of %s is %s', (iso, text) => expect(timeUntil(iso, NOW)).toBe(text));

  it.each([
    [5, '5 s'],
    [61, '1 min'],
    [3_700, '1 h 1 min'],
    [93_784, '1 d 2 h'],
  ])('duration of %i seconds is %s', (seconds, text) => expect(duration(seconds)).toBe(text));

  it('shows the year unless it is the current one in the time zone of the text', () => {
    jest.useFakeTimers({ now: Date.parse('2026-12-31T20:00:00Z') });
    const shown = ['2026-12-31T12:00:00Z', '2026-12-31T20:00:00Z'].map((iso) => formatDateTime(iso, { timeZone: 'Asia/Kolkata' }));
    expect(shown).toEqual(['31 Dec 2026, 17:30', '1 Jan, 01:30']);
    jest.useRealTimers();
  });

  it('timeAgo returns minutes, hours or days', () => {
    expect([at(0), at(-5), at(-120), at(-4000)].map((iso) => timeAgo(iso, NOW))).toEqual(['just now', '5 min ago', '2 h ago', '2 d ago']);
  });
});

describe('texts', () => {
  it('truncate shortens only longer texts', () => {
    expect([truncate('abc', 3), truncate('abcd', 3)]).toEqual(['abc', 'abc…']);
  });

  it('truncate leaves no mark before the ellipsis', () => {
    expect([truncate('Fog. More', 4), truncate('Fog, more', 5), truncate('Fog. ', 5)]).toEqual(['Fog…', 'Fog…', 'Fog. ']);
  });

  it('truncate does not split an emoji', () => {
    expect([truncate('ab😀cd', 3), truncate('a👩‍🚀b', 4)]).toEqual(['ab…', 'a…']);
  });

  it.each([null, '', '  ', '\u200b\u200d', '\u3164', '\u2800\ufeff'])('the title %j is shown as Untitled', (title) => {
    expect(titleText(title)).toBe('Untitled');
  });

  it('keeps a title that a person can see', () => {
    expect(['.', '👩‍🚀', 'שלום'].map((title) => titleText(title))).toEqual(['.', '👩‍🚀', 'שלום']);
  });

  it('hashtag adds a missing "#"', () => {
    expect([hashtag('fog'), hashtag('#fog')]).toEqual(['#fog', '#fog']);
  });

  it.each([
    ['Ada Min', 'AM'],
    ['Ada "Strict" Min', 'AS'],
    ['🦊 ada', 'A'],
    ['', ''],
  ])('the initials of %j are %j', (name, letters) => {
    expect(initials(name)).toBe(letters);
  });

  it('formats sizes and source names', () => {
    expect(megabytes(1_572_864)).toBe('1.50 MB');
    expect(sourceName({ platform: 'reddit', subreddit: 'aww', author: 'ada' })).toBe('r/aww');
    expect(sourceName({ platform: 'instagram', subreddit: null, author: 'ada' })).toBe('@ada');
  });
});

it('videoLength formats minutes and seconds', () => {
  expect([videoLength(6.6), videoLength(90), videoLength(0)]).toEqual(['0:07', '1:30', '0:00']);
});

const LIMITS = { min: 0, max: 10 };

describe('parseWholeNumber', () => {
  it.each([
    ['0', 0],
    ['10', 10],
    [' 7 ', 7],
    ['11', null],
    ['-1', null],
    ['1.5', null],
    ['', null],
    ['  ', null],
    ['ten', null],
  ])('parses %j within 0 to 10 as %j', (text, value) => {
    expect(parseWholeNumber(text, LIMITS)).toBe(value);
  });

  it('accepts any larger number without a maximum', () => {
    expect(parseWholeNumber('1000000', { min: 1 })).toBe(1_000_000);
  });
});
