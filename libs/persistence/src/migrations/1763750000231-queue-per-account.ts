import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each account has a queue of its own: queue items and their counts name the account, by default that of the environment. */
export class QueuePerAccount1763750000231 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'QueuePerAccount1763750000231';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE queue_items IN ACCESS EXCLUSIVE MODE');
    const column = `account_id uuid NOT NULL DEFAULT '${ENVIRONMENT_ACCOUNT_ID}'`;
    await runner.query(`ALTER TABLE queue_items ADD COLUMN ${column} REFERENCES instagram_accounts (id)`);
    await runner.query(`ALTER TABLE queue_item_counts ADD COLUMN ${column}`);
    await runner.query(countedBy(['account_id', 'status', 'slot_span', 'age_span']));
    await runner.query(
      `CREATE INDEX queue_items_by_account ON queue_items (account_id, status, scheduled_for) WHERE status IN ('pending','scheduled','posting')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE queue_items IN ACCESS EXCLUSIVE MODE');
    await runner.query(countedBy(['status', 'slot_span', 'age_span']));
    await runner.query('ALTER TABLE queue_item_counts DROP COLUMN account_id');
    await runner.query('ALTER TABLE queue_items DROP COLUMN account_id');
  }
}

/** Number of the four weeks in which a time is, since 1970; the last number that there is where there is no time. */
const span = (time: string): string => `coalesce(floor(extract(epoch FROM ${time}) / 2419200)::integer, 2147483647)`;

const GROUPED = {
  account_id: (row: string) => `${row}.account_id`,
  status: (row: string) => `${row}.status`,
  slot_span: (row: string) => span(`${row}.scheduled_for`),
  age_span: (row: string) => span(`${row}.queued_at`),
};

/** The trigger that counts queue items in these groups. Only what the queue itself sent says how long posts wait. */
function countedBy(groups: readonly (keyof typeof GROUPED)[]): string {
  const names = groups.join(', ');
  const counted = (row: string, sign: '1' | '-1'): string => {
    const waited = `${row}.status = 'posted' AND NOT ${row}.immediate AND ${row}.finished_at IS NOT NULL`;
    return `${groups.map((group) => GROUPED[group](row)).join(', ')}, ${sign}::bigint,
      CASE WHEN ${waited} THEN ${sign} ELSE 0 END::bigint,
      CASE WHEN ${waited} THEN ${sign} * extract(epoch FROM ${row}.finished_at - ${row}.queued_at) * 1000 ELSE 0 END::bigint`;
  };
  const into = `INSERT INTO queue_item_counts (${names}, items, waits, waited_ms)`;
  const addUp = (sign: '1' | '-1'): string => `${into}
    SELECT ${names}, sum(items), sum(waits), sum(waited_ms)
    FROM (SELECT ${counted('place', sign)} FROM changed place) AS each (${names}, items, waits, waited_ms)
    GROUP BY ${names}`;
  return `CREATE OR REPLACE FUNCTION count_queue_items() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      ${into} VALUES (${counted('OLD', '-1')}), (${counted('NEW', '1')});
    ELSIF TG_OP = 'INSERT' THEN
      ${addUp('1')};
    ELSIF TG_OP = 'DELETE' THEN
      ${addUp('-1')};
    ELSE
      TRUNCATE queue_item_counts;
    END IF;
    RETURN NULL;
  END $$`;
}
