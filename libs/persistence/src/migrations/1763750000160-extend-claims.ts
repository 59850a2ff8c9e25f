import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Claims get the reference and the date of their notice, a scope, an end and the statuses of a dispute; what they name besides the work
 * (addresses, authors, subreddits) is a row each; and the file of the work, which a worker fingerprints.
 */
export class ExtendClaims1763750000160 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'ExtendClaims1763750000160';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  `ALTER TABLE rights_claims
     DROP CONSTRAINT rights_claims_status_check,
     ADD CONSTRAINT rights_claims_status_check CHECK (status IN ('active','disputed','withdrawn','expired')),
     ADD COLUMN notice_reference text,
     ADD COLUMN notice_date text CHECK (notice_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
     ADD COLUMN scope text NOT NULL DEFAULT 'audiovisual' CHECK (scope IN ('audiovisual','visual','audio')),
     ADD COLUMN expires_at timestamptz(3),
     ADD COLUMN status_note text,
     ADD COLUMN work jsonb`,
  `CREATE INDEX rights_claims_ending ON rights_claims (expires_at) WHERE status = 'active' AND expires_at IS NOT NULL`,
  `CREATE TABLE claim_targets (
    claim_id uuid NOT NULL REFERENCES rights_claims (id) ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('url','author','subreddit')),
    key text NOT NULL CHECK (length(key) <= 2100),
    PRIMARY KEY (claim_id, kind, key)
  )`,
  `CREATE INDEX claim_targets_by_key ON claim_targets (key, kind)`,
  // addresses that were stored without being matched; written as `claimTarget` writes them
  `INSERT INTO claim_targets (claim_id, kind, key)
   SELECT id, 'url', coalesce(
       'reddit:' || lower(coalesce(substring(source_url FROM '^https?://[^/]*reddit\\.com/(?:.*/)?comments/([A-Za-z0-9]+)'),
                                   substring(source_url FROM '^https?://(?:www\\.)?redd\\.it/([A-Za-z0-9]+)'))),
       'instagram:' || substring(source_url FROM '^https?://[^/]*instagram\\.com/(?:[^/]+/)?(?:p|reel|reels|tv)/([A-Za-z0-9_-]+)'),
       regexp_replace(lower(substring(source_url FROM '^https?://([^/?#]+)')), '^(www|m|mobile|amp)\\.', '')
         || rtrim(coalesce(substring(source_url FROM '^https?://[^/?#]+(/[^?#]*)'), ''), '/'))
   FROM rights_claims WHERE source_url ~ '^https?://[^/?#]+/[^?#]'`,
];

const DOWN = [
  `DROP TABLE IF EXISTS claim_targets`,
  `DROP INDEX IF EXISTS rights_claims_ending`,
  `UPDATE rights_claims SET status = 'withdrawn' WHERE status NOT IN ('active','withdrawn')`,
  `ALTER TABLE rights_claims
     DROP COLUMN IF EXISTS work, DROP COLUMN IF EXISTS status_note, DROP COLUMN IF EXISTS expires_at, DROP COLUMN IF EXISTS scope,
     DROP COLUMN IF EXISTS notice_date, DROP COLUMN IF EXISTS notice_reference,
     DROP CONSTRAINT rights_claims_status_check,
     ADD CONSTRAINT rights_claims_status_check CHECK (status IN ('active','withdrawn'))`,
];
