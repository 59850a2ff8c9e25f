import { randomUUID } from 'node:crypto';
import { STAGE_ATTEMPTS } from '@autoposter/contracts';
import { currentTraceparent } from '@autoposter/observability';
import { MESSAGE_LOST_AFTER_SECONDS, type NewJob, type StageJob, type SubjectWrite, type UnitOfWork } from '@autoposter/persistence';

/** A new job; missing values are the defaults of `StageJob`. */
export interface StageRequestOptions
  extends
    Pick<StageJob, 'stage' | 'subjectId' | 'itemId'>,
    Partial<Pick<StageJob, 'maxAttempts' | 'options' | 'forPerson' | 'burstPlace' | 'correlationId' | 'causationId'>> {
  /** Message key: id of the item, subreddit or account, depending on the stage. */
  key: string;
  /** An e-mail address, or `system`. */
  actor: string;
  /** Trace of the original request, used if no span is active here (the scheduler sends requests later). */
  traceparent?: string | null;
  /** The job waits until then, with `waitReason`; by default it is requested at once. */
  dueAt?: Date;
  waitReason?: string;
  /** State of the subject after this request, for the history. */
  state?: string | null;
}

export type StageRequestResult = { accepted: true; job: StageJob } | { accepted: false; job: StageJob | null };

/**
 * Creates a job of a stage and announces it. Not accepted, and nothing is written, if the subject has an open job of this stage or
 * if `write`, the move or the insertion of the item in the same statement, is refused.
 */
export async function requestStage(uow: UnitOfWork, request: StageRequestOptions, write?: SubjectWrite): Promise<StageRequestResult> {
  const correlationId = request.correlationId ?? randomUUID();
  const newJob: NewJob = {
    stage: request.stage,
    subjectId: request.subjectId,
    itemId: request.itemId,
    messageKey: request.key,
    maxAttempts: request.maxAttempts ?? STAGE_ATTEMPTS[request.stage],
    options: request.options ?? {},
    forPerson: request.forPerson ?? false,
    burstPlace: request.burstPlace ?? 0,
    correlationId,
    causationId: request.causationId ?? null,
    traceparent: currentTraceparent() ?? request.traceparent ?? null,
    ...(request.dueAt === undefined ? {} : { state: 'waiting', dueAt: request.dueAt, waitReason: request.waitReason ?? null }),
  };
  const job = write ? await uow.jobs.createWith(write, newJob) : await uow.jobs.create(newJob);
  if (job === null) return { accepted: false, job: await uow.jobs.findOpen(request.stage, request.subjectId) };
  if (request.dueAt === undefined) uow.outbox.request([job]);
  uow.history.append({
    type: `${request.stage}.requested`,
    subjectId: request.subjectId,
    itemId: request.itemId,
    stage: request.stage,
    state: request.state ?? null,
    correlationId,
    actor: request.actor,
    traceparent: request.traceparent ?? null,
  });
  return { accepted: true, job };
}

/** Requests the waiting and retrying jobs that are due, each with the next request number. Returns their number. */
export async function fireDue(uow: UnitOfWork, limit = 200): Promise<number> {
  const jobs = await uow.jobs.requestDue(limit);
  uow.outbox.request(jobs);
  return jobs.length;
}

/**
 * Where requests are published, resends the message of requested jobs that no worker claimed, for example after a topic was lost or its offsets
 * were moved: without a message they do not count as lag, and nothing starts a worker for them.
 */
export async function sweepLost(uow: UnitOfWork, limit = 200, seconds = MESSAGE_LOST_AFTER_SECONDS): Promise<number> {
  if (!uow.outbox.publishesRequests) return 0;
  const jobs = await uow.jobs.sweepRequested(seconds, limit);
  uow.outbox.request(jobs);
  return jobs.length;
}
