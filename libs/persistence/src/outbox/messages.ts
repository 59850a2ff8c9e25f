import { type DeadLetter, type Envelope, type StageRequest, topics } from '@autoposter/contracts';
import { cutText, type Failure } from '@autoposter/domain';
import { v7 as uuidv7 } from 'uuid';
import type { StageJob } from '../stage-job/stage-job.entity';

export interface OutgoingRow {
  topic: string;
  key: string;
  envelope: Envelope;
}

/** The message that announces a requested job. */
export const requestMessage = (job: StageJob): OutgoingRow => ({
  topic: topics.requested[job.stage].name,
  key: job.messageKey,
  envelope: {
    ...headerOf(job),
    type: 'stage.requested',
    payload: { stage: job.stage, jobId: job.id, turn: job.requestNumber },
  } satisfies StageRequest,
});

/** A copy of a dead job for readers of the topic. */
export const deadLetterMessage = (job: StageJob, { kind, message }: Failure, step: string | null): OutgoingRow => ({
  topic: topics.dead[job.stage].name,
  key: job.subjectId,
  envelope: {
    ...headerOf(job),
    type: 'stage.dead',
    payload: { stage: job.stage, jobId: job.id, attempts: job.attempts, kind, step, message: cutText(message, 500) },
  } satisfies DeadLetter,
});

const headerOf = ({ subjectId, correlationId, causationId, traceparent }: StageJob) => ({
  id: uuidv7(),
  occurredAt: new Date().toISOString(),
  subjectId,
  correlationId,
  causationId,
  traceparent,
});
