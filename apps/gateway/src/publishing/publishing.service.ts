import { Injectable } from '@nestjs/common';
import type { Publishing } from '@autoposter/contracts';
import { SETTING, type PublishingSwitch } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { v7 as uuidv7 } from 'uuid';
import { StoredSettings } from '../stored-settings/stored-settings';

@Injectable()
export class PublishingService {
  constructor(
    private readonly database: Database,
    private readonly settings: StoredSettings,
  ) {}

  state(): Promise<Publishing> {
    return this.settings.publishing();
  }

  /** Asking twice changes nothing: who paused first and when stays. */
  async setPaused(paused: boolean, actor: string): Promise<Publishing> {
    return this.database.unitOfWork(async (uow) => {
      const before = await this.settings.publishing(uow);
      if (before.paused === paused) return before;
      const now = await uow.now();
      const after: PublishingSwitch = { paused, by: actor, since: now.toISOString() };
      await uow.settings.set(SETTING.publishing, after, actor);
      uow.history.append({ type: paused ? 'publishing.paused' : 'publishing.resumed', subjectId: uuidv7(), actor });
      await uow.audit.record({ actor, action: paused ? 'publishing.pause' : 'publishing.resume' });
      return after;
    });
  }
}
