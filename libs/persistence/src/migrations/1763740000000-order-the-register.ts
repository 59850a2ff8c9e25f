import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Fingerprints get numbers in the order in which they are committed (their writers hold one lock), so that a second look reads only what
 * came since the first; and the picture hash as bits, so that comparing parses no text. Stored files get a note when they are deleted, so
 * that nobody commits a row that names a file which went at the same moment.
 */
export class OrderTheRegister1763740000000 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'OrderTheRegister1763740000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE fingerprints
     ADD COLUMN seq bigint GENERATED ALWAYS AS IDENTITY,
     ADD COLUMN pdq_bits bit(256) GENERATED ALWAYS AS (('x' || pdq_hash)::bit(256)) STORED`,
  `CREATE INDEX fingerprints_by_seq ON fingerprints (seq)`,
  `CREATE INDEX media_files_by_object_key ON media_files (object_key)`,
  // deleted_at is 'infinity' while the file is being deleted
  `CREATE TABLE deleted_objects (
    object_key text PRIMARY KEY,
    condemned_at timestamptz(3) NOT NULL DEFAULT now(),
    deleted_at timestamptz(3) NOT NULL DEFAULT 'infinity'
  )`,
];

const DOWN = [
  `DROP TABLE IF EXISTS deleted_objects`,
  `DROP INDEX IF EXISTS media_files_by_object_key`,
  `DROP INDEX IF EXISTS fingerprints_by_seq`,
  `ALTER TABLE fingerprints DROP COLUMN IF EXISTS pdq_bits, DROP COLUMN IF EXISTS seq`,
];
