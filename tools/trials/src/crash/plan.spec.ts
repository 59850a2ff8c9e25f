import { SeededRandom } from '../random';
import { boundaries, nameOf } from './boundaries';
import { planRuns } from './plan';

describe('planRuns', () => {
  const all = boundaries(true);
  const runs = planRuns(all, new SeededRandom(7));

  it('kills at every boundary exactly once', () => {
    const planned = runs.flatMap((run) => run.kills.map(nameOf));
    expect(planned.sort()).toEqual(all.map(nameOf).sort());
    expect(new Set(planned).size).toBe(planned.length);
  });

  it('kills a process at most once while an item is on its way', () => {
    for (const { kills } of runs) expect(new Set(kills.map(({ service }) => service)).size).toBe(kills.length);
  });

  it('keeps what only a lost answer reaches with lost answers', () => {
    for (const { kills, lostAnswer } of runs)
      for (const kill of kills.filter(({ service }) => service === 'instagram-poster')) expect(kill.lostAnswer).toBe(lostAnswer);
  });

  it('is the same for the same seed and another one for another', () => {
    expect(planRuns(all, new SeededRandom(7))).toEqual(runs);
    expect(planRuns(all, new SeededRandom(8))).not.toEqual(runs);
  });

  it('needs no more items than the process with the most boundaries has', () => {
    const poster = all.filter(({ service }) => service === 'instagram-poster').length;
    expect(runs).toHaveLength(poster);
  });

  it('names every label on both sides, also in the short form', () => {
    const places = new Set(boundaries(false).map(({ place }) => place));
    expect(places.size).toBe(18);
  });
});
