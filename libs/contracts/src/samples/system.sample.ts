import type { AuditEntryView } from '../api/audit-log.api';
import type { CurrentUserResponse, User } from '../api/auth.api';
import type { Health } from '../api/health.api';
import type { LiveFact } from '../api/live.api';
import type { AllLogsResponse, BrowserLog, BrowserLogsResponse, LogLinesResponse } from '../api/logs.api';
import type { AiProviderStatus, FailureCause, FailureEntry, Overview } from '../api/overview.api';
import type { DeadLetterEntry, Pipeline, PipelineStage, QuarantinedEntry, ReplayedAll } from '../api/pipeline.api';
import type { CancelledRun } from '../api/runs.api';
import type { ScheduledTask, SchedulerStatistics, SchedulerStatus } from '../api/scheduler.api';
import type { DeadLetter, Fact, StageRequest } from '../messages';
import { APP_OF_STAGE, ITEM_STAGES, STAGES, type ItemStage, type Stage } from '../stages/stages';
import { LATER_SAMPLE_TIME, OTHER_SAMPLE_ID, SAMPLE_ID, SAMPLE_TIME, THIRD_SAMPLE_ID } from './items.sample';

export const auditLogQuerySample = { action: 'queue.interval', page: '1' };

export const auditEntrySample: AuditEntryView = {
  id: SAMPLE_ID,
  actor: 'admin@example.com',
  action: 'queue.interval',
  subject: null,
  detail: {},
  before: { intervalMinutes: 120 },
  after: { intervalMinutes: 90 },
  requestId: '7d0c2a54-6d0e-4c55-9a53-6f1f2f8f0a11',
  at: SAMPLE_TIME,
};

const userSample: User = { name: 'Ada Admin', email: 'ada@example.com', avatar: null };
export const currentUserSample: CurrentUserResponse = { success: true, user: userSample, token: 'session-token' };
export const signInQuerySample = { returnTo: '/admin/processed?view=reels' };

export const healthSample: Health = { status: 'healthy', database: 'connected', uptime: 93784 };

export const liveFactSample: LiveFact = {
  seq: 42,
  type: 'dmca.completed',
  subjectId: SAMPLE_ID,
  itemId: SAMPLE_ID,
  stage: 'dmca',
  state: 'protected',
  reason: null,
  occurredAt: SAMPLE_TIME,
};
export const eventsQuerySample = { lastEventId: '41' };

export const logLinesSample: LogLinesResponse = {
  success: true,
  logs: ['2026-11-21T09:00:00.000Z INFO gateway listening', '2026-11-21T09:00:01.000Z ERROR dmca-worker lost the database'],
};

const browserLogSample: BrowserLog = { level: 'warn', message: 'Slow answer', source: '/admin/urls', timestamp: SAMPLE_TIME };
export const browserLogsSample: BrowserLogsResponse = { success: true, logs: [browserLogSample] };
export const allLogsSample: AllLogsResponse = {
  success: true,
  serverLogs: logLinesSample.logs,
  browserLogs: [browserLogSample],
  errorLogs: logLinesSample.logs.slice(1),
};
export const browserLogsBodySample = { batch: true, logs: [browserLogSample] };
export const linesQuerySample = { lines: '200' };
export const processLogsQuerySample = { lines: '200', type: 'error' };

export const aiProviderSample: AiProviderStatus = {
  provider: 'gemini',
  name: 'Gemini',
  model: 'gemini-3.8-flash',
  used: 37,
  limit: 50,
  resetsAt: LATER_SAMPLE_TIME,
  problem: null,
};

type StageCounts = Overview['stages'][ItemStage];

/** 2 waiting, 1 running and 1 failed in the first stage; more waiting and nothing failed in the later ones. */
const stageCountsSample = (index: number): StageCounts => ({ waiting: 2 + index, running: index < 2 ? 1 : 0, failed: index === 0 ? 1 : 0 });

export const overviewSample: Overview = {
  stages: {
    ...(Object.fromEntries(ITEM_STAGES.map((stage, index) => [stage, stageCountsSample(index)])) as Record<ItemStage, StageCounts>),
    ready: 12,
    queued: 5,
    posted: 48,
  },
  aiQuota: { used: 37, limit: 50 },
  aiProviders: [aiProviderSample],
  unseenFailures: 1,
  publishingPaused: false,
  pausedAccounts: [],
};

export const failureEntrySample: FailureEntry = {
  id: OTHER_SAMPLE_ID,
  kind: 'item',
  title: 'Morning fog rolling over the valley',
  platform: 'reddit',
  stage: 'download',
  code: 'not_found',
  message: 'Reddit no longer has the video.',
  nextAction: 'Open the post and check that it is still there.',
  occurredAt: SAMPLE_TIME,
};

export const failuresSample = { unseen: 1, failures: [failureEntrySample] };
export const failureCauseSample: FailureCause = {
  cause: 'instagram_value_refused/100',
  count: 8,
  title: 'Morning fog rolling over the valley',
  occurredAt: SAMPLE_TIME,
  step: 'post',
  message: 'Instagram did not accept a value.',
  side: 'ours',
  nextAction: 'This is a defect of Autoposter; report it with the details of this failure.',
  details: { status: 400, code: 100, subcode: null },
};
export const retryFailuresBodySample = { cause: 'instagram_value_refused/100' };
export const failuresSeenBodySample = { ids: [OTHER_SAMPLE_ID] };

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
  waitingBySource: [
    { source: null, forPerson: true, waiting: 1 },
    { source: 'r/aww', forPerson: false, waiting: 3 },
  ],
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

export const cancelledRunSample: CancelledRun = { returned: 41, running: 2 };

const scheduledTaskSample: ScheduledTask = {
  id: 'plan-queue',
  description: 'Assigns slots to queued posts and posts the one that is due.',
  runCount: 120,
  lastRun: SAMPLE_TIME,
  hasErrors: false,
  lastError: null,
  nextRun: '2026-11-21T09:05:00.000Z',
  recentRuns: [{ startedAt: SAMPLE_TIME, durationMs: 180, ok: true }],
};

const failingTaskSample: ScheduledTask = {
  id: 'check-account',
  description: 'Checks whether the Instagram token still works.',
  runCount: 3,
  lastRun: SAMPLE_TIME,
  hasErrors: true,
  lastError: { timestamp: SAMPLE_TIME, error: 'The token expired' },
  nextRun: null,
  recentRuns: [
    { startedAt: SAMPLE_TIME, durationMs: 1200, ok: false },
    { startedAt: SAMPLE_TIME, durationMs: 90, ok: true },
  ],
};

export const schedulerStatusSample: SchedulerStatus = {
  isRunning: true,
  intervalMinutes: 5,
  registeredTasks: 2,
  tasks: [scheduledTaskSample, failingTaskSample],
};

export const schedulerStatisticsSample: SchedulerStatistics = { totalTasks: 2, totalRuns: 123, totalErrors: 1, averageRunsPerTask: 61.5 };

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
