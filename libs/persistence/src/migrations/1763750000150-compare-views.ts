import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Prints of several views of a file: those that are searched for and those that searches find, each with its index. A print of an earlier
 * program is of the whole picture and both. Previews are what the comparison on pixels needs after the file is gone.
 */
export class CompareViews1763750000150 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'CompareViews1763750000150';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const flips = [0, ...Array.from({ length: 16 }, (_bit, place) => 1 << place)];
const index = (name: string, condition: string): string[] => [
  `CREATE INDEX ${name} ON fingerprints USING gin (pdq_words(pdq_bits)) WITH (fastupdate = off) WHERE ${condition}`,
  // Every word is rare, which the planner's statistics of arrays do not see: they would make it read all rows.
  `ALTER INDEX ${name} ALTER COLUMN 1 SET STATISTICS 0`,
];

const UP = [
  // region: left, top, right, bottom as fractions; null is the whole picture
  `ALTER TABLE fingerprints
     ADD COLUMN file_no integer NOT NULL DEFAULT 0,
     ADD COLUMN view text,
     ADD COLUMN region real[],
     ADD COLUMN mirrored boolean NOT NULL DEFAULT false,
     ADD COLUMN span_seconds real,
     ADD COLUMN is_query boolean NOT NULL DEFAULT true,
     ADD COLUMN is_reference boolean NOT NULL DEFAULT true`,
  `CREATE TABLE fingerprint_previews (
    owner_kind text NOT NULL CHECK (owner_kind IN ('claim','item')),
    owner_id uuid NOT NULL,
    file_no integer NOT NULL,
    side integer NOT NULL,
    luma bytea NOT NULL CHECK (length(luma) = side * side),
    PRIMARY KEY (owner_kind, owner_id, file_no)
  )`,
  // A search with all 272 words of a hash compares each row with each word; sixteen searches with the 17 words of one place do not.
  `CREATE FUNCTION pdq_similar_words(word int) RETURNS int[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
   'SELECT ARRAY[${flips.map((flip) => `word # ${flip}`).join(', ')}]'`,
  ...index('fingerprints_by_reference_words', 'is_reference'),
  ...index('fingerprints_by_query_words', 'is_query'),
  `DROP INDEX fingerprints_by_words`,
];

const DOWN = [
  `DROP INDEX IF EXISTS fingerprints_by_query_words, fingerprints_by_reference_words`,
  `DELETE FROM fingerprints WHERE view IS NOT NULL`,
  ...index('fingerprints_by_words', 'true'),
  `DROP FUNCTION IF EXISTS pdq_similar_words(int)`,
  `DROP TABLE IF EXISTS fingerprint_previews`,
  `ALTER TABLE fingerprints DROP COLUMN IF EXISTS is_reference, DROP COLUMN IF EXISTS is_query, DROP COLUMN IF EXISTS span_seconds,
     DROP COLUMN IF EXISTS mirrored, DROP COLUMN IF EXISTS region, DROP COLUMN IF EXISTS view, DROP COLUMN IF EXISTS file_no`,
];
