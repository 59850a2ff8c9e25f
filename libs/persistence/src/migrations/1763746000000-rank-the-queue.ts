import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CountTheQueue1763745000001 } from './1763745000001-count-the-queue';

/**
 * The kept counts of the queue tell also in which four weeks a place's slot and its beginning are, and how long what went out had waited:
 * a page by either time begins near the place that it is about, and the statistics are a sum, at any number of rows. Taking triggers and
 * indexes away needs the table alone: it is asked for at once, because whoever asks for more than he has and who holds a row meet each other.
 */
export class RankTheQueue1763746000000 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'RankTheQueue1763746000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE queue_items IN ACCESS EXCLUSIVE MODE');
    await new CountTheQueue1763745000001().down(runner);
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE queue_items IN ACCESS EXCLUSIVE MODE');
    for (const statement of DOWN) await runner.query(statement);
    await new CountTheQueue1763745000001().down(runner);
    await new CountTheQueue1763745000001().up(runner);
  }
}

/** Number of the four weeks in which a time is, since 1970; the last number that there is where there is no time. */
const span = (time: string): string => `coalesce(floor(extract(epoch FROM ${time}) / 2419200)::integer, 2147483647)`;

/** What a place counts for, or takes away when it is no longer so. Only what the queue itself sent says how long posts wait. */
const counted = (row: string, sign: '1' | '-1'): string => {
  const waited = `${row}.status = 'posted' AND NOT ${row}.immediate AND ${row}.finished_at IS NOT NULL`;
  return `${row}.status, ${span(`${row}.scheduled_for`)}, ${span(`${row}.queued_at`)}, ${sign}::bigint,
    CASE WHEN ${waited} THEN ${sign} ELSE 0 END::bigint,
    CASE WHEN ${waited} THEN ${sign} * extract(epoch FROM ${row}.finished_at - ${row}.queued_at) * 1000 ELSE 0 END::bigint`;
};

const INTO = 'INSERT INTO queue_item_counts (status, slot_span, age_span, items, waits, waited_ms)';
const addUp = (table: string, sign: '1' | '-1'): string => `${INTO}
  SELECT status, slot_span, age_span, sum(items), sum(waits), sum(waited_ms)
  FROM (SELECT ${counted('place', sign)} FROM ${table} place) AS each (status, slot_span, age_span, items, waits, waited_ms)
  GROUP BY status, slot_span, age_span`;

const UP = [
  `CREATE TABLE queue_item_counts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    status text NOT NULL,
    slot_span integer NOT NULL,
    age_span integer NOT NULL,
    items bigint NOT NULL,
    waits bigint NOT NULL,
    waited_ms bigint NOT NULL
  )`,
  `CREATE FUNCTION count_queue_items() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      ${INTO} VALUES (${counted('OLD', '-1')}), (${counted('NEW', '1')});
    ELSIF TG_OP = 'INSERT' THEN
      ${addUp('changed', '1')};
    ELSIF TG_OP = 'DELETE' THEN
      ${addUp('changed', '-1')};
    ELSE
      TRUNCATE queue_item_counts;
    END IF;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER queue_items_added AFTER INSERT ON queue_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
  // an update that changes nothing of what is counted costs nothing
  `CREATE TRIGGER queue_items_moved AFTER UPDATE OF status, scheduled_for, queued_at, finished_at, immediate ON queue_items FOR EACH ROW
    WHEN ((${counted('OLD', '1')}) IS DISTINCT FROM (${counted('NEW', '1')})) EXECUTE FUNCTION count_queue_items()`,
  `CREATE TRIGGER queue_items_gone AFTER DELETE ON queue_items REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
  `CREATE TRIGGER queue_items_emptied AFTER TRUNCATE ON queue_items FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
  addUp('queue_items', '1'),
  // Those without a slot stand last in both directions: each direction has a time for them that can be looked for.
  `DROP INDEX queue_items_by_slot`,
  `DROP INDEX queue_items_by_slot_down`,
  `DROP INDEX queue_items_by_status_down`,
  `CREATE INDEX queue_items_by_slot ON queue_items (coalesce(scheduled_for, 'infinity'), id)`,
  `CREATE INDEX queue_items_by_slot_down ON queue_items (coalesce(scheduled_for, '-infinity'), id)`,
  `CREATE INDEX queue_items_by_status_slot ON queue_items (status, coalesce(scheduled_for, 'infinity'), id)`,
  `CREATE INDEX queue_items_by_status_slot_down ON queue_items (status, coalesce(scheduled_for, '-infinity'), id)`,
];

const DOWN = [
  `DROP INDEX queue_items_by_slot`,
  `DROP INDEX queue_items_by_slot_down`,
  `DROP INDEX queue_items_by_status_slot`,
  `DROP INDEX queue_items_by_status_slot_down`,
  `CREATE INDEX queue_items_by_slot ON queue_items (scheduled_for, id)`,
  `CREATE INDEX queue_items_by_slot_down ON queue_items (scheduled_for DESC NULLS LAST, id DESC)`,
  `CREATE INDEX queue_items_by_status_down ON queue_items (status, scheduled_for DESC NULLS LAST, id DESC)`,
];
