import type { Failure } from '@autoposter/domain';

const LOOKED_UP = 'Nothing for now: it is looked up by itself.';

export const diedInCall = (step: string): Failure => ({
  kind: 'unknown_outcome',
  message: `The worker stopped while it waited for the answer of "${step}"; nobody knows whether it happened.`,
  side: 'ours',
  nextAction: LOOKED_UP,
});

export const noAnswer = (step: string): Failure => ({
  kind: 'unknown_outcome',
  message: `"${step}" gave no answer; nobody knows whether it happened.`,
  side: 'ours',
  nextAction: LOOKED_UP,
});

export const usedUp = (attempts: number): Failure => ({
  kind: 'internal',
  message: `The work was started ${attempts} times and never came to an end; its content may bring the worker down.`,
  side: 'ours',
  nextAction: 'Look at the server log of that time; replay it once the cause is gone.',
});

export const tookTooLong = (timeoutMs: number): Failure => ({
  kind: 'transient',
  message: `The work took longer than ${Math.round(timeoutMs / 1000)} seconds and was stopped.`,
  side: 'ours',
  nextAction: 'Nothing: it is tried again by itself.',
});

export const databaseAway: Failure = {
  kind: 'transient',
  message: 'The database went away while the work was done.',
  side: 'ours',
  nextAction: 'Nothing: it is tried again by itself.',
};
