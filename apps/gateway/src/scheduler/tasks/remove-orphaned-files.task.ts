import { Inject, Injectable } from '@nestjs/common';
import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { deleteMarkedObjects, deleteUnreferencedObjects } from '@autoposter/workflow';
import { LOGGER, OBJECTS } from '../../bootstrap/systems';
import type { RecurringTask } from '../recurring-task';

/** A file is stored before the row that names it is committed: younger ones may belong to work that goes on. */
const MIN_AGE_MS = 24 * 3_600_000;
const BATCH = 100;
const MAX_PER_RUN = 5000;
const EVERY_MS = 6 * 3_600_000;

@Injectable()
export class RemoveOrphanedFilesTask implements RecurringTask {
  readonly id = 'remove-orphaned-files';
  readonly description = 'Deletes stored files older than a day that no post uses; looks every six hours, whatever the switch says.';
  /** While the task scheduler is on it runs more often, so that what a failed deletion left is gone sooner. */
  readonly everySeconds = 3600;
  /** By the monotonic clock. */
  private nextLook = -Infinity;

  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<void> {
    const cutOff = await this.database.read.media.claimInterruptedDeletions(MAX_PER_RUN);
    let removed = await deleteMarkedObjects(this.database, this.objects, cutOff, this.logger);
    if (performance.now() < this.nextLook) return;
    this.nextLook = performance.now() + EVERY_MS;
    const now = await this.database.read.now();
    let batch: string[] = [];
    for await (const object of this.objects.list('')) {
      if (now.getTime() - object.modifiedAt.getTime() < MIN_AGE_MS || batch.push(object.key) < BATCH) continue;
      removed += await deleteUnreferencedObjects(this.database, this.objects, batch, this.logger);
      batch = [];
      if (removed < MAX_PER_RUN) continue;
      // there may be more: the next beat goes on
      this.nextLook = -Infinity;
      return;
    }
    await deleteUnreferencedObjects(this.database, this.objects, batch, this.logger);
  }
}
