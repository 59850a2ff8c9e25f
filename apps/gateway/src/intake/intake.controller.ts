import { Body, Controller } from '@nestjs/common';
import { DEFAULT_AUTO_PROCESS_STAGE, FULL_AUTOMATION, api, processUrlBodySchema, type ProcessUrlBody } from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { valid } from '../http/zod.pipe';
import { IntakeService } from './intake.service';

@Controller()
export class IntakeController {
  constructor(private readonly intake: IntakeService) {}

  @Serves(api.reddit.process)
  async reddit(@Body(valid(processUrlBodySchema)) body: ProcessUrlBody, @Actor() actor: string) {
    return { success: true, data: await this.intake.take(body.url, 'reddit', DEFAULT_AUTO_PROCESS_STAGE, actor) };
  }

  @Serves(api.instagramSource.process)
  async instagram(@Body(valid(processUrlBodySchema)) body: ProcessUrlBody, @Actor() actor: string) {
    return { success: true, data: await this.intake.take(body.url, 'instagram', DEFAULT_AUTO_PROCESS_STAGE, actor) };
  }

  @Serves(api.pipeline.processComplete)
  async complete(@Body(valid(processUrlBodySchema)) body: ProcessUrlBody, @Actor() actor: string) {
    return { success: true, data: await this.intake.take(body.url, null, FULL_AUTOMATION.value, actor) };
  }
}
