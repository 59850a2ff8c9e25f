import type { QueueStatus } from '@autoposter/contracts';

/** A status table: from each status the statuses that may follow. A status without successors is terminal. */
export type TransitionTable<S extends string> = Readonly<Record<S, readonly S[]>>;

export const canTransition = <S extends string>(table: TransitionTable<S>, from: S, to: S): boolean => table[from].includes(to);

/** The statuses that no transition reaches; the wiring check requires an empty list. */
export function unreachableStatuses<S extends string>(table: TransitionTable<S>, initial: readonly S[]): S[] {
  const reached = new Set<S>(initial);
  const open = [...initial];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const to of table[from]) {
      if (!reached.has(to)) {
        reached.add(to);
        open.push(to);
      }
    }
  }
  return (Object.keys(table) as S[]).filter((status) => !reached.has(status));
}

export const INITIAL_QUEUE_STATUSES: readonly QueueStatus[] = ['pending', 'posting'];

/**
 * `posting` to `cancelled`: cancelled before anything was sent. `failed` to `pending`: retried by a person.
 * To `posted` from both: an answer that names the post arrived afterwards.
 */
export const QUEUE_TRANSITIONS: TransitionTable<QueueStatus> = {
  pending: ['scheduled', 'posting', 'cancelled'],
  scheduled: ['pending', 'posting', 'cancelled', 'failed'],
  posting: ['posted', 'failed', 'cancelled'],
  posted: [],
  failed: ['pending', 'posted'],
  cancelled: ['posted'],
};

/** States of one publish attempt: the ledger that prevents publishing twice. `abandoned`: a person cancelled it in time. */
export type AttemptState = 'open' | 'container' | 'intent' | 'unknown' | 'published' | 'failed' | 'abandoned';

export const INITIAL_ATTEMPT_STATES: readonly AttemptState[] = ['open'];

/**
 * No transition from `intent` or `unknown` publishes again without a check of the platform. `failed` and `abandoned` to `published`: an answer
 * that names the post arrived afterwards.
 */
export const ATTEMPT_TRANSITIONS: TransitionTable<AttemptState> = {
  open: ['container', 'unknown', 'failed', 'abandoned'],
  container: ['intent', 'open', 'unknown', 'failed', 'abandoned'],
  intent: ['published', 'unknown', 'container'],
  unknown: ['published', 'container', 'failed'],
  published: [],
  failed: ['published'],
  abandoned: ['published'],
};
