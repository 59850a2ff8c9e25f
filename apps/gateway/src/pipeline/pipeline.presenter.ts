import { cutText } from '@autoposter/domain';
import { isItemStage, type DeadLetterEntry, type PipelineWorker, type QuarantinedEntry, type RunningJob } from '@autoposter/contracts';
import type { DeadLetterRow, QuarantinedMessage, RunningJobRow, WorkerHeartbeat } from '@autoposter/persistence';
import { SILENT_AFTER_SECONDS } from '@autoposter/job-engine';

/** Longest part of an unreadable message that is shown, in characters. */
const TEXT_LIMIT = 2000;

export const presentDeadLetter = (row: DeadLetterRow): DeadLetterEntry => ({
  id: row.id,
  stage: row.stage,
  subject: { itemId: row.itemId, title: row.title ?? 'Untitled' },
  kind: row.failure?.kind ?? 'internal',
  message: row.failure?.message ?? 'It failed without a word.',
  side: row.failure?.side ?? 'ours',
  nextAction: row.failure?.nextAction ?? 'Look at the server log of that time.',
  attempts: row.attempts,
  diedAt: row.diedAt.toISOString(),
  replayable: isItemStage(row.stage),
});

export const presentQuarantined = ({
  id,
  topic,
  partition,
  messageOffset,
  body,
  reason,
  receivedAt,
}: QuarantinedMessage): QuarantinedEntry => ({
  id,
  topic,
  partition,
  offset: messageOffset,
  reason,
  text: cutText(body, TEXT_LIMIT),
  receivedAt: receivedAt.toISOString(),
});

/** A worker as one of its stages shows it: with what it works on there. */
export const presentWorker = (worker: WorkerHeartbeat & { silentSeconds: number }, runs: readonly RunningJobRow[]): PipelineWorker => ({
  id: worker.id,
  alive: worker.silentSeconds <= SILENT_AFTER_SECONDS,
  aliveSince: worker.since.toISOString(),
  lastSeenAt: worker.seenAt.toISOString(),
  workingOn: runs.filter((run) => run.leaseOwner === worker.id).map(presentRun),
});

const presentRun = (run: RunningJobRow): RunningJob => ({
  jobId: run.id,
  stage: run.stage,
  itemId: run.itemId,
  title: run.title,
  attempt: Math.max(1, run.attempts),
  startedAt: run.startedAt.toISOString(),
});
