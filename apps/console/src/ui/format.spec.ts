import {
  timeAgo,
  truncate,
  duration,
  hashtag,
  initials,
  megabytes,
  nextRun,
  sourceName,
  timeUntil,
  videoLength,
  parseWholeNumber,
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
  ])('next run %s', (iso, text) => expect(nextRun(iso, NOW)).toBe(text));

  it.each([
    [null, '-'],
    [at(0), 'Ready to post'],
    [at(5), '5m'],
    [at(125), '2h 5m'],
    [at(49 * 60), '2d 1h'],
  ])('time until %s', (iso, text) => expect(timeUntil(iso, NOW)).toBe(text));

  it.each([
    [5, '5 s'],
    [61, '1 min'],
    [3_700, '1 h 1 min'],
    [93_784, '1 d 2 h'],
  ])('%i seconds', (seconds, text) => expect(duration(seconds)).toBe(text));

  it('tells how long ago', () => {
    expect([at(0), at(-5), at(-120), at(-4000)].map((iso) => timeAgo(iso, NOW))).toEqual(['just now', '5 min ago', '2 h ago', '2 d ago']);
  });
});

describe('texts', () => {
  it('cuts only what is too long', () => {
    expect([truncate('abc', 3), truncate('abcd', 3)]).toEqual(['abc', 'abc…']);
  });

  it('shows each hashtag with one sign', () => {
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

  it('tells size and source', () => {
    expect(megabytes(1_572_864)).toBe('1.50 MB');
    expect(sourceName({ platform: 'reddit', subreddit: 'aww', author: 'ada' })).toBe('r/aww');
    expect(sourceName({ platform: 'instagram', subreddit: null, author: 'ada' })).toBe('@ada');
  });
});

it('tells the length of a video', () => {
  expect([videoLength(6.6), videoLength(90), videoLength(0)]).toEqual(['0:07', '1:30', '0:00']);
});

const LIMITS = { min: 0, max: 10 };

describe('a whole number that was typed', () => {
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
  ])('%j within 0 to 10 is %j', (text, value) => {
    expect(parseWholeNumber(text, LIMITS)).toBe(value);
  });

  it('has no upper end where none is named', () => {
    expect(parseWholeNumber('1000000', { min: 1 })).toBe(1_000_000);
  });
});
