import { Injectable } from '@nestjs/common';
import type { AcceptedItem, DmcaProcessAllBody, ProcessAllResponse } from '@autoposter/contracts';
import { Database } from '@autoposter/persistence';
import { askForStage, lockItem } from '../items/item-actions';
import { itemsWaitingIn, type ItemRow } from '../items/item-rows';
import { runOverAll } from '../items/run-over-all';

@Injectable()
export class DmcaService {
  constructor(private readonly database: Database) {}

  ready(): Promise<ItemRow[]> {
    return itemsWaitingIn(this.database.sql, 'downloaded');
  }

  process(id: string, actor: string): Promise<AcceptedItem> {
    return this.database.unitOfWork(async (uow) => askForStage(uow, await lockItem(uow, id), 'dmca', { actor }));
  }

  async processAll(body: DmcaProcessAllBody, actor: string): Promise<ProcessAllResponse> {
    const counts = await runOverAll(this.database, { ...body, stage: 'dmca', options: {}, actor });
    return { ...counts, message: `DMCA protection was asked for ${counts.processed} of ${counts.total} files.` };
  }
}
