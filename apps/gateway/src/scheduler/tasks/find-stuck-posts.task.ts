import { Inject, Injectable } from '@nestjs/common';
import type { ItemStage } from '@autoposter/contracts';
import { failureOf, ITEM_FLOW, type ItemState } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { failItem } from '@autoposter/workflow';
import { LOGGER } from '../../bootstrap/systems';
import { forEachSubject, type RecurringTask } from '../recurring-task';

/** Items checked per run. */
const BATCH = 50;

@Injectable()
export class FindStuckPostsTask implements RecurringTask {
  readonly id = 'find-stuck-posts';
  readonly description = 'Marks posts as failed that are in progress without an open job, so that they can be retried; always on.';
  readonly everySeconds = 60;

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<void> {
    const stages = Object.entries(ITEM_FLOW.activeStates) as [ItemStage, ItemState][];
    const ids = await this.database.read.items.idsWithoutOpenJob(
      stages.map(([, state]) => state),
      BATCH,
    );
    await forEachSubject(ids, (id) =>
      this.database.unitOfWork(async (uow) => {
        const item = await uow.items.findForUpdate(id);
        const stage = stages.find(([, state]) => state === item?.state)?.[0];
        if (!item || !stage || (await uow.jobs.findOpen(stage, id)) !== null) return;
        const failure = failureOf('job_lost', { retried: false });
        await failItem(uow, item, stage, failure, 'none');
        uow.history.append({ type: `${stage}.failed`, subjectId: id, itemId: id, stage, state: 'failed', reason: failure.message });
        this.logger.error({ itemId: id, stage }, 'an item was in progress without an open job');
      }),
    );
  }
}
