import { until } from './until';

describe('until', () => {
  it('answers the first thing that is there', async () => {
    let looks = 0;
    const value = await until('it', () => Promise.resolve((looks += 1) < 3 ? null : looks), 5_000, 1);
    expect(value).toBe(3);
  });

  it('says what it waited for, and what went wrong last', async () => {
    const refused = (): Promise<never> => Promise.reject(new Error('refused'));
    await expect(until('the server', refused, 20, 5)).rejects.toThrow(/in vain for the server: refused/u);
  });
});
