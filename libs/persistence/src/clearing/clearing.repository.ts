import type { Failure } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';

/** How many of what went. */
export interface Cleared {
  posts: number;
  captions: number;
  queueItems: number;
  skippedPosts: number;
  browserLogs: number;
  /** Keys of stored files; several posts may have named the same. */
  objectKeys: string[];
  /** Posts that stay until it is known whether they are out. */
  stillPublishing: number;
}

const RECALLED: Failure = {
  kind: 'policy',
  message: 'All data was deleted before this post was published.',
  side: 'operator',
  nextAction: 'Nothing to do.',
};

const OPEN_JOBS = "('requested','running','waiting','retrying')";
const CANCELLED = `state = 'cancelled', finished_at = now(), lease_until = NULL, due_at = NULL, fence = fence + 1`;
const TOMBSTONES = `SELECT id FROM content_items WHERE state = 'deleted'`;

/** Empties the product of what it collected, whatever the number of rows: each statement takes all rows of its table at once. */
export class ClearingRepository extends SqlQueries {
  /**
   * First the work is fenced off, so that nothing is written behind the clearing; then the rows go. Posts become tombstones: identity,
   * hashes, fingerprints and provenance keep the same post from coming back. What may be out already stays until its outcome is known.
   * Subreddits, settings, the register, the ledger and the audit log are not touched.
   */
  async clearAll(): Promise<Cleared> {
    // workers lock a job before all else: who has one ends first, and the others wait here
    await this.run(`UPDATE stage_jobs SET ${CANCELLED} WHERE stage IN ${STAGE_SQL.beforePublishing} AND state IN ${OPEN_JOBS}`);
    await this.run(`SELECT id FROM stage_jobs WHERE stage = ${STAGE_SQL.publish} AND state IN ${OPEN_JOBS} ORDER BY id FOR UPDATE`);
    await this.run(`UPDATE collect_runs SET state = 'failed', finished_at = now() WHERE state IN ('requested','running')`);
    // nobody queues or posts a tombstone: what was on its way until now is seen by what follows
    const waiting = await this.bury();
    await this.recall();
    const posts = waiting + (await this.bury());
    const { count: queueItems } = await this.run(`DELETE FROM queue_items WHERE status <> 'posting'`);
    const { count: captions } = await this.run(`DELETE FROM captions WHERE item_id IN (${TOMBSTONES})`);
    const { count: skippedPosts } = await this.run('DELETE FROM skipped_posts');
    const { count: browserLogs } = await this.run('DELETE FROM browser_logs');
    const files = await this.run<{ object_key: string }>(`DELETE FROM media_files WHERE item_id IN (${TOMBSTONES}) RETURNING object_key`);
    const left = await this.run<{ n: number }>(`SELECT count(*)::int AS n FROM content_items WHERE state = 'posting'`);
    const objectKeys = [...new Set(files.rows.map((row) => row.object_key))];
    return { posts, captions, queueItems, skippedPosts, browserLogs, objectKeys, stillPublishing: left.rows[0]?.n ?? 0 };
  }

  private async bury(): Promise<number> {
    const { count } = await this.run(
      `UPDATE content_items SET state = 'deleted', version = version + 1, updated_at = now(), needs_review = false, review_reasons = '[]',
         top_comments = '[]', source_post = NULL, processing_errors = '[]'
       WHERE state NOT IN ('deleted','posting')`,
    );
    return count;
  }

  /** Takes back the posts of which no publish call has left: without their job nothing can come out. */
  private async recall(): Promise<void> {
    const open = `SELECT id FROM publish_attempts WHERE state IN ('open','container')`;
    await this.run(
      `UPDATE stage_jobs SET ${CANCELLED} WHERE stage = ${STAGE_SQL.publish} AND state IN ${OPEN_JOBS} AND subject_id IN (${open})`,
    );
    const { rows } = await this.run<{ queue_item_id: string; item_id: string }>(
      `UPDATE publish_attempts SET state = 'failed', failure = $1::jsonb, version = version + 1, updated_at = now()
       WHERE state IN ('open','container') RETURNING queue_item_id, item_id`,
      [JSON.stringify(RECALLED)],
    );
    await this.run(
      `UPDATE queue_items SET status = 'failed', failure = $2::jsonb, finished_at = now(), version = version + 1
       WHERE status = 'posting' AND id = ANY($1::uuid[])`,
      [rows.map((row) => row.queue_item_id), JSON.stringify(RECALLED)],
    );
    await this.run(`UPDATE content_items SET state = 'ready', version = version + 1 WHERE state = 'posting' AND id = ANY($1::uuid[])`, [
      rows.map((row) => row.item_id),
    ]);
  }
}
