import { Inject, Injectable } from '@nestjs/common';
import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import { Database } from '@autoposter/persistence';
import { deleteMarkedObjects, deleteUnreferencedObjects } from '@autoposter/workflow';
import { LOGGER, OBJECTS } from '../../bootstrap/systems';
import type { RecurringTask } from '../recurring-task';

/** Files are stored before their row is committed, so younger files may belong to running jobs. */
const MIN_AGE_MS = 24 * 3_600_000;
const BATCH = 100;
const MAX_PER_RUN = 5000;
const EVERY_MS = 6 * 3_600_000;

@Injectable()
export class RemoveOrphanedFilesTask implements RecurringTask {
  readonly id = 'remove-orphaned-files';
  readonly description = 'Deletes stored files older than a day that no post uses; scans every six hours, always on.';
  /** Failed deletions are retried every run; only the scan has a longer interval. */
  readonly everySeconds = 3600;
  /** Monotonic clock. */
  private nextScan = -Infinity;

  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<void> {
    const interrupted = await this.database.read.media.claimInterruptedDeletions(MAX_PER_RUN);
    let removed = await deleteMarkedObjects(this.database, this.objects, interrupted, this.logger);
    if (performance.now() < this.nextScan) return;
    this.nextScan = performance.now() + EVERY_MS;
    const now = await this.database.read.now();
    let batch: string[] = [];
    for await (const object of this.objects.list('')) {
      if (now.getTime() - object.modifiedAt.getTime() < MIN_AGE_MS || batch.push(object.key) < BATCH) continue;
      removed += await deleteUnreferencedObjects(this.database, this.objects, batch, this.logger);
      batch = [];
      if (removed < MAX_PER_RUN) continue;
      // the limit is reached: continue in the next run
      this.nextScan = -Infinity;
      return;
    }
    await deleteUnreferencedObjects(this.database, this.objects, batch, this.logger);
  }
}
