import { Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import type { RecurringTask } from '../recurring-task';

@Injectable()
export class ExpireClaimsTask implements RecurringTask {
  readonly id = 'expire-claims';
  readonly description = 'Expires claims after their end date, so that they no longer stop posts; always on.';
  readonly everySeconds = 60;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      for (const id of await uow.claims.expireDue())
        await uow.audit.record({ actor: 'system', action: 'rights.expire', subject: id, detail: { from: 'active', to: 'expired' } });
    });
  }
}
