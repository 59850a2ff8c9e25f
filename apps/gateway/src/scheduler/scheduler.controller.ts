import { Controller } from '@nestjs/common';
import { api } from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { SchedulerService } from './scheduler.service';

@Controller()
export class SchedulerController {
  constructor(private readonly scheduler: SchedulerService) {}

  @Serves(api.scheduler.status)
  async status() {
    return { success: true, data: await this.scheduler.status() };
  }

  @Serves(api.scheduler.statistics)
  async statistics() {
    return { success: true, data: await this.scheduler.statistics() };
  }

  @Serves(api.scheduler.start)
  async start(@Actor() actor: string) {
    return { success: true, data: await this.scheduler.setRunning(true, actor) };
  }

  @Serves(api.scheduler.stop)
  async stop(@Actor() actor: string) {
    return { success: true, data: await this.scheduler.setRunning(false, actor) };
  }
}
