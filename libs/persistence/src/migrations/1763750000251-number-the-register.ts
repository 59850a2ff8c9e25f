import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One number per claim and item of the register, in the order of their commits. Fingerprints are written without waiting for others, so that their
 * own numbers say nothing about that order.
 */
export class NumberTheRegister1763750000251 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'NumberTheRegister1763750000251';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE SEQUENCE register_numbers`,
  `CREATE TABLE register_entries (
    owner_kind text NOT NULL,
    owner_id uuid NOT NULL,
    no bigint NOT NULL DEFAULT nextval('register_numbers'),
    PRIMARY KEY (owner_kind, owner_id)
  )`,
  `INSERT INTO register_entries (owner_kind, owner_id)
   SELECT owner_kind, owner_id FROM fingerprints GROUP BY owner_kind, owner_id ORDER BY max(seq)`,
  `CREATE INDEX register_entries_by_no ON register_entries (no)`,
  `DROP INDEX fingerprints_by_seq`,
];

const DOWN = [`CREATE INDEX fingerprints_by_seq ON fingerprints (seq)`, `DROP TABLE register_entries`, `DROP SEQUENCE register_numbers`];
