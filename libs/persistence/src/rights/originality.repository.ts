import { LIMITS, type OriginalityKind } from '@autoposter/contracts';
import type { OriginalityCounts } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';

/** Originality marks of administrators, and counts of recently published posts. */
export class OriginalityRepository extends SqlQueries {
  markOf(itemId: string): Promise<'original' | 'edited' | null> {
    return this.value('SELECT kind FROM originality_marks WHERE item_id = $1', [itemId]);
  }

  /** `null` takes the mark away. */
  async mark(itemId: string, kind: 'original' | 'edited' | null, actor: string): Promise<void> {
    if (kind === null) await this.run('DELETE FROM originality_marks WHERE item_id = $1', [itemId]);
    else
      await this.run(
        `INSERT INTO originality_marks (item_id, kind, marked_by) VALUES ($1, $2, $3)
         ON CONFLICT (item_id) DO UPDATE SET kind = excluded.kind, marked_by = excluded.marked_by, marked_at = now()`,
        [itemId, kind, actor],
      );
  }

  /** Posts that this account published within the window, by kind; of all accounts for `null`. */
  async counts(accountId: string | null): Promise<OriginalityCounts> {
    const { rows } = await this.run<{ kind: OriginalityKind; posts: number }>(
      `SELECT coalesce(m.kind, CASE WHEN jsonb_array_length(coalesce(a.options->'collaborators', '[]')) > 0 THEN 'collaboration' ELSE 'repost' END) AS kind,
              count(*)::int AS posts
       FROM publish_attempts a LEFT JOIN originality_marks m ON m.item_id = a.item_id
       WHERE a.state = 'published' AND ($1::text IS NULL OR a.account_id = $1) AND a.published_at > now() - make_interval(days => $2)
       GROUP BY 1`,
      [accountId, LIMITS.originality.windowDays],
    );
    return { original: 0, edited: 0, collaboration: 0, repost: 0, ...Object.fromEntries(rows.map(({ kind, posts }) => [kind, posts])) };
  }
}
