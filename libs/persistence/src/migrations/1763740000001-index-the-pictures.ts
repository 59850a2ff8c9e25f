import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds near picture hashes without reading all of them. A hash is 16 words of 16 bits; of two that differ in at most 31 bits, one word
 * differs in at most one bit (16 times two would be 32). So the words are indexed, each with its place in front, and asked for as they are
 * and with each bit flipped: nothing within the distance is missed, and few others have to be counted out.
 */
export class IndexThePictures1763740000001 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'IndexThePictures1763740000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const words = Array.from({ length: 16 }, (_word, place) => `${place << 16} + substring(bits FROM ${place * 16 + 1} FOR 16)::bit(16)::int`);
const flips = [0, ...Array.from({ length: 16 }, (_bit, place) => 1 << place)];

const UP = [
  `CREATE FUNCTION pdq_words(bits bit(256)) RETURNS int[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
   'SELECT ARRAY[${words.join(', ')}]'`,
  `CREATE FUNCTION pdq_probes(bits bit(256)) RETURNS int[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
   'SELECT array_agg(word # flip) FROM unnest(pdq_words(bits)) AS word, unnest(ARRAY[${flips.join(', ')}]) AS flip'`,
  `CREATE INDEX fingerprints_by_words ON fingerprints USING gin (pdq_words(pdq_bits)) WITH (fastupdate = off)`,
  // Every word is rare, which the planner's statistics of arrays do not see: they would make it read all rows.
  `ALTER INDEX fingerprints_by_words ALTER COLUMN 1 SET STATISTICS 0`,
];

const DOWN = [
  `DROP INDEX IF EXISTS fingerprints_by_words`,
  `DROP FUNCTION IF EXISTS pdq_probes(bit)`,
  `DROP FUNCTION IF EXISTS pdq_words(bit)`,
];
