import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for each order of the queue's list, and for the time of the last post: all posts that went out stay in this table. */
export class OrderTheQueue1763743000002 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'OrderTheQueue1763743000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of ['by_slot_down', 'by_status_down', 'by_age', 'by_status_age', 'by_priority', 'by_status_priority', 'last_post'])
      await runner.query(`DROP INDEX queue_items_${index}`);
    await runner.query('DROP TRIGGER queue_items_subreddit ON queue_items');
    await runner.query('DROP FUNCTION name_queue_subreddit()');
    // its indexes go with it
    await runner.query('ALTER TABLE queue_items DROP COLUMN subreddit_key');
  }
}

const UP = [
  // The item's subreddit, which never changes, beside the place: an order over two tables has no index.
  `ALTER TABLE queue_items ADD COLUMN subreddit_key text`,
  `UPDATE queue_items q SET subreddit_key = lower(i.subreddit) FROM content_items i WHERE i.id = q.item_id`,
  `CREATE FUNCTION name_queue_subreddit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.subreddit_key := (SELECT lower(subreddit) FROM content_items WHERE id = NEW.item_id);
    RETURN NEW;
  END $$`,
  `CREATE TRIGGER queue_items_subreddit BEFORE INSERT ON queue_items FOR EACH ROW EXECUTE FUNCTION name_queue_subreddit()`,
  `CREATE INDEX queue_items_by_subreddit ON queue_items (subreddit_key, id)`,
  `CREATE INDEX queue_items_by_subreddit_down ON queue_items (subreddit_key DESC NULLS LAST, id DESC)`,
  `CREATE INDEX queue_items_by_status_subreddit ON queue_items (status, subreddit_key, id)`,
  `CREATE INDEX queue_items_by_status_subreddit_down ON queue_items (status, subreddit_key DESC NULLS LAST, id DESC)`,
  // Those without a slot stand last in both directions, which one index cannot give.
  `CREATE INDEX queue_items_by_slot_down ON queue_items (scheduled_for DESC NULLS LAST, id DESC)`,
  `CREATE INDEX queue_items_by_status_down ON queue_items (status, scheduled_for DESC NULLS LAST, id DESC)`,
  `CREATE INDEX queue_items_by_age ON queue_items (queued_at, id)`,
  `CREATE INDEX queue_items_by_status_age ON queue_items (status, queued_at, id)`,
  `CREATE INDEX queue_items_by_priority ON queue_items (priority, id)`,
  `CREATE INDEX queue_items_by_status_priority ON queue_items (status, priority, id)`,
  `CREATE INDEX queue_items_last_post ON queue_items (finished_at) WHERE status = 'posted' AND NOT immediate`,
];
