import { Inject, Injectable } from '@nestjs/common';
import type { ObjectStore } from '@autoposter/object-store';
import { Database } from '@autoposter/persistence';
import { OBJECTS } from '../../wiring/systems';
import type { Task } from '../task';

/** A file is stored before the row that names it is committed: younger ones may belong to work that goes on. */
const MIN_AGE_MS = 24 * 3_600_000;
const MAX_PER_RUN = 500;
const EVERY_MS = 6 * 3_600_000;

@Injectable()
export class RemoveOrphanedFilesTask implements Task {
  readonly id = 'remove-orphaned-files';
  readonly description = 'Deletes stored files older than a day that no post uses; looks every six hours.';
  private lastLook = 0;

  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
  ) {}

  async run(now: Date): Promise<void> {
    if (now.getTime() - this.lastLook < EVERY_MS) return;
    this.lastLook = now.getTime();
    let removed = 0;
    for await (const object of this.objects.list('')) {
      if (now.getTime() - object.modifiedAt.getTime() < MIN_AGE_MS) continue;
      if (await this.database.read.media.isObjectUsed(object.key)) continue;
      await this.objects.delete(object.key);
      removed += 1;
      if (removed >= MAX_PER_RUN) return;
    }
  }
}
