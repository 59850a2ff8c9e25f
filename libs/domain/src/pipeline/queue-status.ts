import type { QueueStatus } from '@autoposter/contracts';
import type { TransitionTable } from './transitions';

export const INITIAL_QUEUE_STATUSES: readonly QueueStatus[] = ['pending', 'posting'];

/** `posting` back to `scheduled`: the platform said that nothing was published and names a time to come back. */
export const QUEUE_TRANSITIONS: TransitionTable<QueueStatus> = {
  pending: ['scheduled', 'posting', 'cancelled', 'failed'],
  scheduled: ['pending', 'posting', 'cancelled', 'failed'],
  posting: ['posted', 'failed', 'scheduled'],
  posted: [],
  failed: [],
  cancelled: [],
};

/** States of one attempt to publish: the ledger that keeps a post from going out twice. */
export const ATTEMPT_STATES = ['open', 'container', 'intent', 'unknown', 'published', 'failed'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export const INITIAL_ATTEMPT_STATES: readonly AttemptState[] = ['open'];

/** Out of `intent` and `unknown` leads no way that publishes again without a look at the platform. */
export const ATTEMPT_TRANSITIONS: TransitionTable<AttemptState> = {
  open: ['container', 'failed'],
  container: ['intent', 'open', 'failed', 'published'],
  intent: ['published', 'unknown', 'container'],
  unknown: ['published', 'container', 'failed'],
  published: [],
  failed: [],
};
