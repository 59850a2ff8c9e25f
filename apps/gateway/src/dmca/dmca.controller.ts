import { Controller } from '@nestjs/common';
import { api, RIGHTS_STAGE, type DmcaProcessAllBody, type ReadyQuery } from '@autoposter/contracts';
import { ITEM_FLOW } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { lockItem, requestItemStage } from '@autoposter/workflow';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidBody, ValidId, ValidQuery } from '../http/validation.pipe';
import { ItemPresenter } from '../items/item.presenter';
import { runOverAll } from '../items/run-over-all';

@Controller()
export class DmcaController {
  constructor(
    private readonly database: Database,
    private readonly present: ItemPresenter,
  ) {}

  @ApiRoute(api.dmca.ready)
  async ready(@ValidQuery() { limit }: ReadyQuery) {
    const { itemLists } = this.database.read;
    const waiting = ITEM_FLOW.waitingStates[RIGHTS_STAGE];
    const [rows, totalCount] = await Promise.all([itemLists.inState(waiting, limit), itemLists.countInStates([waiting])]);
    return { success: true, data: rows.map((row) => this.present.readyForDmca(row)), totalCount };
  }

  @ApiRoute(api.dmca.processAll)
  async processAll(@ValidBody() body: DmcaProcessAllBody, @Actor() actor: string) {
    const counts = await runOverAll(this.database, { ...body, stage: RIGHTS_STAGE, options: {}, actor });
    return { ...counts, message: `DMCA protection was requested for ${counts.processed} of ${counts.total} files.` };
  }

  @ApiRoute(api.dmca.process)
  async process(@ValidId() id: string, @Actor() actor: string) {
    const request = this.database.unitOfWork(async (uow) => requestItemStage(uow, await lockItem(uow, id), RIGHTS_STAGE, { actor }));
    return { success: true, data: await request };
  }
}
