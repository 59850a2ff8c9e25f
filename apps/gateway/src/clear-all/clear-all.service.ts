import { Inject, Injectable } from '@nestjs/common';
import { Database } from '@autoposter/persistence';
import type { ObjectStore } from '@autoposter/object-store';
import type { Logger } from '@autoposter/observability';
import { v7 as uuidv7 } from 'uuid';
import { releaseObjects } from '../items/release-objects';
import { LOGGER, OBJECTS } from '../wiring/systems';

const OPEN_JOBS = "('requested','running','waiting','retrying')";

/** Attempts of which no publish call has left: nothing of them is out, and without their job nothing can come out. */
const NOT_CALLED = "('open','container')";

const RECALLED = JSON.stringify({
  kind: 'policy',
  message: 'All data was deleted before this post was published.',
  side: 'operator',
  nextAction: 'Nothing to do.',
});

/** Takes back the posts that were on their way and had not been sent; $1 holds their attempts, locked. */
const RECALL = [
  `UPDATE stage_jobs SET state = 'cancelled', finished_at = now(), lease_until = NULL, due_at = NULL, fence = fence + 1
   WHERE stage = 'post' AND subject_id = ANY($1::uuid[]) AND state IN ${OPEN_JOBS}`,
  `UPDATE queue_items SET status = 'cancelled', finished_at = now(), version = version + 1
   WHERE status = 'posting' AND id IN (SELECT queue_item_id FROM publish_attempts WHERE id = ANY($1::uuid[]))`,
  `UPDATE content_items SET state = 'ready', version = version + 1
   WHERE state = 'posting' AND id IN (SELECT item_id FROM publish_attempts WHERE id = ANY($1::uuid[]))`,
  `UPDATE publish_attempts SET state = 'failed', failure = '${RECALLED}', version = version + 1, updated_at = now() WHERE id = ANY($1::uuid[])`,
];

/**
 * In this order: first the work is fenced off, so that nothing is written behind the clearing, then the rows go. What may be out already
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
  // what went into the queue while the statements above ran
  `UPDATE queue_items SET status = 'cancelled', finished_at = now(), version = version + 1
   WHERE status IN ('pending','scheduled') AND item_id IN (SELECT id FROM content_items WHERE state = 'deleted')`,
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
      // the order in which a worker locks them before its call
      await tx.query(`SELECT id FROM stage_jobs WHERE stage = 'post' AND state IN ${OPEN_JOBS} ORDER BY id FOR UPDATE`);
      const recalled = await tx.query<{ id: string }>(`SELECT id FROM publish_attempts WHERE state IN ${NOT_CALLED} FOR UPDATE`);
      for (const statement of RECALL) await tx.query(statement, [recalled.map(({ id }) => id)]);
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
