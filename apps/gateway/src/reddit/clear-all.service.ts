import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ClearedData } from '@autoposter/contracts';
import { Database } from '@autoposter/persistence';
import { deleteUnreferencedObjects } from '@autoposter/workflow';
import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import { v7 as uuidv7 } from 'uuid';
import { LOGGER, OBJECTS } from '../bootstrap/systems';

@Injectable()
export class ClearAllService implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private releasing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns the deleted counts. Files are deleted in the background, because no row references them any more. */
  async clear(actor: string): Promise<ClearedData> {
    const { objectKeys, ...counts } = await this.database.unitOfWork(async (uow) => {
      await uow.allowMinutes(10);
      const cleared = await uow.clearing.clearAll();
      const { objectKeys: keys, ...detail } = cleared;
      uow.history.append({ type: 'data.cleared', subjectId: uuidv7(), actor });
      await uow.audit.record({ actor, action: 'data.clear', detail: { ...detail, files: keys.length } });
      return cleared;
    });
    const { database, objects, logger, stopping } = this;
    this.releasing = this.releasing.then(() => deleteUnreferencedObjects(database, objects, objectKeys, logger, stopping.signal));
    return { ...counts, files: objectKeys.length };
  }

  /** Files that remain are deleted by remove-orphaned-files. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.releasing;
  }
}
