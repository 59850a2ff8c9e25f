import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Posts that a claim never stops, by address, author or subreddit. An entry that was ended stays, with who made it and why. */
export class AllowBesideClaims1763750000242 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'AllowBesideClaims1763750000242';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE allow_entries (
        id uuid PRIMARY KEY,
        claim_id uuid NOT NULL REFERENCES rights_claims (id) ON DELETE CASCADE,
        kind text NOT NULL CHECK (kind IN ('url','author','subreddit')),
        key text NOT NULL CHECK (length(key) <= 2100),
        reason text NOT NULL,
        expires_at timestamptz(3),
        ended_at timestamptz(3),
        created_by text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`,
    );
    await runner.query(`CREATE INDEX allow_entries_by_claim ON allow_entries (claim_id) WHERE ended_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE IF EXISTS allow_entries`);
  }
}
