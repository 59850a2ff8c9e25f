import type { QueueStatus } from '@autoposter/contracts';
import type { TransitionTable } from './transitions';

export const INITIAL_QUEUE_STATUSES: readonly QueueStatus[] = ['pending', 'posting'];

/** `posting` to `cancelled`: taken back before anything was sent. `failed` to `pending`: tried again by a person. */
export const QUEUE_TRANSITIONS: TransitionTable<QueueStatus> = {
  pending: ['scheduled', 'posting', 'cancelled'],
  scheduled: ['pending', 'posting', 'cancelled', 'failed'],
  posting: ['posted', 'failed', 'cancelled'],
  posted: [],
  failed: ['pending'],
  cancelled: [],
};

/** States of one attempt to publish: the ledger that keeps a post from going out twice. `abandoned`: a person took it back in time. */
export const ATTEMPT_STATES = ['open', 'container', 'intent', 'unknown', 'published', 'failed', 'abandoned'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export const INITIAL_ATTEMPT_STATES: readonly AttemptState[] = ['open'];

/** Out of `intent` and `unknown` leads no way that publishes again without a look at the platform. */
export const ATTEMPT_TRANSITIONS: TransitionTable<AttemptState> = {
  open: ['container', 'failed', 'abandoned'],
  container: ['intent', 'open', 'failed', 'abandoned'],
  intent: ['published', 'unknown', 'container'],
  unknown: ['published', 'container', 'failed'],
  published: [],
  failed: [],
  abandoned: [],
};
