import type { JobState } from '@autoposter/contracts';
import type { Failure, TransitionTable } from '@autoposter/domain';

/** `dead` to `requested` is a replay. */
export const JOB_TRANSITIONS: TransitionTable<JobState> = {
  requested: ['running', 'cancelled', 'dead'],
  running: ['running', 'waiting', 'retrying', 'done', 'dead', 'cancelled'],
  waiting: ['requested', 'cancelled'],
  retrying: ['requested', 'cancelled'],
  done: [],
  dead: ['requested'],
  cancelled: [],
};

/** How one run of a job ended; the newest last, at most twenty kept. */
export interface JobEnding {
  at: string;
  attempt: number;
  outcome: 'retrying' | 'dead' | 'released' | 'unknown';
  step: string | null;
  failure: Pick<Failure, 'kind' | 'message'> | null;
}
