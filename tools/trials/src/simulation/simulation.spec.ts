import { PLANTED_BUGS } from './database-model';
import { runSchedules } from './simulation.trial';

const violationsOf = async (...args: Parameters<typeof runSchedules>): Promise<string[]> =>
  (await runSchedules(...args)).flatMap(({ violations }) => violations);

/** The seeds to begin with, where the first ones take hundreds of schedules to find a bug. */
const FIRST_SEEDS: Partial<Record<(typeof PLANTED_BUGS)[number], number>> = {
  'a group ends jobs that it lost': 251,
  'a journal entry is lost': 251,
};

describe('the simulation of the engine', () => {
  it('loses no job and doubles no effect in 100 schedules', async () => {
    const reports = await runSchedules(1, 100);
    expect(reports.flatMap(({ seed, violations }) => violations.map((one) => `${seed}: ${one}`))).toEqual([]);
    const total = (key: 'jobs' | 'calls' | 'kills' | 'freezes' | 'takeovers') => reports.reduce((sum, report) => sum + report[key], 0);
    // schedules without work or without faults would prove nothing
    for (const key of ['jobs', 'calls', 'kills', 'freezes', 'takeovers'] as const) expect(total(key)).toBeGreaterThan(50);
  });

  it('repeats a schedule exactly from its seed', async () => {
    const whole = await runSchedules(1, 8);
    expect(await runSchedules(5, 4)).toEqual(whole.slice(4));
  });

  it.each(PLANTED_BUGS)('finds a planted bug within 1,000 schedules: %s', async (bug) => {
    expect(await violationsOf(FIRST_SEEDS[bug] ?? 1, 1_000, bug, 1)).not.toEqual([]);
  });
});
