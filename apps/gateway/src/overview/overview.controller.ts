import { Body, Controller } from '@nestjs/common';
import { api, failuresSeenBodySchema, type FailuresSeenBody } from '@autoposter/contracts';
import { Actor } from '../auth/current-user';
import { Serves } from '../http/serves';
import { valid } from '../http/zod.pipe';
import { OverviewService } from './overview.service';

@Controller()
export class OverviewController {
  constructor(private readonly overviews: OverviewService) {}

  @Serves(api.overview.overview)
  async overview() {
    return { success: true, data: await this.overviews.overview() };
  }

  @Serves(api.overview.failures)
  async failures() {
    const failures = await this.overviews.failures();
    return { success: true, data: { unseen: failures.length, failures } };
  }

  @Serves(api.overview.failuresSeen)
  async seen(@Body(valid(failuresSeenBodySchema)) body: FailuresSeenBody, @Actor() actor: string) {
    await this.overviews.markSeen(body.ids, actor);
    return { success: true, message: 'Marked as seen.' };
  }
}
