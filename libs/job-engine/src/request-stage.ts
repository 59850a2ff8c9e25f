import { v7 as uuidv7 } from 'uuid';
import { type Stage, STAGE_ATTEMPTS, type StageRequest, topics } from '@autoposter/contracts';
import { currentTraceparent } from '@autoposter/observability';
import type { NewJob, StageJob, Statement, UnitOfWork } from '@autoposter/persistence';

export interface StageRequestOptions {
  stage: Stage;
  /** Item, collect run or publish attempt, by the stage. */
  subjectId: string;
  itemId: string | null;
  /** Key of the message: item id, subreddit id or account id, by the stage. */
  key: string;
  maxAttempts?: number;
  /** Decisions that the run needs and no row holds. */
  options?: Record<string, unknown>;
  correlationId?: string;
  causationId?: string | null;
  /** A person waits for the result: the job goes before automatic ones. */
  forPerson?: boolean;
  /** Who asked: an e-mail address, or `system`. */
  actor: string;
  /** The trace that the ask belongs to where no span is open here: what the scheduler sends later was asked for in it. */
  traceparent?: string | null;
  /** The job waits until then, for the reason in `waitReason`; unless given, it is requested at once. */
  dueAt?: Date;
  waitReason?: string;
  /** State of the subject after this ask, for the history. */
  state?: string | null;
}

export type StageRequestResult = { accepted: true; job: StageJob } | { accepted: false; job: StageJob | null };

/**
 * Asks for one run of a stage. `accepted` is false where a run of this stage is open for the subject; then nothing is written. With `move`,
 * a write of the subject that goes with it, also where that write found nothing to do.
 */
export async function requestStage(uow: UnitOfWork, ask: StageRequestOptions, move?: Statement): Promise<StageRequestResult> {
  const correlationId = ask.correlationId ?? uuidv7();
  const wanted: NewJob = {
    stage: ask.stage,
    subjectId: ask.subjectId,
    itemId: ask.itemId,
    messageKey: ask.key,
    maxAttempts: ask.maxAttempts ?? STAGE_ATTEMPTS[ask.stage],
    options: ask.options ?? {},
    forPerson: ask.forPerson ?? false,
    correlationId,
    causationId: ask.causationId ?? null,
    traceparent: currentTraceparent() ?? ask.traceparent ?? null,
    ...(ask.dueAt === undefined ? {} : { state: 'waiting', dueAt: ask.dueAt, waitReason: ask.waitReason ?? null }),
  };
  const job = move ? await uow.jobs.createWith(move, wanted) : await uow.jobs.create(wanted);
  if (job === null) return { accepted: false, job: await uow.jobs.findOpen(ask.stage, ask.subjectId) };
  if (ask.dueAt === undefined) await announce(uow, [job]);
  uow.history.append({
    type: `${ask.stage}.requested`,
    subjectId: ask.subjectId,
    itemId: ask.itemId,
    stage: ask.stage,
    state: ask.state ?? null,
    correlationId,
    actor: ask.actor,
    traceparent: ask.traceparent ?? null,
  });
  return { accepted: true, job };
}

/** Leaves the request messages of these jobs' current turns in the outbox. */
export async function announce(uow: UnitOfWork, jobs: readonly StageJob[]): Promise<void> {
  await uow.outbox.add(jobs.map((job) => ({ topic: topics.requested[job.stage].name, key: job.messageKey, envelope: requestOf(job) })));
}

const requestOf = (job: StageJob): StageRequest => ({
  id: uuidv7(),
  type: 'stage.requested',
  occurredAt: new Date().toISOString(),
  subjectId: job.subjectId,
  correlationId: job.correlationId,
  causationId: job.causationId,
  traceparent: job.traceparent,
  payload: { stage: job.stage, jobId: job.id, turn: job.turn },
});

/** Requested and untaken for this many seconds although its message was sent: the message counts as lost. */
export const LOST_AFTER_SECONDS = 60;

/** Asks again for the runs whose waiting or retry time has come: a new turn, a new message. Answers how many. */
export async function fireDue(uow: UnitOfWork, limit = 200): Promise<number> {
  const jobs = await uow.jobs.requestDue(limit);
  await announce(uow, jobs);
  return jobs.length;
}

/** Sends the message of a requested job again (same turn) where nobody took it: after a topic was lost, or its offsets were moved. */
export async function sweepLost(uow: UnitOfWork, limit = 200, seconds = LOST_AFTER_SECONDS): Promise<number> {
  const jobs = await uow.jobs.sweepRequested(seconds, limit);
  await announce(uow, jobs);
  return jobs.length;
}
