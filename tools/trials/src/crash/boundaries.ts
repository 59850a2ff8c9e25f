import type { FaultLabel, FaultPlace } from '@autoposter/job-engine';

export const CRASHED_SERVICES = ['gateway', 'downloader', 'dmca-worker', 'ai-worker', 'instagram-poster'] as const;
export type CrashedService = (typeof CRASHED_SERVICES)[number];

/** One place where a process is killed while an item is on its way. */
export interface Boundary {
  service: CrashedService;
  /** Which part of the way it belongs to. */
  part: string;
  place: FaultPlace;
  /** The how-manieth time that the process gets there while the item is on its way. */
  nth: number;
  /** Only reached where Instagram's answer is lost and the outcome has to be looked up. */
  lostAnswer: boolean;
}

type Row = [label: FaultLabel, nth: number, part: string, form?: 'full'];

/**
 * The way of one item in the order of each process. A start is told to the world as well, so each run of a stage leaves two batches in the
 * outbox. `post` runs twice: the first run makes the container and waits for it. What is marked `full` is the same boundary once more.
 */
const WAY: Record<CrashedService, Row[]> = {
  gateway: [
    ['commit', 1, 'clock plans the subreddit run', 'full'],
    ['commit', 2, 'clock sends the queued post'],
    ['commit', 3, 'clock wakes the waiting post', 'full'],
    ['outbox', 1, 'clock'],
    ['send', 1, 'clock'],
    ['outbox', 2, 'clock', 'full'],
    ['send', 2, 'clock', 'full'],
  ],
  downloader: [
    ['claim', 1, 'collect'],
    ['commit', 1, 'collect'],
    ['outbox', 1, 'collect', 'full'],
    ['send', 1, 'collect', 'full'],
    ['outbox', 2, 'collect'],
    ['send', 2, 'collect'],
    ['settle', 1, 'collect'],
    ['claim', 2, 'download'],
    ['store', 1, 'download'],
    ['commit', 2, 'download'],
    ['outbox', 3, 'download', 'full'],
    ['send', 3, 'download', 'full'],
    ['outbox', 4, 'download'],
    ['send', 4, 'download'],
    ['settle', 2, 'download'],
  ],
  'dmca-worker': [
    ['claim', 1, 'dmca'],
    ['store', 1, 'dmca'],
    ['commit', 1, 'dmca'],
    ['outbox', 1, 'dmca', 'full'],
    ['send', 1, 'dmca', 'full'],
    ['outbox', 2, 'dmca'],
    ['send', 2, 'dmca'],
    ['settle', 1, 'dmca'],
  ],
  'ai-worker': [
    ['claim', 1, 'ai'],
    ['store', 1, 'ai describes', 'full'],
    ['store', 2, 'ai writes'],
    ['commit', 1, 'ai'],
    ['outbox', 1, 'ai', 'full'],
    ['send', 1, 'ai', 'full'],
    ['outbox', 2, 'ai'],
    ['send', 2, 'ai'],
    ['settle', 1, 'ai'],
  ],
  'instagram-poster': [
    ['claim', 1, 'post'],
    ['store', 1, 'post makes the containers of the files', 'full'],
    ['store', 2, 'post makes the container'],
    ['commit', 1, 'post waits', 'full'],
    ['settle', 1, 'post waits', 'full'],
    ['claim', 2, 'post goes on', 'full'],
    ['intent', 1, 'post'],
    ['call', 1, 'post'],
    ['answer', 1, 'post'],
    ['commit', 2, 'post'],
    ['outbox', 1, 'post', 'full'],
    ['send', 1, 'post', 'full'],
    ['outbox', 2, 'post'],
    ['send', 2, 'post'],
    ['settle', 2, 'post'],
  ],
};

/** After the answer was lost: the runs of `post` are over, `reconcile` looks. */
const LOST_ANSWER: Row[] = [
  ['claim', 3, 'reconcile'],
  ['commit', 3, 'reconcile'],
  ['settle', 3, 'reconcile'],
];

const SIDES = ['before', 'after'] as const;

/** Every boundary that an item passes, both sides. The short form has each label once per stage. */
export function boundaries(full: boolean): Boundary[] {
  const expand = (service: CrashedService, rows: readonly Row[], lostAnswer: boolean): Boundary[] =>
    rows
      .filter(([, , , form]) => full || form !== 'full')
      .flatMap(([label, nth, part]) => SIDES.map((side): Boundary => ({ service, part, place: `${label}:${side}`, nth, lostAnswer })));
  return [...CRASHED_SERVICES.flatMap((service) => expand(service, WAY[service], false)), ...expand('instagram-poster', LOST_ANSWER, true)];
}

export const nameOf = ({ service, part, place, nth }: Boundary): string => `${service} ${place}#${nth} (${part})`;
