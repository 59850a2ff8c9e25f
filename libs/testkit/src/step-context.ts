import type { FailureKind } from '@autoposter/contracts';
import { PipelineError } from '@autoposter/domain';
import type { StepContext } from '@autoposter/job-engine';
import { silentLogger } from '@autoposter/observability';

/** The context of a step that runs without an engine. */
export const stepContext = (change: Partial<StepContext> = {}): StepContext => ({
  signal: new AbortController().signal,
  workFolder: '/nonexistent',
  jobId: 'job-1',
  fence: 1,
  subjectId: 'subject-1',
  attempt: 1,
  forPerson: false,
  now: new Date('2026-05-01T10:00:00Z'),
  logger: silentLogger,
  assertHeld: () => undefined,
  noteStored: () => undefined,
  checkpoint: undefined,
  saveCheckpoint: () => Promise.resolve(),
  ...change,
});

/** A tool method that throws a failure of this kind. */
export const failing = (kind: FailureKind) => (): Promise<never> =>
  Promise.reject(new PipelineError({ code: 'reddit_failed', kind, message: `It is ${kind}.`, side: 'reddit', nextAction: 'Wait.' }));
