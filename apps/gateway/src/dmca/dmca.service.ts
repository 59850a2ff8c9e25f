import { Injectable } from '@nestjs/common';
import type { AcceptedItem, DmcaProcessAllBody, ProcessAllResponse } from '@autoposter/contracts';
import { ITEM_FLOW } from '@autoposter/domain';
import { Database, type ItemRow } from '@autoposter/persistence';
import { requestItemStage, lockItem } from '../items/item-actions';
import { runOverAll } from '../items/run-over-all';

const STAGE = 'dmca';

@Injectable()
export class DmcaService {
  constructor(private readonly database: Database) {}

  ready(): Promise<ItemRow[]> {
    return this.database.read.itemLists.inState(ITEM_FLOW.waitingStates[STAGE]);
  }

  process(id: string, actor: string): Promise<AcceptedItem> {
    return this.database.unitOfWork(async (uow) => requestItemStage(uow, await lockItem(uow, id), STAGE, { actor }));
  }

  async processAll(body: DmcaProcessAllBody, actor: string): Promise<ProcessAllResponse> {
    const counts = await runOverAll(this.database, { ...body, stage: STAGE, options: {}, actor });
    return { ...counts, message: `DMCA protection was requested for ${counts.processed} of ${counts.total} files.` };
  }
}
