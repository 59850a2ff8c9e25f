import type { Fact } from '../events/fact';
import type { DeadLetter, StageRequest } from '../events/stage-request';
import type { Stage } from '../stages/stages';
import { OTHER_SAMPLE_ID, SAMPLE_ID, SAMPLE_TIME, THIRD_SAMPLE_ID } from './item.sample';

const frame = {
  id: THIRD_SAMPLE_ID,
  occurredAt: SAMPLE_TIME,
  subjectId: SAMPLE_ID,
  correlationId: OTHER_SAMPLE_ID,
  causationId: null,
  traceparent: null,
};

export const stageRequestSample = (stage: Stage): StageRequest => ({
  ...frame,
  type: 'stage.requested',
  payload: { stage, jobId: OTHER_SAMPLE_ID, turn: 1 },
});

export const deadLetterSample = (stage: Stage): DeadLetter => ({
  ...frame,
  type: 'stage.dead',
  payload: { stage, jobId: OTHER_SAMPLE_ID, attempts: 5, kind: 'transient', step: 'fetch-media', message: 'The source did not answer.' },
});

export const factSample: Fact = {
  ...frame,
  type: 'dmca.completed',
  payload: { seq: 42, itemId: SAMPLE_ID, stage: 'dmca', state: 'protected', reason: null },
};
