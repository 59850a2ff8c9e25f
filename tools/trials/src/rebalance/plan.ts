import type { TrialArguments } from '../trial';

export interface Plan {
  jobs: number;
  seed: number;
  full: boolean;
  /** Time of one job, between these. */
  shortestMs: number;
  longestMs: number;
  leaseSeconds: number;
  sessionMs: number;
  slots: number;
  /** Members that stand before the first job is asked for; as many stay while one joins and one leaves at each turn. */
  members: number;
  turnMs: number;
  /** After this long whatever is left counts as lost. */
  deadlineMs: number;
}

const FULL: Omit<Plan, 'seed' | 'full'> = {
  jobs: 40,
  shortestMs: 10_000,
  longestMs: 25_000,
  leaseSeconds: 6,
  sessionMs: 6_000,
  slots: 3,
  members: 4,
  turnMs: 5_000,
  deadlineMs: 600_000,
};

const SHORT: Omit<Plan, 'seed' | 'full'> = {
  ...FULL,
  jobs: 12,
  shortestMs: 2_000,
  longestMs: 5_000,
  slots: 2,
  members: 2,
  turnMs: 4_000,
  deadlineMs: 180_000,
};

export function planOf({ n, seed, full }: TrialArguments): Plan {
  const base = full ? FULL : SHORT;
  return { ...base, seed, full, jobs: n ?? base.jobs };
}
