import type { SeededRandom } from '../random';
import type { Boundary } from './boundaries';

/** One item that is sent on its way, and where on it processes are killed: at most once each. */
export interface PlannedRun {
  kills: Boundary[];
  lostAnswer: boolean;
}

/**
 * Spreads the boundaries over as few items as possible. Each process is killed at most once while an item is on its way: more would use
 * up the attempts that a run of a stage has. Which kills meet in one item is for the seed to say.
 */
export function planRuns(boundaries: readonly Boundary[], random: SeededRandom): PlannedRun[] {
  const runs: PlannedRun[] = [];
  const takes = (run: PlannedRun, boundary: Boundary): boolean =>
    run.kills.every((kill) => kill.service !== boundary.service) && (!boundary.lostAnswer || run.lostAnswer);
  // the demanding ones first, so that the others find room beside them
  const shuffled = random.shuffled(boundaries);
  const services = countOf(boundaries);
  const weight = ({ service, lostAnswer }: Boundary): number => (lostAnswer ? 1e6 : 0) + (services.get(service) ?? 0);
  for (const boundary of shuffled.sort((a, b) => weight(b) - weight(a))) {
    const room = runs.filter((run) => takes(run, boundary));
    // a lost answer changes what the poster does: its own boundaries on the straight way stay away from it
    const fitting = room.filter((run) => !run.lostAnswer || boundary.lostAnswer || boundary.service !== 'instagram-poster');
    const emptiest = Math.min(...fitting.map((run) => run.kills.length));
    const candidates = fitting.filter((run) => run.kills.length === emptiest);
    const run = candidates[Math.floor(random.next() * candidates.length)];
    if (run) run.kills.push(boundary);
    else runs.push({ kills: [boundary], lostAnswer: boundary.lostAnswer });
  }
  return random.shuffled(runs);
}

function countOf(boundaries: readonly Boundary[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { service } of boundaries) counts.set(service, (counts.get(service) ?? 0) + 1);
  return counts;
}
