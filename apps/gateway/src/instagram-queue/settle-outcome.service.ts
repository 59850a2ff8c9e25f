import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { PUBLISH_STAGE, type SettleBody } from '@autoposter/contracts';
import { failureOf, POSTED_AS } from '@autoposter/domain';
import { Database, type PublishAttempt, type UnitOfWork } from '@autoposter/persistence';
import { settleUnpublished, settlePublished } from '@autoposter/workflow';

/** A call whose answer was lost may still bring a post out for a while. */
const MAY_STILL_COME_MS = 10 * 60_000;

/** A person's word on a post of which nobody knows whether it is out. Nothing is posted here: an absent post is ready to be queued again, unless it was claimed meanwhile. */
@Injectable()
export class SettleOutcomeService {
  constructor(private readonly database: Database) {}

  async settle(queueItemId: string, seen: SettleBody, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const attempt = await lockUnknown(uow, queueItemId);
      const live = seen.outcome === 'live';
      const became = live ? await this.isLive(uow, attempt, seen) : await this.isAbsent(uow, attempt, actor);
      uow.history.append({
        type: live ? `${PUBLISH_STAGE}.completed` : `${PUBLISH_STAGE}.failed`,
        subjectId: attempt.id,
        itemId: attempt.itemId,
        stage: PUBLISH_STAGE,
        ...became,
        actor,
      });
      await uow.audit.record({ actor, action: `queue.settled_${seen.outcome}`, subject: queueItemId, detail: { attempt: attempt.id } });
    });
  }

  private async isLive(uow: UnitOfWork, attempt: PublishAttempt, { mediaId, permalink }: SettleBody) {
    if (mediaId !== undefined && (await uow.attempts.findLinked(attempt.accountId, [mediaId])).size > 0) {
      throw new ConflictException('This media id belongs to another post already.');
    }
    const publishedAt = attempt.intentAt ?? undefined;
    await settlePublished(
      uow,
      attempt,
      {
        mediaId: mediaId ?? null,
        permalink: permalink ?? null,
        mediaType: POSTED_AS[attempt.kind],
        ...(publishedAt ? { publishedAt } : {}),
      },
      'person',
    );
    return { state: 'posted' } as const;
  }

  private async isAbsent(uow: UnitOfWork, attempt: PublishAttempt, actor: string) {
    const asked = attempt.intentAt ?? attempt.createdAt;
    if ((await uow.now()).getTime() - asked.getTime() < MAY_STILL_COME_MS) {
      throw new ConflictException('Instagram may still bring this post out; look again ten minutes after it was sent.');
    }
    const failure = failureOf('absent_by_person');
    return settleUnpublished(uow, attempt, failure, { actor, settledBy: 'person' });
  }
}

async function lockUnknown(uow: UnitOfWork, queueItemId: string): Promise<PublishAttempt> {
  const place = await uow.queue.find(queueItemId);
  if (place === null) throw new NotFoundException('There is no such place in the queue.');
  const open = await uow.attempts.findOpenOf(place.itemId);
  const attempt = open && (await uow.attempts.findForUpdate(open.id));
  if (attempt?.state !== 'unknown' || attempt.queueItemId !== queueItemId) {
    throw new ConflictException(
      `Only of a post whose outcome is unknown a person has to say whether it is out; this one is ${place.status}.`,
    );
  }
  return attempt;
}
