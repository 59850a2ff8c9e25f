import { type Service, SERVICES } from '@autoposter/config';
import type { FaultLabel, FaultPlace } from '@autoposter/job-engine';
import type { SeededRandom } from '../trial';

/** A point in the processing of an item at which a process is killed. */
export interface Boundary {
  service: Service;
  /** Stage or task that passes the point. */
  part: string;
  place: FaultPlace;
  /** Occurrence of the point in the process, from 1. */
  nth: number;
  /** Only reached when Instagram's response is lost and the outcome must be reconciled. */
  lostResponse: boolean;
}

type Row = [label: FaultLabel, nth: number, part: string, form?: 'full'];

/** The points of an attempt that claims a job, stores its results and commits them. */
const attemptOf = (part: string, attempt: number, stores: Row[] = []): Row[] => [
  ['claim', attempt, part],
  ...stores,
  ['commit', attempt, part],
];

/**
 * The points that one item passes in each process, in order. The trial runs on PostgreSQL alone, where the row of the job is the queue: there is
 * no outbox to send and no message to settle, so these points of the engine exist with Kafka only, where the rebalance trial kills at any of
 * them. `claim:before` is passed with the announcement of the job. `post` has two attempts: the first one creates the container and waits for
 * it. Rows marked `full` repeat a boundary and belong to the full form only.
 */
const BOUNDARIES: Record<Service, Row[]> = {
  gateway: [
    ['commit', 1, 'scheduler plans the subreddit run', 'full'],
    ['commit', 2, 'scheduler dispatches the queue item'],
    ['commit', 3, 'scheduler resumes the waiting post', 'full'],
  ],
  downloader: [...attemptOf('collect', 1), ...attemptOf('download', 2, [['store', 1, 'download']])],
  'dmca-worker': attemptOf('dmca', 1, [['store', 1, 'dmca']]),
  'ai-worker': attemptOf('ai', 1, [
    ['store', 1, 'ai stores the analysis', 'full'],
    ['store', 2, 'ai stores the caption'],
  ]),
  'instagram-poster': [
    ['claim', 1, 'post'],
    ['store', 1, 'post creates the containers of the files', 'full'],
    ['store', 2, 'post creates the container'],
    ['commit', 1, 'post waits', 'full'],
    ['claim', 2, 'post continues', 'full'],
    ['intent', 1, 'post'],
    ['call', 1, 'post'],
    ['answer', 1, 'post'],
    ['commit', 2, 'post'],
  ],
};

/** After the response was lost: `reconcile` follows the attempts of `post`. */
const LOST_RESPONSE: Row[] = [
  ['claim', 3, 'reconcile'],
  ['commit', 3, 'reconcile'],
];

const SIDES = ['before', 'after'] as const;

/** Every boundary before and after its effect. The short form has each label once per stage. */
export function boundaries(full: boolean): Boundary[] {
  const expand = (service: Service, rows: readonly Row[], lostResponse: boolean): Boundary[] =>
    rows
      .filter(([, , , form]) => full || form !== 'full')
      .flatMap(([label, nth, part]) => SIDES.map((side): Boundary => ({ service, part, place: `${label}:${side}`, nth, lostResponse })));
  return [
    ...SERVICES.flatMap((service) => expand(service, BOUNDARIES[service], false)),
    ...expand('instagram-poster', LOST_RESPONSE, true),
  ];
}

export const nameOf = ({ service, part, place, nth }: Boundary): string => `${service} ${place}#${nth} (${part})`;

/** One item and the boundaries at which processes are killed while it is processed. */
export interface PlannedCase {
  kills: Boundary[];
  lostResponse: boolean;
}

/**
 * Distributes the boundaries over as few items as possible. Each process is killed at most once per item, because more kills would use up
 * the attempts of a job. The seed selects which kills coincide.
 */
export function planCases(boundaries: readonly Boundary[], random: SeededRandom): PlannedCase[] {
  const runs: PlannedCase[] = [];
  const takes = (run: PlannedCase, boundary: Boundary): boolean =>
    run.kills.every((kill) => kill.service !== boundary.service) && (!boundary.lostResponse || run.lostResponse);
  // The most constrained boundaries first.
  const shuffled = random.shuffled(boundaries);
  const services = countOf(boundaries);
  const weight = ({ service, lostResponse }: Boundary): number => (lostResponse ? 1e6 : 0) + (services.get(service) ?? 0);
  for (const boundary of shuffled.sort((a, b) => weight(b) - weight(a))) {
    const candidates = runs.filter((run) => takes(run, boundary));
    // A lost response changes the poster's path, so other boundaries of the poster need an item without it.
    const fitting = candidates.filter((run) => !run.lostResponse || boundary.lostResponse || boundary.service !== 'instagram-poster');
    const fewestKills = Math.min(...fitting.map((run) => run.kills.length));
    const emptiest = fitting.filter((run) => run.kills.length === fewestKills);
    const run = emptiest[Math.floor(random.next() * emptiest.length)];
    if (run) run.kills.push(boundary);
    else runs.push({ kills: [boundary], lostResponse: boundary.lostResponse });
  }
  return random.shuffled(runs);
}

function countOf(boundaries: readonly Boundary[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { service } of boundaries) counts.set(service, (counts.get(service) ?? 0) + 1);
  return counts;
}
