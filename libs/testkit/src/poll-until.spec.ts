import { pollUntil } from './poll-until';

describe('pollUntil', () => {
  it('returns the first value other than null', async () => {
    let calls = 0;
    expect(await pollUntil(() => Promise.resolve((calls += 1) < 3 ? null : calls), 5_000)).toBe(3);
  });

  it('reports what it waited for and the last failure', async () => {
    const check = (): Promise<never> => Promise.reject(new Error('refused'));
    await expect(pollUntil(check, 20, 'the server', 5)).rejects.toThrow(/the server: refused$/u);
    await expect(pollUntil(check, 20)).rejects.toThrow(/^refused$/u);
    await expect(pollUntil(() => false, 20, 'the lag')).rejects.toThrow(/^not within 20 ms: the lag$/u);
  });

  it('counts a pause of the whole machine as one second', async () => {
    const clock = jest.spyOn(performance, 'now');
    let hours = 0;
    const check = jest.fn(() => (clock.mockReturnValue((hours += 1) * 3_600_000), null));
    await expect(pollUntil(check, 3_000)).rejects.toThrow('not within 3000 ms');
    expect(check).toHaveBeenCalledTimes(4);
    clock.mockRestore();
  });
});
