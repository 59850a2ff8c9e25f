import type { Migration } from './migration';

/**
 * Fingerprints get numbers in the order in which they are committed (their writers hold one lock), so that a second look reads only what
 * came since the first; and the picture hash as bits, so that comparing parses no text. Stored files get a note when they are deleted, so
 * that nobody commits a row that names a file which went at the same moment.
 */
export const orderTheRegister: Migration = {
  name: 'OrderTheRegister1763740000000',
  up: [
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
  ],
  down: [
    `DROP TABLE IF EXISTS deleted_objects`,
    `DROP INDEX IF EXISTS media_files_by_object_key`,
    `DROP INDEX IF EXISTS fingerprints_by_seq`,
    `ALTER TABLE fingerprints DROP COLUMN IF EXISTS pdq_bits, DROP COLUMN IF EXISTS seq`,
  ],
};

const words = Array.from({ length: 16 }, (_word, place) => `${place << 16} + substring(bits FROM ${place * 16 + 1} FOR 16)::bit(16)::int`);

const flips = [0, ...Array.from({ length: 16 }, (_bit, place) => 1 << place)];

/**
 * Finds near picture hashes without reading all of them. A hash is 16 words of 16 bits; of two that differ in at most 31 bits, one word
 * differs in at most one bit (16 times two would be 32). So the words are indexed, each with its place in front, and asked for as they are
 * and with each bit flipped: nothing within the distance is missed, and few others have to be counted out.
 */
export const indexThePictures: Migration = {
  name: 'IndexThePictures1763740000001',
  up: [
    `CREATE FUNCTION pdq_words(bits bit(256)) RETURNS int[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
   'SELECT ARRAY[${words.join(', ')}]'`,
    `CREATE FUNCTION pdq_probes(bits bit(256)) RETURNS int[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
   'SELECT array_agg(word # flip) FROM unnest(pdq_words(bits)) AS word, unnest(ARRAY[${flips.join(', ')}]) AS flip'`,
    `CREATE INDEX fingerprints_by_words ON fingerprints USING gin (pdq_words(pdq_bits)) WITH (fastupdate = off)`,
    // Every word is rare, which the planner's statistics of arrays do not see: they would make it read all rows.
    `ALTER INDEX fingerprints_by_words ALTER COLUMN 1 SET STATISTICS 0`,
  ],
  down: [`DROP INDEX IF EXISTS fingerprints_by_words`, `DROP FUNCTION IF EXISTS pdq_probes(bit)`, `DROP FUNCTION IF EXISTS pdq_words(bit)`],
};

const index = (name: string, condition: string): string[] => [
  `CREATE INDEX ${name} ON fingerprints USING gin (pdq_words(pdq_bits)) WITH (fastupdate = off) WHERE ${condition}`,
  // Every word is rare, which the planner's statistics of arrays do not see: they would make it read all rows.
  `ALTER INDEX ${name} ALTER COLUMN 1 SET STATISTICS 0`,
];

/**
 * Prints of several views of a file: those that are searched for and those that searches find, each with its index. A print of an earlier
 * program is of the whole picture and both. Previews are what the comparison on pixels needs after the file is gone.
 */
export const compareViews: Migration = {
  name: 'CompareViews1763750000150',
  up: [
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
  ],
  down: [
    `DROP INDEX IF EXISTS fingerprints_by_query_words, fingerprints_by_reference_words`,
    `DELETE FROM fingerprints WHERE view IS NOT NULL`,
    ...index('fingerprints_by_words', 'true'),
    `DROP FUNCTION IF EXISTS pdq_similar_words(int)`,
    `DROP TABLE IF EXISTS fingerprint_previews`,
    `ALTER TABLE fingerprints DROP COLUMN IF EXISTS is_reference, DROP COLUMN IF EXISTS is_query, DROP COLUMN IF EXISTS span_seconds,
     DROP COLUMN IF EXISTS mirrored, DROP COLUMN IF EXISTS region, DROP COLUMN IF EXISTS view, DROP COLUMN IF EXISTS file_no`,
  ],
};

/**
 * Claims get the reference and the date of their notice, a scope, an end and the statuses of a dispute; what they name besides the work
 * (addresses, authors, subreddits) is a row each; and the file of the work, which a worker fingerprints.
 */
export const extendClaims: Migration = {
  name: 'ExtendClaims1763750000160',
  up: [
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
  ],
  down: [
    `DROP TABLE IF EXISTS claim_targets`,
    `DROP INDEX IF EXISTS rights_claims_ending`,
    `UPDATE rights_claims SET status = 'withdrawn' WHERE status NOT IN ('active','withdrawn')`,
    `ALTER TABLE rights_claims
     DROP COLUMN IF EXISTS work, DROP COLUMN IF EXISTS status_note, DROP COLUMN IF EXISTS expires_at, DROP COLUMN IF EXISTS scope,
     DROP COLUMN IF EXISTS notice_date, DROP COLUMN IF EXISTS notice_reference,
     DROP CONSTRAINT rights_claims_status_check,
     ADD CONSTRAINT rights_claims_status_check CHECK (status IN ('active','withdrawn'))`,
  ],
};

/** Jobs of the stage that fingerprints the files of claimed works. */
export const addRegisterStage: Migration = {
  name: 'AddRegisterStage1763750000161',
  up: [
    `ALTER TABLE stage_jobs DROP CONSTRAINT stage_jobs_stage_check,
      ADD CONSTRAINT stage_jobs_stage_check CHECK (stage IN ('collect','download','dmca','ai','post','reconcile','register'))`,
  ],
  down: [
    `DELETE FROM stage_jobs WHERE stage = 'register'`,
    `ALTER TABLE stage_jobs DROP CONSTRAINT stage_jobs_stage_check,
      ADD CONSTRAINT stage_jobs_stage_check CHECK (stage IN ('collect','download','dmca','ai','post','reconcile'))`,
  ],
};

/**
 * What administrators answered about matches, which holds for the future; takedown notices with what was done about them; the cases of posts
 * that show a claimed work; and the strikes of the account. No table refers to `content_items`: their rows outlive a cleared post.
 */
export const answerMatches: Migration = {
  name: 'AnswerMatches1763750000162',
  up: [
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
  ],
  down: ['account_strikes', 'rights_cases', 'takedown_notices', 'rights_answers'].map((table) => `DROP TABLE IF EXISTS ${table}`),
};

/**
 * The provenance of each item: append-only, each record with the hash of the one before it. `body` is text, because the hash is of its exact
 * characters.
 */
export const recordProvenance: Migration = {
  name: 'RecordProvenance1763750000163',
  up: [
    `CREATE TABLE provenance_records (
    item_id uuid NOT NULL,
    seq integer NOT NULL,
    kind text NOT NULL CHECK (kind ~ '^[a-z_]+$'),
    body text NOT NULL,
    recorded_at timestamptz(3) NOT NULL,
    previous_hash text NOT NULL,
    hash text NOT NULL,
    PRIMARY KEY (item_id, seq)
  )`,
    `CREATE FUNCTION refuse_provenance_change() RETURNS trigger LANGUAGE plpgsql AS
   $$ BEGIN RAISE EXCEPTION 'provenance records are append-only'; END $$`,
    `CREATE TRIGGER provenance_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON provenance_records
   FOR EACH STATEMENT EXECUTE FUNCTION refuse_provenance_change()`,
  ],
  down: [`DROP TABLE IF EXISTS provenance_records`, `DROP FUNCTION IF EXISTS refuse_provenance_change()`],
};

/**
 * Permissions of authors with their requests, answers and proofs, and subreddits whose posts wait for one. Reasons of cases become an open
 * list: a revoked permission is one.
 */
export const recordPermissions: Migration = {
  name: 'RecordPermissions1763750000240',
  up: [
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
  ],
  down: [
    `DELETE FROM rights_cases WHERE reason NOT IN ('claim','notice','source_removed')`,
    `ALTER TABLE rights_cases DROP CONSTRAINT IF EXISTS rights_cases_reason_check,
     ADD CONSTRAINT rights_cases_reason_check CHECK (reason IN ('claim','notice','source_removed'))`,
    `ALTER TABLE subreddits DROP COLUMN IF EXISTS needs_permission`,
    `DROP TABLE IF EXISTS rights_permissions`,
  ],
};

/** What administrators say about the originality of posts. No reference to `content_items`: published posts count after they were cleared. */
export const markOriginality: Migration = {
  name: 'MarkOriginality1763750000241',
  up: [
    `CREATE TABLE originality_marks (
        item_id uuid PRIMARY KEY,
        kind text NOT NULL CHECK (kind IN ('original','edited')),
        marked_by text NOT NULL,
        marked_at timestamptz(3) NOT NULL DEFAULT now()
      )`,
  ],
  down: [`DROP TABLE IF EXISTS originality_marks`],
};

/** Posts that a claim never stops, by address, author or subreddit. An entry that was ended stays, with who made it and why. */
export const allowBesideClaims: Migration = {
  name: 'AllowBesideClaims1763750000242',
  up: [
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
    `CREATE INDEX allow_entries_by_claim ON allow_entries (claim_id) WHERE ended_at IS NULL`,
  ],
  down: [`DROP TABLE IF EXISTS allow_entries`],
};

/**
 * One number per claim and item of the register, in the order of their commits. Fingerprints are written without waiting for others, so that their
 * own numbers say nothing about that order.
 */
export const numberTheRegister: Migration = {
  name: 'NumberTheRegister1763750000251',
  up: [
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
  ],
  down: [`CREATE INDEX fingerprints_by_seq ON fingerprints (seq)`, `DROP TABLE register_entries`, `DROP SEQUENCE register_numbers`],
};

/**
 * Sounds by the items of their Chromaprint print. Items are rare in other sounds, which the planner's statistics of arrays do not see: they would
 * make it read all rows.
 */
export const printSounds: Migration = {
  name: 'PrintSounds1763750000340',
  up: [
    `CREATE TABLE sound_prints (
    owner_kind text NOT NULL CHECK (owner_kind IN ('claim','item')),
    owner_id uuid NOT NULL,
    file_no integer NOT NULL,
    state text NOT NULL CHECK (state ~ '^[a-z_]+$'),
    items int[] NOT NULL CHECK (cardinality(items) <= 1000),
    PRIMARY KEY (owner_kind, owner_id, file_no)
  )`,
    `ALTER TABLE sound_prints ALTER COLUMN items SET STATISTICS 0`,
    `CREATE INDEX sound_prints_by_items ON sound_prints USING gin (items) WITH (fastupdate = off)`,
  ],
  down: [`DROP TABLE IF EXISTS sound_prints`],
};

/** An account may require the permission of authors, as a subreddit may. */
export const requirePermissions: Migration = {
  name: 'RequirePermissions1763750000400',
  up: [`ALTER TABLE instagram_accounts ADD COLUMN needs_permission boolean NOT NULL DEFAULT false`],
  down: [`ALTER TABLE instagram_accounts DROP COLUMN IF EXISTS needs_permission`],
};

/** Who permits a collaboration only names the Instagram account that must take part. */
export const permitCollaborations: Migration = {
  name: 'PermitCollaborations1763750000401',
  up: [`ALTER TABLE rights_permissions ADD COLUMN collaborator text`],
  down: [`ALTER TABLE rights_permissions DROP COLUMN IF EXISTS collaborator`],
};

/** Refused and revoked permissions are looked up for each post, too. */
export const indexAnswers: Migration = {
  name: 'IndexAnswers1763750000290',
  up: [
    `DROP INDEX IF EXISTS rights_permissions_by_key`,
    `CREATE INDEX rights_permissions_by_key ON rights_permissions (key, kind) WHERE status <> 'requested'`,
  ],
  down: [
    `DROP INDEX IF EXISTS rights_permissions_by_key`,
    `CREATE INDEX rights_permissions_by_key ON rights_permissions (key, kind) WHERE status = 'granted'`,
  ],
};

/** The frames that a decision compared, some of which outlive the files they are from. */
export const keepMatchedFrames: Migration = {
  name: 'KeepMatchedFrames1763750000510',
  up: [
    `CREATE TABLE rights_frames (
    item_id uuid NOT NULL,
    other_kind text NOT NULL CHECK (other_kind IN ('claim','item')),
    other_id uuid NOT NULL,
    file_no integer NOT NULL,
    side text NOT NULL CHECK (side IN ('ours','theirs')),
    at_seconds double precision,
    content_type text NOT NULL,
    sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    bytes bytea NOT NULL CHECK (length(bytes) <= 1048576),
    PRIMARY KEY (item_id, other_kind, other_id, file_no, side, sha256)
  )`,
    `CREATE INDEX rights_frames_of_other ON rights_frames (other_id)`,
  ],
  down: [`DROP TABLE IF EXISTS rights_frames`],
};

const places = Array.from({ length: 16 }, (_word, place) => place);

/**
 * One covering index for each of the 16 words of a hash: it also holds the hash, so that a search compares without fetching rows. Rows that
 * vacuum has not seen since they were written are still fetched, so vacuum runs when they are more than a 50th of the table.
 */
export const coverTheWords: Migration = {
  name: 'CoverTheWords1763750000530',
  up: [
    ...places.map(
      (place) =>
        `CREATE INDEX fingerprints_by_word_${place} ON fingerprints ((substring(pdq_bits FROM ${place * 16 + 1} FOR 16)::bit(16)::int), pdq_bits)
         INCLUDE (is_query, is_reference) WHERE pdq_quality >= 50`,
    ),
    `ALTER TABLE fingerprints SET (autovacuum_vacuum_insert_scale_factor = 0.02)`,
    `DROP INDEX fingerprints_by_reference_words, fingerprints_by_query_words`,
  ],
  down: [
    ...index('fingerprints_by_reference_words', 'is_reference'),
    ...index('fingerprints_by_query_words', 'is_query'),
    `ALTER TABLE fingerprints RESET (autovacuum_vacuum_insert_scale_factor)`,
    `DROP INDEX IF EXISTS ${places.map((place) => `fingerprints_by_word_${place}`).join(', ')}`,
  ],
};

/** The version of the prints of each owner; 0 for those of programs that did not record it. */
export const versionPrints: Migration = {
  name: 'VersionPrints1763750000570',
  up: [
    `ALTER TABLE register_entries ADD COLUMN version integer NOT NULL DEFAULT 0`,
    `CREATE INDEX register_entries_by_version ON register_entries (version, no)`,
  ],
  down: [`DROP INDEX IF EXISTS register_entries_by_version`, `ALTER TABLE register_entries DROP COLUMN IF EXISTS version`],
};

export const addRetrieveStage: Migration = {
  name: 'AddRetrieveStage1763750000580',
  up: [
    `ALTER TABLE stage_jobs DROP CONSTRAINT stage_jobs_stage_check,
      ADD CONSTRAINT stage_jobs_stage_check CHECK (stage IN ('collect','download','dmca','ai','post','reconcile','retrieve','register'))`,
  ],
  down: [
    `DELETE FROM stage_jobs WHERE stage = 'retrieve'`,
    `ALTER TABLE stage_jobs DROP CONSTRAINT stage_jobs_stage_check,
      ADD CONSTRAINT stage_jobs_stage_check CHECK (stage IN ('collect','download','dmca','ai','post','reconcile','register'))`,
  ],
};

/** When the end of a permission was acted on. Those that ended before are acted on at once. */
export const endPermissions: Migration = {
  name: 'EndPermissions1763750000610',
  up: [
    `ALTER TABLE rights_permissions ADD COLUMN ended_at timestamptz`,
    `CREATE INDEX rights_permissions_to_end ON rights_permissions (expires_at) WHERE status = 'granted' AND ended_at IS NULL`,
  ],
  down: [`DROP INDEX IF EXISTS rights_permissions_to_end`, `ALTER TABLE rights_permissions DROP COLUMN IF EXISTS ended_at`],
};

/** The upheld notices by which an author became a repeat infringer: the claim on the author ends with them. */
export const explainAuthorClaims: Migration = {
  name: 'ExplainAuthorClaims1763750000720',
  up: [`ALTER TABLE rights_claims ADD COLUMN upheld_notices uuid[]`],
  down: [`ALTER TABLE rights_claims DROP COLUMN IF EXISTS upheld_notices`],
};
