import { Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import { stopRemovals } from '@autoposter/workflow';
import { QueueItemActionsService } from '../../instagram-queue/queue-item-actions.service';
import { endPermission } from '../../rights/permissions.service';
import { forEachSubject, type RecurringTask } from '../recurring-task';

@Injectable()
export class ExpireClaimsTask implements RecurringTask {
  readonly id = 'expire-claims';
  readonly description =
    'Expires claims and permissions after their end date, and returns posts to the queue that failed because of a claim or a missing permission which is over; always on.';
  readonly everySeconds = 60;

  constructor(
    private readonly database: Database,
    private readonly queueItems: QueueItemActionsService,
  ) {}

  async run(): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      for (const id of await uow.claims.expireDue()) {
        await stopRemovals(uow, id, 'system');
        await uow.audit.record({ actor: 'system', action: 'rights.expire', subject: id, detail: { from: 'active', to: 'expired' } });
      }
    });
    const permissions = await this.database.read.permissions.due();
    await forEachSubject(permissions, (id) => this.database.unitOfWork((uow) => endPermission(uow, id, 'system')));
    await forEachSubject(await this.queueItems.nextStopped(), (stopped) => this.queueItems.returnIfReleased(stopped));
  }
}
