import { inWords, rounded, spreadOf, tableOf } from './spread';

describe('the spread of measurements', () => {
  it('tells median, smallest and greatest whatever their order', () => {
    expect(spreadOf([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9 });
    expect(spreadOf([10, 2, 4, 1])).toEqual({ median: 3, min: 1, max: 10 });
    expect(spreadOf([7])).toEqual({ median: 7, min: 7, max: 7 });
    expect(() => spreadOf([])).toThrow('nothing was measured');
  });

  it('is put in words and in columns', () => {
    expect(inWords({ median: 1.25, min: 1, max: 2 }, 1)).toMatch(/^1\.[23] \(1\.0–2\.0\)$/);
    expect(rounded({ median: 1.26, min: 1.04, max: 2 }, 1)).toEqual({ median: 1.3, min: 1, max: 2 });
    expect(
      tableOf([
        ['name', 'a'],
        ['x', '10'],
      ]),
    ).toEqual(['name   a', 'x     10']);
  });
});
