import { Controller } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidId } from '../http/validation.pipe';
import { RunsService } from './runs.service';

@Controller()
export class RunsController {
  constructor(private readonly runs: RunsService) {}

  @ApiRoute(api.runs.cancel)
  async cancel(@ValidId() id: string, @Actor() actor: string) {
    return { success: true, data: await this.runs.cancel(id, actor) };
  }
}
