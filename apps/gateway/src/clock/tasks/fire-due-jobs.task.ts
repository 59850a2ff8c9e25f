import { Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import { fireDue } from '@autoposter/stage-runner';
import type { Heartbeat } from '../task';

@Injectable()
export class FireDueJobsTask implements Heartbeat {
  readonly id = 'fire-due-jobs';
  readonly description = 'Asks again for work whose waiting or retry time has come.';
  readonly everySeconds = 1;

  constructor(private readonly database: Database) {}

  async run(): Promise<void> {
    await this.database.unitOfWork((uow) => fireDue(uow));
  }
}
