import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Permissions of authors with their requests, answers and proofs, and subreddits whose posts wait for one. Reasons of cases become an open
 * list: a revoked permission is one.
 */
export class RecordPermissions1763750000240 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'RecordPermissions1763750000240';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `CREATE TABLE rights_permissions (
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('url','author','subreddit')),
    key text NOT NULL CHECK (length(key) <= 2100),
    grantor text NOT NULL,
    contact text,
    status text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested','granted','refused','revoked')),
    request text NOT NULL,
    answer text,
    answered_at timestamptz(3),
    credit text,
    proof jsonb,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    revoke_reason text,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX rights_permissions_by_key ON rights_permissions (key, kind) WHERE status = 'granted'`,
  `CREATE INDEX rights_permissions_by_time ON rights_permissions (created_at DESC, id)`,
  `ALTER TABLE subreddits ADD COLUMN needs_permission boolean NOT NULL DEFAULT false`,
  `ALTER TABLE rights_cases DROP CONSTRAINT IF EXISTS rights_cases_reason_check,
     ADD CONSTRAINT rights_cases_reason_check CHECK (reason ~ '^[a-z_]+$')`,
];

const DOWN = [
  `DELETE FROM rights_cases WHERE reason NOT IN ('claim','notice','source_removed')`,
  `ALTER TABLE rights_cases DROP CONSTRAINT IF EXISTS rights_cases_reason_check,
     ADD CONSTRAINT rights_cases_reason_check CHECK (reason IN ('claim','notice','source_removed'))`,
  `ALTER TABLE subreddits DROP COLUMN IF EXISTS needs_permission`,
  `DROP TABLE IF EXISTS rights_permissions`,
];
