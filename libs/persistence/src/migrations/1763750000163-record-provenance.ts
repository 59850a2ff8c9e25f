import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The provenance of each item: append-only, each record with the hash of the one before it. `body` is text, because the hash is of its exact
 * characters.
 */
export class RecordProvenance1763750000163 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'RecordProvenance1763750000163';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE provenance_records (
    item_id uuid NOT NULL,
    seq integer NOT NULL,
    kind text NOT NULL CHECK (kind ~ '^[a-z_]+$'),
    body text NOT NULL,
    recorded_at timestamptz(3) NOT NULL,
    previous_hash text NOT NULL,
    hash text NOT NULL,
    PRIMARY KEY (item_id, seq)
  )`,
  `CREATE FUNCTION refuse_provenance_change() RETURNS trigger LANGUAGE plpgsql AS
   $$ BEGIN RAISE EXCEPTION 'provenance records are append-only'; END $$`,
  `CREATE TRIGGER provenance_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON provenance_records
   FOR EACH STATEMENT EXECUTE FUNCTION refuse_provenance_change()`,
];

const DOWN = [`DROP TABLE IF EXISTS provenance_records`, `DROP FUNCTION IF EXISTS refuse_provenance_change()`];
