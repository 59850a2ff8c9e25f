import { Inject, Injectable } from '@nestjs/common';
import type { ItemStage } from '@autoposter/contracts';
import { failureOf, ITEM_FLOW } from '@autoposter/domain';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { failItem } from '@autoposter/workflow';
import { LOGGER } from '../../bootstrap/systems';
import type { RecurringTask } from '../recurring-task';

/** In work by their state, but without open work: this cannot happen by itself, and would stay for ever if it did. */
const STUCK = `
  SELECT i.id FROM content_items i
  WHERE i.state = ANY($1::text[]) AND i.updated_at < now() - interval '10 minutes'
    AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE j.item_id = i.id AND j.state IN ('requested','running','waiting','retrying'))
  LIMIT 50`;

@Injectable()
export class FindStuckPostsTask implements RecurringTask {
  readonly id = 'find-stuck-posts';
  readonly description =
    'Marks posts as failed that are in work although nobody works on them, so that they can be tried again; runs always.';
  readonly everySeconds = 60;

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<void> {
    const stages = Object.entries(ITEM_FLOW.activeStates) as [ItemStage, string][];
    const rows = await this.database.sql.query<{ id: string }>(STUCK, [stages.map(([, state]) => state)]);
    for (const { id } of rows) {
      await this.database.unitOfWork(async (uow) => {
        const item = await uow.items.findForUpdate(id);
        const stage = stages.find(([, state]) => state === item?.state)?.[0];
        if (!item || !stage || (await uow.jobs.findOpen(stage, id)) !== null) return;
        const failure = failureOf('job_lost', { retried: false });
        await failItem(uow, item, stage, failure, 'none');
        uow.history.append({ type: `${stage}.failed`, subjectId: id, itemId: id, stage, state: 'failed', reason: failure.message });
        this.logger.error({ itemId: id, stage }, 'a post was in work although nobody worked on it');
      });
    }
  }
}
