import type { DeadLetterEntry, Pipeline, PipelineStage, QuarantinedEntry, ReplayedAll } from '../api/pipeline.api';
import { APP_OF_STAGE, STAGES } from '../stages/stages';
import { LATER_SAMPLE_TIME, OTHER_SAMPLE_ID, SAMPLE_ID, SAMPLE_TIME, THIRD_SAMPLE_ID } from './item.sample';

const quiet = { waiting: 0, running: 0, postponed: 0, retrying: 0, deadLetters: 0, lag: 0, oldestWaitingSeconds: null };

const busyStage: PipelineStage = {
  stage: 'download',
  app: 'downloader',
  waiting: 4,
  running: 1,
  postponed: 0,
  retrying: 1,
  deadLetters: 2,
  lag: 5,
  oldestWaitingSeconds: 42,
  workers: [
    {
      id: 'downloader@pod-1/17',
      alive: true,
      aliveSince: SAMPLE_TIME,
      lastSeenAt: LATER_SAMPLE_TIME,
      workingOn: [
        {
          jobId: THIRD_SAMPLE_ID,
          stage: 'download',
          itemId: SAMPLE_ID,
          title: 'Morning fog rolling over the valley',
          attempt: 1,
          startedAt: LATER_SAMPLE_TIME,
        },
      ],
    },
  ],
};

export const pipelineSample: Pipeline = {
  stages: STAGES.map((stage) => (stage === 'download' ? busyStage : { stage, app: APP_OF_STAGE[stage], ...quiet, workers: [] })),
  outbox: { waiting: 3, parked: 0, oldestSeconds: 2 },
  quarantined: 1,
  measuredAt: LATER_SAMPLE_TIME,
};

export const deadLetterEntrySample: DeadLetterEntry = {
  id: OTHER_SAMPLE_ID,
  stage: 'download',
  subject: { itemId: SAMPLE_ID, title: 'Morning fog rolling over the valley' },
  kind: 'transient',
  message: 'Reddit did not answer in time.',
  side: 'reddit',
  nextAction: 'It was tried 3 times; try it again by hand once the cause is gone.',
  attempts: 3,
  diedAt: SAMPLE_TIME,
  replayable: true,
};

export const deadLettersQuerySample = { stage: 'download', page: '1' };
export const replayAllBodySample = { stage: 'download' } as const;
export const replayedAllSample: ReplayedAll = { replayed: 2, refused: 0, left: 0 };

export const quarantinedEntrySample: QuarantinedEntry = {
  id: SAMPLE_ID,
  topic: 'pipeline.dmca.requested.v1',
  partition: 3,
  offset: '1204',
  reason: 'payload.jobId: Invalid UUID',
  text: '{"id":"…","type":"stage.requested"}',
  receivedAt: SAMPLE_TIME,
};
export const quarantineQuerySample = { page: '1' };
