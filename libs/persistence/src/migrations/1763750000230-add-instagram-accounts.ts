import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts that posts are published on. The first row is the account of the environment, whichever that is; its token stays there. A
 * connection is one login of a person: a code that is redeemed once, by the publishing worker.
 */
export class AddInstagramAccounts1763750000230 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'AddInstagramAccounts1763750000230';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE account_connections');
    await runner.query('DROP TABLE instagram_accounts');
  }
}

const UP = [
  `CREATE TABLE instagram_accounts (
    id uuid PRIMARY KEY,
    source text NOT NULL CHECK (source IN ('environment','connected')),
    user_id text,
    username text,
    login text CHECK (login IN ('instagram','facebook')),
    scopes jsonb NOT NULL DEFAULT '[]',
    token jsonb,
    token_expires_at timestamptz(3),
    status text NOT NULL DEFAULT 'unchecked' CHECK (status IN ('unchecked','ready','refused','disconnected')),
    failure jsonb,
    quota_used integer,
    quota_total integer,
    checked_at timestamptz(3),
    connected_by text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CHECK (source = 'environment' OR (user_id IS NOT NULL AND login IS NOT NULL)))`,
  `CREATE UNIQUE INDEX instagram_accounts_one_user ON instagram_accounts (user_id) WHERE source = 'connected'`,
  `INSERT INTO instagram_accounts (id, source) VALUES ('${ENVIRONMENT_ACCOUNT_ID}', 'environment')`,
  `CREATE TABLE account_connections (
    id uuid PRIMARY KEY,
    login text NOT NULL CHECK (login IN ('instagram','facebook')),
    redirect_uri text NOT NULL,
    state_hash text NOT NULL UNIQUE,
    browser_hash text NOT NULL,
    status text NOT NULL DEFAULT 'started' CHECK (status IN ('started','authorised','exchanging','connected','failed')),
    code text,
    usernames jsonb NOT NULL DEFAULT '[]',
    failure jsonb,
    started_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now())`,
  `CREATE INDEX account_connections_authorised ON account_connections (created_at) WHERE status = 'authorised'`,
];
