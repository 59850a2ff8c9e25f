import { formatSpread, percentile, rounded, spreadOf, tableOf } from './spread';

describe('spread', () => {
  it('returns median, minimum and maximum in any input order', () => {
    expect(spreadOf([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9 });
    expect(spreadOf([10, 2, 4, 1])).toEqual({ median: 3, min: 1, max: 10 });
    expect(spreadOf([7])).toEqual({ median: 7, min: 7, max: 7 });
    expect(() => spreadOf([])).toThrow('no measurements');
  });

  it('formats spreads and tables', () => {
    expect(formatSpread({ median: 1.25, min: 1, max: 2 }, 1)).toMatch(/^1\.[23] \(1\.0–2\.0\)$/);
    expect(rounded({ median: 1.26, min: 1.04, max: 2 }, 1)).toEqual({ median: 1.3, min: 1, max: 2 });
    expect(
      tableOf([
        ['name', 'a'],
        ['x', '10'],
      ]),
    ).toEqual(['name   a', 'x     10']);
  });
});

describe('percentile', () => {
  it('is a value of the list', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1), percentile([], 0.5)]).toEqual([100, 198, 200, 0]);
  });
});
