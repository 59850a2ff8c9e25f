import { Body, Controller } from '@nestjs/common';
import { api, failuresSeenBodySchema, type FailuresSeenBody } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { valid } from '../http/validation.pipe';
import { FailuresService } from './failures.service';

@Controller()
export class FailuresController {
  constructor(private readonly service: FailuresService) {}

  @ApiRoute(api.overview.failures)
  async failures() {
    const failures = await this.service.list();
    return { success: true, data: { unseen: failures.length, failures } };
  }

  @ApiRoute(api.overview.failuresSeen)
  async seen(@Body(valid(failuresSeenBodySchema)) body: FailuresSeenBody, @Actor() actor: string) {
    await this.service.markSeen(body.ids, actor);
    return { success: true, message: 'Marked as seen.' };
  }
}
