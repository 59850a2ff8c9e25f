import { SeededRandom } from '../trial';
import { boundaries, nameOf, planCases } from './boundaries';

describe('planCases', () => {
  const all = boundaries(true);
  const runs = planCases(all, new SeededRandom(7));

  it('kills at every boundary exactly once', () => {
    const planned = runs.flatMap((run) => run.kills.map(nameOf));
    expect(planned.sort()).toEqual(all.map(nameOf).sort());
    expect(new Set(planned).size).toBe(planned.length);
  });

  it('kills a process at most once per item', () => {
    for (const { kills } of runs) expect(new Set(kills.map(({ service }) => service)).size).toBe(kills.length);
  });

  it('combines poster boundaries of lost responses only with lost responses', () => {
    for (const { kills, lostResponse } of runs)
      for (const kill of kills.filter(({ service }) => service === 'instagram-poster')) expect(kill.lostResponse).toBe(lostResponse);
  });

  it('is deterministic for a seed and different for other seeds', () => {
    expect(planCases(all, new SeededRandom(7))).toEqual(runs);
    expect(planCases(all, new SeededRandom(8))).not.toEqual(runs);
  });

  it('plans as many items as the process with the most boundaries has boundaries', () => {
    const poster = all.filter(({ service }) => service === 'instagram-poster').length;
    expect(runs).toHaveLength(poster);
  });

  it('includes every label before and after its effect in the short form', () => {
    const places = new Set(boundaries(false).map(({ place }) => place));
    expect(places.size).toBe(12);
  });
});
