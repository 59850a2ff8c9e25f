import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import type { Database } from '@autoposter/persistence';

const BATCH = 100;
const AT_A_TIME = 8;

/**
 * Deletes those of the stored files that no row names: the one place where files are deleted. While they go, nobody can commit a row
 * that names one of them. Answers how many went. Never rejects: what stays behind is found by the task that looks for orphaned files.
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
      const condemned = await database.unitOfWork((uow) => uow.media.markForDeletion(batch));
      removed += await deleteMarkedObjects(database, objects, condemned, logger);
    } catch (error) {
      logger.warn({ err: error, files: batch.length }, 'files without an owner were not deleted');
    }
  }
  return removed;
}

/** For files that are condemned already. */
export async function deleteMarkedObjects(
  database: Database,
  objects: ObjectStore,
  keys: readonly string[],
  logger: Logger,
): Promise<number> {
  const waiting = [...keys];
  const gone: string[] = [];
  const worker = async (): Promise<void> => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      try {
        await objects.delete(key);
        gone.push(key);
      } catch (error) {
        logger.warn({ err: error, key }, 'a file without an owner was not deleted');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  await database.read.media.confirmDeletion(gone);
  return gone.length;
}
