import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import { v7 as uuidv7 } from 'uuid';
import { releaseObjects } from '../items/release-objects';
import { LOGGER, OBJECTS } from '../wiring/systems';

const OPEN_JOBS = "('requested','running','waiting','retrying')";

/**
 * In this order: first the work is fenced off, so that nothing is written behind the clearing, then the rows go. What is being published
 * stays until its outcome is known. Items become tombstones: identity, hashes and fingerprints keep the same post from coming back.
 */
const STATEMENTS = [
  `UPDATE stage_jobs SET state = 'cancelled', finished_at = now(), lease_until = NULL, due_at = NULL, fence = fence + 1
   WHERE stage IN ('collect','download','dmca','ai') AND state IN ${OPEN_JOBS}`,
  `UPDATE collect_runs SET state = 'failed', finished_at = now() WHERE state IN ('requested','running')`,
  `UPDATE queue_items SET status = 'cancelled', finished_at = now(), version = version + 1 WHERE status IN ('pending','scheduled')`,
  `DELETE FROM queue_items WHERE status IN ('posted','failed','cancelled')`,
  `UPDATE content_items SET state = 'deleted', version = version + 1, updated_at = now(), needs_review = false, review_reasons = '[]',
     top_comments = '[]', source_post = NULL, processing_errors = '[]'
   WHERE state NOT IN ('deleted','posting')`,
  `DELETE FROM captions WHERE item_id IN (SELECT id FROM content_items WHERE state = 'deleted')`,
  'DELETE FROM skipped_posts',
  'DELETE FROM browser_logs',
];

@Injectable()
export class ClearAllService {
  constructor(
    private readonly database: Database,
    @Inject(OBJECTS) private readonly objects: ObjectStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Answers how many files went. Audit log, rights register, provenance, tombstones and the publish ledger stay. */
  async clear(actor: string): Promise<{ files: number }> {
    const keys = await this.database.sql.transaction(async (tx) => {
      for (const statement of STATEMENTS) await tx.query(statement);
      const rows = await tx.query<{ object_key: string }>(
        "DELETE FROM media_files WHERE item_id IN (SELECT id FROM content_items WHERE state = 'deleted') RETURNING object_key",
      );
      return rows.map((row) => row.object_key);
    });
    await this.database.unitOfWork(async (uow) => {
      uow.history.append({ type: 'data.cleared', subjectId: uuidv7(), actor });
      await uow.audit.record({ actor, action: 'data.clear', detail: { files: keys.length } });
    });
    // Files take as long as they take; the rows are gone, so nothing shows them any more.
    void releaseObjects(this.database, this.objects, keys, this.logger);
    return { files: keys.length };
  }
}
