import { failureOf, POSTED_AS, SCHEDULER_ACTOR } from '@autoposter/domain';
import { PUBLISH_STAGE } from '@autoposter/contracts';
import { Injectable } from '@nestjs/common';
import { Database, type PublishAttempt, type UnitOfWork } from '@autoposter/persistence';
import { lastCallOf, requestReconcile, settlePublished, settleUnpublished } from '@autoposter/workflow';
import { forEachSubject, type RecurringTask } from '../recurring-task';

const BATCH = 20;

@Injectable()
export class ScheduleReconciliationTask implements RecurringTask {
  readonly id = 'schedule-reconciliation';
  readonly description = 'Reconciles unknown publish outcomes and ends publish attempts without an open job.';
  readonly everySeconds = 5;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    const due = await this.database.read.attempts.idsToReconcile(BATCH);
    await forEachSubject(due, (id) => this.database.unitOfWork((uow) => this.reconcile(uow, id)));
  }

  private async reconcile(uow: UnitOfWork, id: string): Promise<void> {
    const attempt = await uow.attempts.findForUpdate(id);
    if (attempt === null) return;
    const isUnidentified = attempt.state === 'published' && attempt.mediaId === null;
    if (attempt.state === 'unknown' || isUnidentified) await requestReconcile(uow, attempt, { actor: SCHEDULER_ACTOR });
    if (attempt.state === 'failed' || attempt.state === 'abandoned') return this.settleLateAnswer(uow, attempt);
    if (['published', 'unknown'].includes(attempt.state) || (await uow.jobs.findOpen(PUBLISH_STAGE, id)) !== null) return;
    const failure = failureOf('publish_lost', { retried: false });
    const became = await settleUnpublished(uow, attempt, failure, { actor: SCHEDULER_ACTOR });
    if (became.state === 'posting') return;
    uow.history.append({
      type: `${PUBLISH_STAGE}.failed`,
      subjectId: id,
      itemId: attempt.itemId,
      stage: PUBLISH_STAGE,
      ...became,
      actor: SCHEDULER_ACTOR,
    });
  }

  /** The attempt had ended without a post, and then an answer named one: a worker was frozen in the call. */
  private async settleLateAnswer(uow: UnitOfWork, attempt: PublishAttempt): Promise<void> {
    const { id, itemId, kind, answeredMediaId: mediaId } = attempt;
    const calledAt = lastCallOf(attempt);
    if (mediaId === null || (await uow.attempts.ofItems([itemId])).get(itemId)?.state === 'published') return;
    const facts = { mediaId, mediaType: POSTED_AS[kind], publishedAt: calledAt ?? undefined };
    await settlePublished(uow, attempt, facts, 'answer');
    uow.history.append({
      type: `${PUBLISH_STAGE}.completed`,
      subjectId: id,
      itemId,
      stage: PUBLISH_STAGE,
      state: 'posted',
      actor: SCHEDULER_ACTOR,
    });
  }
}
