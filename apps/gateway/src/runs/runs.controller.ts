import { Controller, Param } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { idParam } from '../http/zod.pipe';
import { CancelRunService } from './cancel-run.service';

@Controller()
export class RunsController {
  constructor(private readonly runs: CancelRunService) {}

  @Serves(api.runs.cancel)
  async cancel(@Param('id', idParam) id: string, @Actor() actor: string) {
    return { success: true, data: await this.runs.cancel(id, actor) };
  }
}
