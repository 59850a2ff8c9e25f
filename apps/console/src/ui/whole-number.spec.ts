import { wholeWithin } from './whole-number';

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
    expect(wholeWithin(text, LIMITS)).toBe(value);
  });

  it('has no upper end where none is named', () => {
    expect(wholeWithin('1000000', { min: 1 })).toBe(1_000_000);
  });
});
