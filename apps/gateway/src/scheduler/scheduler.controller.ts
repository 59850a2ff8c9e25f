import { Controller } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { SchedulerService } from './scheduler.service';

@Controller()
export class SchedulerController {
  constructor(private readonly scheduler: SchedulerService) {}

  @ApiRoute(api.scheduler.status)
  async status() {
    return { success: true, data: await this.scheduler.status() };
  }

  @ApiRoute(api.scheduler.statistics)
  async statistics() {
    return { success: true, data: await this.scheduler.statistics() };
  }

  @ApiRoute(api.scheduler.start)
  async start(@Actor() actor: string) {
    return { success: true, data: await this.scheduler.setRunning(true, actor) };
  }

  @ApiRoute(api.scheduler.stop)
  async stop(@Actor() actor: string) {
    return { success: true, data: await this.scheduler.setRunning(false, actor) };
  }
}
