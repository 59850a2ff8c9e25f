import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import type { Migration } from './migration';

const FORMER_STATES = "('open','container','intent','unknown','published','failed'";

/** An attempt to publish that a person took back before anything was sent. */
export const abandonedAttempts: Migration = {
  name: 'AbandonedAttempts1763741000000',
  up: [
    'ALTER TABLE publish_attempts DROP CONSTRAINT publish_attempts_state_check',
    `ALTER TABLE publish_attempts ADD CONSTRAINT publish_attempts_state_check CHECK (state IN ${FORMER_STATES},'abandoned'))`,
  ],
  down: [
    "UPDATE publish_attempts SET state = 'failed' WHERE state = 'abandoned'",
    'ALTER TABLE publish_attempts DROP CONSTRAINT publish_attempts_state_check',
    `ALTER TABLE publish_attempts ADD CONSTRAINT publish_attempts_state_check CHECK (state IN ${FORMER_STATES}))`,
  ],
};

/**
 * When and how often an attempt called `media_publish`, kept for good: an attempt that has called ends only by evidence from the account. An
 * attempt with an intent or an unknown outcome counts as called once. `absent_at`: when an administrator last reported the post as absent.
 */
export const keepPublishCalls: Migration = {
  name: 'KeepPublishCalls1763750000100',
  up: [
    `ALTER TABLE publish_attempts
      ADD COLUMN called_at timestamptz(3), ADD COLUMN calls integer NOT NULL DEFAULT 0, ADD COLUMN absent_at timestamptz(3)`,
    `UPDATE publish_attempts SET called_at = coalesce(intent_at, created_at), calls = 1
      WHERE intent_at IS NOT NULL OR state IN ('intent', 'unknown', 'published')`,
  ],
  down: [
    `ALTER TABLE publish_attempts
      DROP COLUMN IF EXISTS called_at, DROP COLUMN IF EXISTS calls, DROP COLUMN IF EXISTS absent_at`,
  ],
};

/**
 * `answered_media_id`: the media id of an answer, written as soon as it arrives, also where the attempt belongs to another worker or has
 * ended by then. The index gives the planner the next waiting posts without reading the whole queue.
 */
export const keepLateAnswers: Migration = {
  name: 'KeepLateAnswers1763750000140',
  up: [
    'ALTER TABLE publish_attempts ADD COLUMN answered_media_id text',
    `CREATE INDEX publish_attempts_unresolved_answers ON publish_attempts (id)
      WHERE answered_media_id IS NOT NULL AND state IN ('failed', 'abandoned')`,
    `CREATE INDEX publish_attempts_unidentified ON publish_attempts (account_id, caption_hash)
      WHERE media_id IS NULL AND state = 'published'`,
    `CREATE INDEX queue_items_next_pending ON queue_items (priority DESC, queued_at, id) WHERE status = 'pending'`,
  ],
  down: [
    'DROP INDEX IF EXISTS queue_items_next_pending',
    'DROP INDEX IF EXISTS publish_attempts_unidentified',
    'DROP INDEX IF EXISTS publish_attempts_unresolved_answers',
    'ALTER TABLE publish_attempts DROP COLUMN IF EXISTS answered_media_id',
  ],
};

/** What a post has beside caption and media; an attempt keeps those it was prepared with. */
export const addPublishOptions: Migration = {
  name: 'AddPublishOptions1763750000220',
  up: ['queue_items', 'publish_attempts'].map((table) => `ALTER TABLE ${table} ADD COLUMN options jsonb NOT NULL DEFAULT '{}'`),
  down: ['queue_items', 'publish_attempts'].map((table) => `ALTER TABLE ${table} DROP COLUMN options`),
};

/** Posts that wait for the platform's copyright check, and who published them without its result. */
export const keepRightsChecks: Migration = {
  name: 'KeepRightsChecks1763750000221',
  up: ['ALTER TABLE publish_attempts ADD COLUMN rights_check jsonb'],
  down: ['ALTER TABLE publish_attempts DROP COLUMN rights_check'],
};

/** What is done about a post after its publication. */
export const checkPublishedPosts: Migration = {
  name: 'CheckPublishedPosts1763750000222',
  up: [
    `CREATE TABLE post_checks (
      attempt_id uuid NOT NULL REFERENCES publish_attempts (id) ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('read_back','first_comment','insights_1h','insights_24h','insights_7d','copyright')),
      due_at timestamptz(3) NOT NULL,
      tries integer NOT NULL DEFAULT 0,
      calls integer NOT NULL DEFAULT 0,
      called_at timestamptz(3),
      done_at timestamptz(3),
      result jsonb NOT NULL DEFAULT '{}',
      failure jsonb,
      PRIMARY KEY (attempt_id, kind)
    )`,
    'CREATE INDEX post_checks_due ON post_checks (due_at) WHERE done_at IS NULL',
    `CREATE INDEX post_checks_failed ON post_checks (done_at) WHERE failure IS NOT NULL`,
  ],
  down: ['DROP TABLE post_checks'],
};

/**
 * Accounts that posts are published on. The first row is the account of the environment, whichever that is; its token stays there. A
 * connection is one login of a person: a code that is redeemed once, by the publishing worker.
 */
export const addInstagramAccounts: Migration = {
  name: 'AddInstagramAccounts1763750000230',
  up: [
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
  ],
  down: ['DROP TABLE account_connections', 'DROP TABLE instagram_accounts'],
};

/** Where in a processed video its cover is. */
export const keepCoverTimes: Migration = {
  name: 'KeepCoverTimes1763750000250',
  up: [`ALTER TABLE media_files ADD COLUMN cover_seconds real CHECK (cover_seconds >= 0)`],
  down: [`ALTER TABLE media_files DROP COLUMN cover_seconds`],
};

const PLAIN = `regexp_replace(normalize(caption, NFC), '[\ufe0e\ufe0f]', '', 'g')`;

const COMPARABLE = `btrim(regexp_replace(${PLAIN}, '[ \t\r]+(?=\n|$)', '', 'g'), E' \\t\\r\\n')`;

/** Captions that differ only in what Instagram may change have one hash; earlier hashes saw the variants of emoji and the white space of lines. */
export const compareCaptions: Migration = {
  name: 'CompareCaptions1763750000310',
  up: [
    `UPDATE publish_attempts SET caption_hash = encode(sha256(convert_to(${COMPARABLE}, 'UTF8')), 'hex')
       WHERE caption ~ '[\ufe0e\ufe0f]|[ \t\r]\n' OR caption IS NOT NFC NORMALIZED`,
  ],
  /** The former hash of a changed row was that of its trimmed caption. */
  down: [
    `UPDATE publish_attempts SET caption_hash = encode(sha256(convert_to(btrim(caption, E' \\t\\r\\n'), 'UTF8')), 'hex')
       WHERE caption ~ '[\ufe0e\ufe0f]|[ \t\r]\n' OR caption IS NOT NFC NORMALIZED`,
  ],
};

/** Stories, which are published without a caption and end after a day. */
export const publishStories: Migration = {
  name: 'PublishStories1763750000330',
  up: [
    'ALTER TABLE publish_attempts DROP CONSTRAINT publish_attempts_kind_check',
    "ALTER TABLE publish_attempts ADD CONSTRAINT publish_attempts_kind_check CHECK (kind IN ('reel','image','carousel','story'))",
  ],
  down: [
    "UPDATE publish_attempts SET kind = 'reel' WHERE kind = 'story'",
    'ALTER TABLE publish_attempts DROP CONSTRAINT publish_attempts_kind_check',
    "ALTER TABLE publish_attempts ADD CONSTRAINT publish_attempts_kind_check CHECK (kind IN ('reel','image','carousel'))",
  ],
};

/** The cover of a reel that an administrator uploaded. */
export const keepUploadedCovers: Migration = {
  name: 'KeepUploadedCovers1763750000500',
  up: [
    'ALTER TABLE media_files DROP CONSTRAINT media_files_role_check',
    "ALTER TABLE media_files ADD CONSTRAINT media_files_role_check CHECK (role IN ('original','processed','cover','uploaded_cover'))",
  ],
  down: [
    "DELETE FROM media_files WHERE role = 'uploaded_cover'",
    'ALTER TABLE media_files DROP CONSTRAINT media_files_role_check',
    "ALTER TABLE media_files ADD CONSTRAINT media_files_role_check CHECK (role IN ('original','processed','cover'))",
  ],
};

/** Strikes count per publishing account. Those of before belong to the account of the environment, and were acknowledged when publishing was resumed. */
export const strikeAccounts: Migration = {
  name: 'StrikeAccounts1763750000630',
  up: [
    `ALTER TABLE account_strikes ADD COLUMN account_id uuid NOT NULL DEFAULT '${ENVIRONMENT_ACCOUNT_ID}', ADD COLUMN acknowledged_at timestamptz(3)`,
    `ALTER TABLE account_strikes DROP CONSTRAINT account_strikes_notice_id_key, ADD UNIQUE (notice_id, account_id)`,
    `UPDATE account_strikes SET acknowledged_at = now()`,
  ],
  down: [
    `DELETE FROM account_strikes a USING account_strikes b WHERE a.notice_id = b.notice_id AND a.id > b.id`,
    `ALTER TABLE account_strikes DROP CONSTRAINT account_strikes_notice_id_account_id_key, ADD UNIQUE (notice_id)`,
    `ALTER TABLE account_strikes DROP COLUMN acknowledged_at, DROP COLUMN account_id`,
  ],
};

/** A strike of a notice about no published post counts for no account. Notices give addresses of posts in many forms. */
export const answerNotices: Migration = {
  name: 'AnswerNotices1763750000660',
  up: [
    `ALTER TABLE account_strikes ALTER COLUMN account_id DROP NOT NULL`,
    `CREATE INDEX publish_attempts_by_address ON publish_attempts ((rtrim(regexp_replace(lower(permalink), '^https?://(www\\.)?|\\?.*$', '', 'g'), '/')))
      WHERE state = 'published' AND permalink IS NOT NULL`,
  ],
  down: [
    `DROP INDEX IF EXISTS publish_attempts_by_address`,
    `DELETE FROM account_strikes WHERE account_id IS NULL`,
    `ALTER TABLE account_strikes ALTER COLUMN account_id SET NOT NULL`,
  ],
};

/** Instagram shows one post at several addresses, which have its code in common. */
export const findPostsByCode: Migration = {
  name: 'FindPostsByCode1763750000700',
  up: [
    `CREATE INDEX publish_attempts_by_code ON publish_attempts ((substring(permalink FROM '/(?:p|reels?|tv)/([^/?#]+)')))
      WHERE state = 'published' AND permalink IS NOT NULL`,
  ],
  down: [`DROP INDEX publish_attempts_by_code`],
};

/** While a claim is not active, the deadlines of its cases wait. */
export const suspendDeadlines: Migration = {
  name: 'SuspendDeadlines1763750000750',
  up: [`ALTER TABLE rights_claims ADD COLUMN inactive_since timestamptz`],
  down: [`ALTER TABLE rights_claims DROP COLUMN IF EXISTS inactive_since`],
};

/** Each account has an originality rule of its own. The earlier one held back the reposts of all accounts, so each keeps it. */
export const originalityPerAccount: Migration = {
  name: 'OriginalityPerAccount1763750000710',
  up: [
    `INSERT INTO settings (name, value, updated_at, updated_by)
     SELECT 'originality:' || a.id, s.value, s.updated_at, s.updated_by FROM settings s, instagram_accounts a
     WHERE s.name = 'originality' AND a.source = 'connected'`,
  ],
  down: [`DELETE FROM settings WHERE name LIKE 'originality:%'`],
};

/** The copyright check continues for as long as the post is on the account; one call after the other within a week. */
export const continueCopyrightChecks: Migration = {
  name: 'ContinueCopyrightChecks1763750000740',
  up: [
    `UPDATE post_checks SET done_at = NULL, due_at = now() + random() * interval '7 days', tries = 0, failure = NULL
     WHERE kind = 'copyright' AND done_at IS NOT NULL AND coalesce(jsonb_array_length(result -> 'matches'), 0) = 0`,
  ],
  down: [],
};
