import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Numbered pages of skipped posts with their total, at any number of rows: counts per day, subreddit and reason that the database keeps by
 * itself, and an index for each order.
 */
export class CountSkippedPosts1763743000001 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'CountSkippedPosts1763743000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

/** Adds up rows of (subreddit, reason, day, n); `*` stands for all subreddits or all reasons, and no subreddit is called that. */
const addUp = (changed: string): string => `
  INSERT INTO skipped_post_counts AS c (subreddit, reason, day, posts)
  SELECT s.subreddit, r.reason, changed.day, sum(changed.n)
  FROM (${changed}) AS changed (subreddit, reason, day, n)
  CROSS JOIN LATERAL (VALUES ('*'), (changed.subreddit)) AS s (subreddit)
  CROSS JOIN LATERAL (VALUES ('*'), (changed.reason)) AS r (reason)
  GROUP BY 1, 2, 3 HAVING sum(changed.n) <> 0 ORDER BY 1, 2, 3
  ON CONFLICT (subreddit, reason, day) DO UPDATE SET posts = c.posts + excluded.posts`;

const rowsOf = (table: string, sign: '1' | '-1'): string =>
  `SELECT subreddit, reason, (skipped_at AT TIME ZONE 'UTC')::date, ${sign} * count(*) FROM ${table} GROUP BY 1, 2, 3`;

const UP = [
  // Days of UTC: what a day of another time zone has of them at its ends is counted when it is asked for.
  `CREATE TABLE skipped_post_counts (
    subreddit text NOT NULL,
    reason text NOT NULL,
    day date NOT NULL,
    posts bigint NOT NULL,
    PRIMARY KEY (subreddit, reason, day) INCLUDE (posts)
  ) WITH (fillfactor = 70)`,
  `CREATE FUNCTION count_skipped_posts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'TRUNCATE' THEN
      TRUNCATE skipped_post_counts;
    ELSIF TG_OP = 'INSERT' THEN
      ${addUp(rowsOf('added', '1'))};
    ELSIF TG_OP = 'DELETE' THEN
      ${addUp(rowsOf('gone', '-1'))};
    ELSE
      ${addUp(`${rowsOf('added', '1')} UNION ALL ${rowsOf('gone', '-1')}`)};
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER skipped_posts_added AFTER INSERT ON skipped_posts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_skipped_posts()`,
  `CREATE TRIGGER skipped_posts_changed AFTER UPDATE ON skipped_posts REFERENCING NEW TABLE AS added OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_skipped_posts()`,
  `CREATE TRIGGER skipped_posts_gone AFTER DELETE ON skipped_posts REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_skipped_posts()`,
  `CREATE TRIGGER skipped_posts_emptied AFTER TRUNCATE ON skipped_posts FOR EACH STATEMENT EXECUTE FUNCTION count_skipped_posts()`,
  addUp(rowsOf('skipped_posts', '1')),
  `DROP INDEX skipped_posts_by_time`,
  `DROP INDEX skipped_posts_by_reason`,
  `DROP INDEX skipped_posts_by_subreddit`,
  `CREATE INDEX skipped_posts_by_time ON skipped_posts (skipped_at, id)`,
  // With what can be filtered and sorted by: a page is found in an index alone, whatever the filters and the order.
  `CREATE INDEX skipped_posts_by_subreddit ON skipped_posts (subreddit, skipped_at, id) INCLUDE (reason, score, source_created_at)`,
  `CREATE INDEX skipped_posts_by_reason ON skipped_posts (reason, skipped_at, id) INCLUDE (score, source_created_at)`,
  `CREATE INDEX skipped_posts_by_both ON skipped_posts (subreddit, reason, skipped_at, id) INCLUDE (score, source_created_at)`,
  `CREATE INDEX skipped_posts_by_score ON skipped_posts (score, id) INCLUDE (subreddit, reason, skipped_at)`,
  `CREATE INDEX skipped_posts_by_age ON skipped_posts (source_created_at DESC NULLS LAST, id DESC) INCLUDE (subreddit, reason, skipped_at)`,
];

const DOWN = [
  ...['time', 'subreddit', 'reason', 'both', 'score', 'age'].map((what) => `DROP INDEX skipped_posts_by_${what}`),
  `CREATE INDEX skipped_posts_by_time ON skipped_posts (skipped_at DESC, id)`,
  `CREATE INDEX skipped_posts_by_reason ON skipped_posts (reason, skipped_at DESC)`,
  `CREATE INDEX skipped_posts_by_subreddit ON skipped_posts (subreddit, skipped_at DESC)`,
  ...['added', 'changed', 'gone', 'emptied'].map((what) => `DROP TRIGGER skipped_posts_${what} ON skipped_posts`),
  `DROP FUNCTION count_skipped_posts()`,
  `DROP TABLE skipped_post_counts`,
];
