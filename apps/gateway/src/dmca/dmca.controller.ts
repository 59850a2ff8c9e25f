import { Body, Controller, Param } from '@nestjs/common';
import { api, dmcaProcessAllBodySchema, type DmcaProcessAllBody } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { idParam, valid } from '../http/validation.pipe';
import { ItemPresenter } from '../items/item.presenter';
import { DmcaService } from './dmca.service';

@Controller()
export class DmcaController {
  constructor(
    private readonly dmca: DmcaService,
    private readonly present: ItemPresenter,
  ) {}

  @ApiRoute(api.dmca.ready)
  async ready() {
    const now = new Date();
    return { success: true, data: (await this.dmca.ready()).map((row) => this.present.readyForDmca(row, now)) };
  }

  @ApiRoute(api.dmca.processAll)
  processAll(@Body(valid(dmcaProcessAllBodySchema)) body: DmcaProcessAllBody, @Actor() actor: string) {
    return this.dmca.processAll(body, actor);
  }

  @ApiRoute(api.dmca.process)
  async process(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.dmca.process(id, actor) };
  }
}
