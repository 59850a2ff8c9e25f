import { failureOf } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';

interface Cleared {
  posts: number;
  captions: number;
  queueItems: number;
  skippedPosts: number;
  browserLogs: number;
  /** Keys of the stored files that belonged to deleted items. */
  objectKeys: string[];
  /** Items that stay until their publishing outcome is known. */
  stillPublishing: number;
}

const DATA_CLEARED = failureOf('data_cleared');

const OPEN_JOBS = "('requested','running','waiting','retrying')";
const CANCELLED = `state = 'cancelled', finished_at = now(), lease_until = NULL, due_at = NULL, fence = fence + 1`;
const TOMBSTONES = `SELECT id FROM content_items WHERE state = 'deleted'`;

/** Deletes all collected data. Each statement covers its whole table, so the number of statements does not depend on the number of rows. */
export class ClearingRepository extends SqlQueries {
  /**
   * Cancels the jobs first, so that no worker writes afterwards, then deletes the rows. Items become tombstones: identity, hashes,
   * fingerprints and provenance prevent collecting the same post again. Items that may be published already stay until their outcome is
   * known. Subreddits, settings, the rights register, publish attempts and the audit log are not touched.
   */
  async clearAll(): Promise<Cleared> {
    // workers lock their job first, so this waits for running commits
    await this.run(`UPDATE stage_jobs SET ${CANCELLED} WHERE stage IN ${STAGE_SQL.beforePublishing} AND state IN ${OPEN_JOBS}`);
    await this.run(`SELECT id FROM stage_jobs WHERE stage = ${STAGE_SQL.publish} AND state IN ${OPEN_JOBS} ORDER BY id FOR UPDATE`);
    await this.run(`UPDATE collect_runs SET state = 'failed', finished_at = now() WHERE state IN ('requested','running')`);
    // twice: items that publishing releases are deleted by the second statement
    const waiting = await this.deleteItems();
    await this.cancelPublishing();
    const posts = waiting + (await this.deleteItems());
    const { count: queueItems } = await this.run(`DELETE FROM queue_items WHERE status <> 'posting'`);
    const { count: captions } = await this.run(`DELETE FROM captions WHERE item_id IN (${TOMBSTONES})`);
    const { count: skippedPosts } = await this.run('DELETE FROM skipped_posts');
    const { count: browserLogs } = await this.run('DELETE FROM browser_logs');
    const keys = await this.column<string>(`DELETE FROM media_files WHERE item_id IN (${TOMBSTONES}) RETURNING object_key`);
    const stillPublishing = await this.count(`SELECT count(*) FROM content_items WHERE state = 'posting'`);
    return { posts, captions, queueItems, skippedPosts, browserLogs, objectKeys: [...new Set(keys)], stillPublishing };
  }

  private async deleteItems(): Promise<number> {
    const { count } = await this.run(
      `UPDATE content_items SET state = 'deleted', version = version + 1, updated_at = now(), needs_review = false, review_reasons = '[]',
         top_comments = '[]', source_post = NULL, processing_errors = '[]'
       WHERE state NOT IN ('deleted','posting')`,
    );
    return count;
  }

  /** Cancels publishing for items that never had a publish call; without a job none can follow. */
  private async cancelPublishing(): Promise<void> {
    const open = `SELECT id FROM publish_attempts WHERE state IN ('open','container') AND called_at IS NULL`;
    await this.run(
      `UPDATE stage_jobs SET ${CANCELLED} WHERE stage = ${STAGE_SQL.publish} AND state IN ${OPEN_JOBS} AND subject_id IN (${open})`,
    );
    const { rows } = await this.run<{ queue_item_id: string; item_id: string }>(
      `UPDATE publish_attempts SET state = 'failed', failure = $1::jsonb, version = version + 1, updated_at = now()
       WHERE state IN ('open','container') AND called_at IS NULL RETURNING queue_item_id, item_id`,
      [JSON.stringify(DATA_CLEARED)],
    );
    await this.run(
      `UPDATE queue_items SET status = 'failed', failure = $2::jsonb, finished_at = now(), version = version + 1
       WHERE status = 'posting' AND id = ANY($1::uuid[])`,
      [rows.map((row) => row.queue_item_id), JSON.stringify(DATA_CLEARED)],
    );
    await this.run(`UPDATE content_items SET state = 'ready', version = version + 1 WHERE state = 'posting' AND id = ANY($1::uuid[])`, [
      rows.map((row) => row.item_id),
    ]);
  }
}
