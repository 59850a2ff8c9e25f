import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many places of the queue have which status, at any number of rows. Each change leaves its difference as a row of its own, so that
 * nobody waits for a counter: the count is the sum, and what has gathered is added up from time to time.
 */
export class CountTheQueue1763745000001 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'CountTheQueue1763745000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const what of ['added', 'moved', 'gone', 'emptied']) await runner.query(`DROP TRIGGER queue_items_${what} ON queue_items`);
    await runner.query('DROP FUNCTION count_queue_items()');
    await runner.query('DROP TABLE queue_item_counts');
  }
}

const UP = [
  `CREATE TABLE queue_item_counts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, status text NOT NULL, items bigint NOT NULL)`,
  `CREATE FUNCTION count_queue_items() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      INSERT INTO queue_item_counts (status, items) VALUES (OLD.status, -1), (NEW.status, 1);
    ELSIF TG_OP = 'INSERT' THEN
      INSERT INTO queue_item_counts (status, items) SELECT status, count(*) FROM changed GROUP BY status;
    ELSIF TG_OP = 'DELETE' THEN
      INSERT INTO queue_item_counts (status, items) SELECT status, -count(*) FROM changed GROUP BY status;
    ELSE
      TRUNCATE queue_item_counts;
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER queue_items_added AFTER INSERT ON queue_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
  // most updates leave the status alone and cost nothing
  `CREATE TRIGGER queue_items_moved AFTER UPDATE OF status ON queue_items FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_queue_items()`,
  `CREATE TRIGGER queue_items_gone AFTER DELETE ON queue_items REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
  `CREATE TRIGGER queue_items_emptied AFTER TRUNCATE ON queue_items FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
  // the triggers' lock keeps writers out until this is committed
  `INSERT INTO queue_item_counts (status, items) SELECT status, count(*) FROM queue_items GROUP BY status`,
];
