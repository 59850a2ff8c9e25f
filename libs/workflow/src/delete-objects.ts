import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';

const BATCH = 100;
const CONCURRENCY = 8;

/**
 * Deletes the given objects that no row references; the only place that deletes objects. They are marked first, so that no transaction can
 * commit a reference meanwhile. Returns the number of deleted objects. Never rejects: the orphan task finds what remains.
 */
export async function deleteUnreferencedObjects(
  database: Database,
  objects: ObjectStore,
  keys: readonly string[],
  logger: Logger,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let start = 0; start < keys.length && !signal?.aborted; start += BATCH) {
    const batch = keys.slice(start, start + BATCH);
    try {
      const marked = await database.unitOfWork((uow) => uow.media.markForDeletion(batch));
      removed += await deleteMarkedObjects(database, objects, marked, logger);
    } catch (error) {
      logger.warn({ err: error, files: batch.length }, 'unreferenced objects were not deleted');
    }
  }
  return removed;
}

/** Deletes objects that are already marked for deletion. */
export async function deleteMarkedObjects(
  database: Database,
  objects: ObjectStore,
  keys: readonly string[],
  logger: Logger,
): Promise<number> {
  const pending = [...keys];
  const deleted: string[] = [];
  const worker = async (): Promise<void> => {
    for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
      try {
        await objects.delete(key);
        deleted.push(key);
      } catch (error) {
        logger.warn({ err: error, key }, 'an unreferenced object was not deleted');
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  await database.read.media.confirmDeletion(deleted);
  return deleted.length;
}

/**
 * Deletes what an attempt stored whose job was cancelled meanwhile, because its item was deleted or all data cleared. Another worker that
 * took the job over may need the same files.
 */
export const discardStored =
  ({ database, objects, logger }: { database: Database; objects: ObjectStore; logger: Logger }) =>
  async (jobId: string, keys: readonly string[]): Promise<void> => {
    try {
      const job = await database.read.jobs.find(jobId);
      if (job === null || job.state === 'cancelled') await deleteUnreferencedObjects(database, objects, keys, logger);
    } catch (error) {
      logger.warn({ err: error, jobId, files: keys.length }, 'the files of a cancelled job were not deleted');
    }
  };
