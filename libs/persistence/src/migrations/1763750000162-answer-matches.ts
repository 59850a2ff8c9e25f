import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What administrators answered about matches, which holds for the future; takedown notices with what was done about them; the cases of posts
 * that show a claimed work; and the strikes of the account. No table refers to `content_items`: their rows outlive a cleared post.
 */
export class AnswerMatches1763750000162 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'AnswerMatches1763750000162';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['account_strikes', 'rights_cases', 'takedown_notices', 'rights_answers'])
      await runner.query(`DROP TABLE IF EXISTS ${table}`);
  }
}

const UP = [
  `CREATE TABLE rights_answers (
    id uuid PRIMARY KEY,
    item_id uuid NOT NULL,
    other_kind text NOT NULL CHECK (other_kind IN ('claim','item')),
    other_id uuid NOT NULL,
    answer text NOT NULL CHECK (answer IN ('same','different')),
    -- of the item's files: the answer holds for other posts of the same files too
    sha256 text[] NOT NULL DEFAULT '{}',
    verdict text NOT NULL CHECK (verdict IN ('flagged','blocked')),
    match jsonb NOT NULL,
    answered_by text NOT NULL,
    answered_at timestamptz(3) NOT NULL DEFAULT now(),
    UNIQUE (item_id, other_kind, other_id)
  )`,
  `CREATE INDEX rights_answers_by_other ON rights_answers (other_kind, other_id)`,
  `CREATE INDEX rights_answers_by_sha256 ON rights_answers USING gin (sha256)`,
  `CREATE INDEX rights_verdicts_to_answer ON rights_verdicts (decided_at DESC, item_id) WHERE verdict <> 'clear'`,
  `CREATE TABLE takedown_notices (
    id uuid PRIMARY KEY,
    reference text,
    received_at timestamptz(3) NOT NULL,
    claimant text NOT NULL,
    contact text,
    work text,
    work_urls jsonb NOT NULL DEFAULT '[]',
    locations jsonb NOT NULL DEFAULT '[]',
    good_faith boolean NOT NULL DEFAULT false,
    accurate boolean NOT NULL DEFAULT false,
    signature text,
    status text NOT NULL CHECK (status IN ('received','incomplete','acting','answered','countered','restored','upheld','rejected')),
    claim_id uuid,
    answer text,
    answered_at timestamptz(3),
    counter_notice jsonb,
    counter_received_at timestamptz(3),
    closed_at timestamptz(3),
    version integer NOT NULL DEFAULT 1,
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX takedown_notices_by_time ON takedown_notices (received_at DESC, id)`,
  `CREATE TABLE rights_cases (
    id uuid PRIMARY KEY,
    reason text NOT NULL CHECK (reason IN ('claim','notice','source_removed')),
    item_id uuid NOT NULL,
    claim_id uuid,
    notice_id uuid,
    item_state text NOT NULL,
    state text NOT NULL CHECK (state IN ('open','removing','held','removed','dismissed')),
    detail jsonb NOT NULL DEFAULT '{}',
    due_at timestamptz(3),
    opened_at timestamptz(3) NOT NULL DEFAULT now(),
    closed_at timestamptz(3),
    closed_by text
  )`,
  `CREATE UNIQUE INDEX rights_cases_one_open ON rights_cases (item_id, coalesce(claim_id, item_id)) WHERE state IN ('open','removing')`,
  `CREATE INDEX rights_cases_by_notice ON rights_cases (notice_id) WHERE notice_id IS NOT NULL`,
  `CREATE INDEX rights_cases_by_claim ON rights_cases (claim_id) WHERE claim_id IS NOT NULL`,
  `CREATE INDEX rights_cases_by_state ON rights_cases (state, opened_at DESC, id)`,
  `CREATE TABLE account_strikes (
    id uuid PRIMARY KEY,
    notice_id uuid UNIQUE,
    reason text NOT NULL,
    struck_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    cleared_at timestamptz(3),
    cleared_by text,
    recorded_by text NOT NULL
  )`,
];
