import { SeededRandom } from './trial';

describe('SeededRandom', () => {
  const draws = (seed: number): number[] => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 1000 }, () => random.next());
  };

  it('gives the same for the same seed', () => expect(draws(5)).toEqual(draws(5)));

  it('gives something else for the next seed', () => expect(draws(5)).not.toEqual(draws(6)));

  it('stays from 0 to below 1 and spreads evenly', () => {
    const values = draws(1);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.5, 1);
  });

  it('shuffles without losing anything', () => {
    const cards = Array.from({ length: 50 }, (_, index) => index);
    const shuffled = new SeededRandom(3).shuffled(cards);
    expect(shuffled).not.toEqual(cards);
    expect([...shuffled].sort((a, b) => a - b)).toEqual(cards);
  });
});
