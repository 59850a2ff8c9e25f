import { Controller } from '@nestjs/common';
import { api, type FailuresSeenBody, type QueueAccountQuery, type RetryFailuresBody } from '@autoposter/contracts';
import { Actor } from '../auth/current-session';
import { ApiRoute } from '../http/api-route';
import { ValidBody, ValidQuery } from '../http/validation.pipe';
import { QueueItemActionsService } from '../instagram-queue/queue-item-actions.service';
import { FailuresService } from './failures.service';

@Controller()
export class FailuresController {
  constructor(
    private readonly service: FailuresService,
    private readonly actions: QueueItemActionsService,
  ) {}

  @ApiRoute(api.overview.failures)
  async failures() {
    const failures = await this.service.list();
    return { success: true, data: { unseen: failures.length, failures } };
  }

  @ApiRoute(api.overview.failureCauses)
  async causes(@ValidQuery() { accountId }: QueueAccountQuery) {
    return { success: true, data: { causes: await this.service.causes(accountId) } };
  }

  @ApiRoute(api.overview.retryFailures)
  async retry(@ValidQuery() { accountId }: QueueAccountQuery, @ValidBody() { cause }: RetryFailuresBody, @Actor() actor: string) {
    return { success: true, data: await this.actions.retryAll(cause, actor, accountId) };
  }

  @ApiRoute(api.overview.failuresSeen)
  async seen(@ValidBody() body: FailuresSeenBody, @Actor() actor: string) {
    await this.service.markSeen(body.ids, actor);
    return { success: true, message: 'Marked as seen.' };
  }
}
