import { Controller, Param } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { idParam } from '../http/validation.pipe';
import { RunsService } from './runs.service';

@Controller()
export class RunsController {
  constructor(private readonly runs: RunsService) {}

  @ApiRoute(api.runs.cancel)
  async cancel(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.runs.cancel(id, actor) };
  }
}
