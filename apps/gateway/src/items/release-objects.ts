import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';

/**
 * Deletes stored files that no row names any more. Objects are found by their content, so two posts can share one. Never rejects: what
 * stays behind is found by the task that looks for orphaned files.
 */
export async function releaseObjects(database: Database, objects: ObjectStore, keys: readonly string[], logger: Logger): Promise<void> {
  for (const key of new Set(keys)) {
    try {
      if (!(await database.read.media.isObjectUsed(key))) await objects.delete(key);
    } catch (error) {
      logger.warn({ err: error, key }, 'a file without an owner was not deleted');
    }
  }
}
