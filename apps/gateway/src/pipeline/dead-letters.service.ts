import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { REPLAY_ALL_AT_MOST, type AcceptedItem, type DeadLettersQuery, type ItemStage, type ReplayedAll } from '@autoposter/contracts';
import { ITEM_FLOW } from '@autoposter/domain';
import { Database, type DeadLetterRow } from '@autoposter/persistence';
import { replayDeadJob } from '@autoposter/workflow';

const ACTION = 'pipeline.replay';

/** Dead jobs: listing and replay. */
@Injectable()
export class DeadLettersService {
  constructor(private readonly database: Database) {}

  async list({ stage, page, limit }: DeadLettersQuery): Promise<{ rows: DeadLetterRow[]; total: number }> {
    const { deadLetters } = this.database.read;
    const [rows, counts] = await Promise.all([deadLetters.list(stage ?? null, (page - 1) * limit, limit), deadLetters.counts()]);
    const total = stage === undefined ? Object.values(counts).reduce((sum, count) => sum + count, 0) : (counts[stage] ?? 0);
    return { rows, total };
  }

  async replay(id: string, actor: string): Promise<AcceptedItem> {
    return this.database.unitOfWork(async (uow) => {
      if ((await uow.jobs.find(id)) === null) throw new NotFoundException('There is no such job.');
      const replayed = await replayDeadJob(uow, id, { actor });
      if (replayed.outcome === 'refused') throw new ConflictException(replayed.reason);
      const { stage, subjectId } = replayed.job;
      await uow.audit.record({ actor, action: ACTION, subject: subjectId, detail: { stage, jobId: id } });
      return { id: subjectId, state: ITEM_FLOW.activeStates[stage as ItemStage], jobId: id };
    });
  }

  /** One transaction per job, so that a conflict affects only that job. */
  async replayAll(stage: ItemStage, actor: string): Promise<ReplayedAll> {
    const { deadLetters } = this.database.read;
    let replayed = 0;
    const ids = await deadLetters.ids(stage, REPLAY_ALL_AT_MOST);
    for (const id of ids) {
      const { outcome } = await this.database.unitOfWork((uow) => replayDeadJob(uow, id, { actor }));
      if (outcome === 'replayed') replayed += 1;
    }
    await this.database.read.audit.record({ actor, action: `${ACTION}_all`, detail: { stage, replayed } });
    return { replayed, refused: ids.length - replayed, left: (await deadLetters.counts())[stage] ?? 0 };
  }
}
