import type { Migration } from './migration';

const ITEMS = [
  `CREATE TABLE content_items (
    id uuid PRIMARY KEY,
    platform text NOT NULL CHECK (platform IN ('reddit','instagram')),
    source_id text NOT NULL,
    original_url text NOT NULL,
    title text NOT NULL DEFAULT '',
    author text,
    subreddit text,
    post_type text NOT NULL DEFAULT 'other' CHECK (post_type IN ('video','image','gallery','text','link','other')),
    media_type text NOT NULL DEFAULT 'other' CHECK (media_type IN ('video','image','other')),
    nsfw boolean NOT NULL DEFAULT false,
    source_created_at timestamptz(3),
    score integer,
    upvote_ratio real,
    likes integer,
    source_post jsonb,
    top_comments jsonb NOT NULL DEFAULT '[]',
    auto_process_stage text NOT NULL CHECK (auto_process_stage IN ('dmcaProtection','aiCaption','processedContent','queuePost')),
    state text NOT NULL CHECK (state IN ('accepted','downloading','downloaded','protecting','protected','captioning','ready','queued','posting','posted','failed','blocked','discarded','deleted')),
    failed_stage text CHECK (failed_stage IN ('download','dmca','ai')),
    needs_review boolean NOT NULL DEFAULT false,
    review_reasons jsonb NOT NULL DEFAULT '[]',
    version integer NOT NULL DEFAULT 1,
    retry_count integer NOT NULL DEFAULT 0,
    max_retries integer NOT NULL DEFAULT 3,
    processing_errors jsonb NOT NULL DEFAULT '[]',
    failure_seen_at timestamptz(3),
    subreddit_id uuid,
    collect_run_id uuid,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    UNIQUE (platform, source_id)
  )`,
  `CREATE INDEX content_items_by_state ON content_items (state, updated_at DESC, id)`,
  `CREATE INDEX content_items_by_created ON content_items (created_at DESC, id)`,
  `CREATE TABLE media_files (
    id uuid PRIMARY KEY,
    item_id uuid NOT NULL REFERENCES content_items (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('original','processed','cover')),
    position integer NOT NULL DEFAULT 0,
    media_type text NOT NULL CHECK (media_type IN ('video','image')),
    object_key text NOT NULL,
    file_name text NOT NULL,
    content_type text NOT NULL,
    bytes bigint NOT NULL,
    sha256 text NOT NULL,
    width integer,
    height integer,
    duration_seconds real,
    has_audio boolean,
    storage_type text NOT NULL DEFAULT 'local' CHECK (storage_type IN ('cdn','local')),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    UNIQUE (item_id, role, position)
  )`,
  `CREATE INDEX media_files_by_sha256 ON media_files (sha256)`,
];

const RIGHTS = [
  // Works that somebody claimed: the register that `dmca` matches against. A claim keeps its fingerprints even without a file.
  `CREATE TABLE rights_claims (
    id uuid PRIMARY KEY,
    title text NOT NULL,
    claimant text NOT NULL,
    contact text,
    source_url text,
    note text,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active','withdrawn')),
    created_by text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  // Fingerprints of claims, of collected items and of what was published; those of tombstones stay.
  `CREATE TABLE fingerprints (
    id uuid PRIMARY KEY,
    owner_kind text NOT NULL CHECK (owner_kind IN ('claim','item')),
    owner_id uuid NOT NULL,
    sha256 text,
    pdq_hash text CHECK (length(pdq_hash) = 64),
    pdq_quality integer,
    at_seconds real,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX fingerprints_by_sha256 ON fingerprints (sha256) WHERE sha256 IS NOT NULL`,
  `CREATE INDEX fingerprints_by_owner ON fingerprints (owner_kind, owner_id)`,
  `CREATE TABLE rights_verdicts (
    item_id uuid PRIMARY KEY REFERENCES content_items (id) ON DELETE CASCADE,
    verdict text NOT NULL CHECK (verdict IN ('clear','flagged','blocked')),
    reasons jsonb NOT NULL DEFAULT '[]',
    matches jsonb NOT NULL DEFAULT '[]',
    provenance jsonb NOT NULL DEFAULT '{}',
    decided_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
];

const CAPTIONS = [
  `CREATE TABLE captions (
    item_id uuid PRIMARY KEY REFERENCES content_items (id) ON DELETE CASCADE,
    caption text NOT NULL,
    hashtags jsonb NOT NULL DEFAULT '[]',
    variations jsonb NOT NULL DEFAULT '[]',
    analysis text,
    visuals jsonb,
    text_analysis jsonb,
    vision_model text,
    caption_model text NOT NULL,
    options jsonb NOT NULL DEFAULT '{}',
    violations jsonb NOT NULL DEFAULT '[]',
    edited_by text,
    edited_at timestamptz(3),
    processed_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE quota_usage (
    name text NOT NULL,
    day date NOT NULL,
    used integer NOT NULL DEFAULT 0,
    PRIMARY KEY (name, day)
  )`,
];

const QUEUE = [
  `CREATE TABLE queue_items (
    id uuid PRIMARY KEY,
    item_id uuid NOT NULL REFERENCES content_items (id),
    status text NOT NULL CHECK (status IN ('pending','scheduled','posting','posted','failed','cancelled')),
    priority integer NOT NULL DEFAULT 5 CHECK (priority BETWEEN 0 AND 10),
    caption text NOT NULL,
    immediate boolean NOT NULL DEFAULT false,
    pinned boolean NOT NULL DEFAULT false,
    scheduled_for timestamptz(3),
    queued_at timestamptz(3) NOT NULL DEFAULT now(),
    finished_at timestamptz(3),
    outcome text CHECK (outcome IN ('unknown')),
    failure jsonb,
    version integer NOT NULL DEFAULT 1,
    queued_by text NOT NULL
  )`,
  `CREATE UNIQUE INDEX queue_items_one_open ON queue_items (item_id) WHERE status IN ('pending','scheduled','posting')`,
  `CREATE INDEX queue_items_by_slot ON queue_items (scheduled_for, id)`,
  `CREATE INDEX queue_items_by_status ON queue_items (status, scheduled_for, id)`,
  // The ledger of attempts to publish. The two partial indexes are what keeps a post from going out twice.
  `CREATE TABLE publish_attempts (
    id uuid PRIMARY KEY,
    item_id uuid NOT NULL,
    queue_item_id uuid NOT NULL,
    account_id text NOT NULL,
    state text NOT NULL CHECK (state IN ('open','container','intent','unknown','published','failed')),
    kind text NOT NULL DEFAULT 'reel' CHECK (kind IN ('reel','image','carousel')),
    caption text NOT NULL,
    caption_hash text NOT NULL,
    media_sha256 text NOT NULL,
    container_id text,
    containers_made integer NOT NULL DEFAULT 0,
    intent_at timestamptz(3),
    quota_used_before integer,
    looks integer NOT NULL DEFAULT 0,
    next_look_at timestamptz(3),
    media_id text,
    media_type text,
    permalink text,
    published_at timestamptz(3),
    settled_by text CHECK (settled_by IN ('answer','reconcile','person')),
    failure jsonb,
    version integer NOT NULL DEFAULT 1,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE UNIQUE INDEX publish_attempts_one_open_per_item ON publish_attempts (item_id) WHERE state IN ('open','container','intent','unknown')`,
  `CREATE UNIQUE INDEX publish_attempts_one_live_per_item ON publish_attempts (item_id) WHERE state = 'published'`,
  `CREATE UNIQUE INDEX publish_attempts_one_media ON publish_attempts (account_id, media_id) WHERE media_id IS NOT NULL`,
  `CREATE INDEX publish_attempts_by_account ON publish_attempts (account_id, state)`,
  `CREATE INDEX publish_attempts_by_caption ON publish_attempts (account_id, caption_hash)`,
];

const SOURCES = [
  `CREATE TABLE subreddits (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    interval_minutes integer NOT NULL CHECK (interval_minutes BETWEEN 5 AND 1440),
    posts_to_fetch integer NOT NULL CHECK (posts_to_fetch BETWEEN 1 AND 100),
    time_period text NOT NULL CHECK (time_period IN ('hour','day','week','month','year')),
    auto_process_stage text NOT NULL CHECK (auto_process_stage IN ('dmcaProtection','aiCaption','processedContent','queuePost')),
    filters jsonb NOT NULL,
    next_run_at timestamptz(3),
    total_runs integer NOT NULL DEFAULT 0,
    successful_runs integer NOT NULL DEFAULT 0,
    total_posts_scraped integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
  `CREATE UNIQUE INDEX subreddits_one_name ON subreddits (lower(name))`,
  `CREATE TABLE collect_runs (
    id uuid PRIMARY KEY,
    subreddit_id uuid NOT NULL REFERENCES subreddits (id) ON DELETE CASCADE,
    state text NOT NULL CHECK (state IN ('requested','running','done','failed')),
    asked_by text NOT NULL,
    listed integer,
    accepted integer,
    skipped integer,
    failure jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    finished_at timestamptz(3)
  )`,
  `CREATE UNIQUE INDEX collect_runs_one_open ON collect_runs (subreddit_id) WHERE state IN ('requested','running')`,
  `CREATE TABLE skipped_posts (
    id uuid PRIMARY KEY,
    subreddit text NOT NULL,
    platform text NOT NULL DEFAULT 'reddit',
    source_id text NOT NULL,
    original_url text NOT NULL,
    reason text NOT NULL,
    additional_info text,
    error_message text,
    title text,
    author text,
    post_type text,
    score integer NOT NULL DEFAULT 0,
    source_created_at timestamptz(3),
    skipped_at timestamptz(3) NOT NULL DEFAULT now(),
    item_id uuid,
    UNIQUE (subreddit, source_id)
  )`,
  `CREATE INDEX skipped_posts_by_time ON skipped_posts (skipped_at DESC, id)`,
  `CREATE INDEX skipped_posts_by_reason ON skipped_posts (reason, skipped_at DESC)`,
  `CREATE INDEX skipped_posts_by_subreddit ON skipped_posts (subreddit, skipped_at DESC)`,
];

const PIPELINE = [
  // One row per asked run of a stage; made in the transaction that asks, so that nothing depends on a message arriving.
  `CREATE TABLE stage_jobs (
    id uuid PRIMARY KEY,
    stage text NOT NULL CHECK (stage IN ('collect','download','dmca','ai','post','reconcile')),
    subject_id uuid NOT NULL,
    item_id uuid,
    message_key text NOT NULL,
    state text NOT NULL CHECK (state IN ('requested','running','waiting','retrying','done','dead','cancelled')),
    turn integer NOT NULL DEFAULT 1,
    attempts integer NOT NULL DEFAULT 0,
    max_attempts integer NOT NULL,
    options jsonb NOT NULL DEFAULT '{}',
    journal jsonb NOT NULL DEFAULT '{}',
    intent_step text,
    lease_owner text,
    lease_until timestamptz(3),
    fence bigint NOT NULL DEFAULT 0,
    due_at timestamptz(3),
    wait_reason text,
    failure jsonb,
    history jsonb NOT NULL DEFAULT '[]',
    correlation_id uuid NOT NULL,
    causation_id uuid,
    traceparent text,
    requested_at timestamptz(3) NOT NULL DEFAULT now(),
    swept integer NOT NULL DEFAULT 0,
    started_at timestamptz(3),
    finished_at timestamptz(3)
  )`,
  `CREATE UNIQUE INDEX stage_jobs_one_open ON stage_jobs (stage, subject_id) WHERE state IN ('requested','running','waiting','retrying')`,
  // One publishing account is touched by one job at a time.
  `CREATE UNIQUE INDEX stage_jobs_one_running_per_account ON stage_jobs (message_key) WHERE state = 'running' AND stage IN ('post','reconcile')`,
  `CREATE INDEX stage_jobs_expired ON stage_jobs (stage, lease_until) WHERE state = 'running'`,
  `CREATE INDEX stage_jobs_due ON stage_jobs (due_at) WHERE state IN ('waiting','retrying')`,
  `CREATE INDEX stage_jobs_requested ON stage_jobs (requested_at) WHERE state = 'requested'`,
  `CREATE INDEX stage_jobs_by_item ON stage_jobs (item_id)`,
  `CREATE INDEX stage_jobs_dead ON stage_jobs (stage, finished_at) WHERE state = 'dead'`,
  // A message waits here until the relay has put it on the bus; claimed by row state, never by "id greater than last seen".
  `CREATE TABLE outbox (
    id uuid PRIMARY KEY,
    topic text NOT NULL,
    key text NOT NULL,
    envelope jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    sent_at timestamptz(3)
  )`,
  `CREATE INDEX outbox_unsent ON outbox (created_at, id) WHERE sent_at IS NULL`,
  `CREATE INDEX outbox_sent ON outbox (sent_at) WHERE sent_at IS NOT NULL`,
  // What happened, for the live stream and the item's history. `seq` is given under a lock at the end of the transaction, so that a
  // reader that has seen N never misses a smaller one.
  `CREATE TABLE event_history (
    seq bigint PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    type text NOT NULL,
    subject_id uuid NOT NULL,
    item_id uuid,
    stage text,
    state text,
    reason text,
    correlation_id uuid NOT NULL,
    actor text NOT NULL DEFAULT 'system',
    occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE INDEX event_history_by_item ON event_history (item_id, seq)`,
  `CREATE TABLE event_sequence (one boolean PRIMARY KEY DEFAULT true CHECK (one), last bigint NOT NULL)`,
  `INSERT INTO event_sequence (last) VALUES (0)`,
  // Messages that could not be read: kept with their text and reason, so that nothing is lost and the consumer goes on.
  `CREATE TABLE quarantined_messages (
    id uuid PRIMARY KEY,
    topic text NOT NULL,
    partition integer,
    message_offset text,
    body text NOT NULL,
    reason text NOT NULL,
    received_at timestamptz(3) NOT NULL DEFAULT now()
  )`,
];

const OPERATIONS = [
  // Leases for the clock and for relays: taken and renewed on the database clock, with a fence.
  `CREATE TABLE leases (name text PRIMARY KEY, owner text NOT NULL, fence bigint NOT NULL, until timestamptz(3) NOT NULL)`,
  `CREATE TABLE settings (name text PRIMARY KEY, value jsonb NOT NULL, updated_at timestamptz(3) NOT NULL DEFAULT now(), updated_by text NOT NULL DEFAULT 'system')`,
  `CREATE TABLE task_runs (
    id text PRIMARY KEY,
    run_count integer NOT NULL DEFAULT 0,
    error_count integer NOT NULL DEFAULT 0,
    last_run_at timestamptz(3),
    last_error_at timestamptz(3),
    last_error text
  )`,
  // What workers found out about their tools and accounts, told with its age.
  `CREATE TABLE worker_reports (name text PRIMARY KEY, report jsonb NOT NULL, reported_by text NOT NULL, reported_at timestamptz(3) NOT NULL DEFAULT now())`,
  `CREATE TABLE audit_log (id uuid PRIMARY KEY, actor text NOT NULL, action text NOT NULL, subject text, detail jsonb NOT NULL DEFAULT '{}', at timestamptz(3) NOT NULL DEFAULT now())`,
  `CREATE TABLE revoked_sessions (session_id uuid PRIMARY KEY, expires_at timestamptz(3) NOT NULL)`,
  `CREATE TABLE browser_logs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, level text NOT NULL, message text NOT NULL, source text, logged_at timestamptz(3) NOT NULL)`,
];

const TABLES = [
  'browser_logs',
  'revoked_sessions',
  'audit_log',
  'worker_reports',
  'task_runs',
  'settings',
  'leases',
  'quarantined_messages',
  'event_sequence',
  'event_history',
  'outbox',
  'stage_jobs',
  'skipped_posts',
  'collect_runs',
  'subreddits',
  'publish_attempts',
  'queue_items',
  'quota_usage',
  'captions',
  'rights_verdicts',
  'fingerprints',
  'rights_claims',
  'media_files',
  'content_items',
];

/**
 * The first schema. Every status column is a plain text with a check, so that the words in SQL and in `domain` are the same;
 * every time is set by the database clock, in milliseconds, so that what JavaScript read compares equal to what is stored; ids are UUIDv7
 * made by the writer.
 */
export const createSchema: Migration = {
  name: 'CreateSchema1763700000000',
  up: [...[...ITEMS, ...RIGHTS, ...CAPTIONS, ...QUEUE, ...SOURCES, ...PIPELINE, ...OPERATIONS]],
  down: [...TABLES.map((table) => `DROP TABLE IF EXISTS ${table} CASCADE`)],
};

/** The tables of the bus on Postgres. They are there with Kafka too, empty, so that an installation can change its bus. */
export const createBus: Migration = {
  name: 'CreateBus1763700000001',
  up: [
    `CREATE TABLE bus_topics (name text PRIMARY KEY, retention_ms bigint NOT NULL)`,
    `CREATE TABLE bus_groups (
    group_name text NOT NULL,
    topic text NOT NULL REFERENCES bus_topics (name) ON DELETE CASCADE,
    PRIMARY KEY (group_name, topic)
  )`,
    `CREATE TABLE bus_messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic text NOT NULL REFERENCES bus_topics (name) ON DELETE CASCADE,
    key text NOT NULL,
    value text NOT NULL,
    published_at timestamptz NOT NULL DEFAULT now()
  )`,
    `CREATE INDEX bus_messages_by_age ON bus_messages (topic, published_at)`,
    `CREATE TABLE bus_deliveries (
    group_name text NOT NULL,
    topic text NOT NULL,
    message_id bigint NOT NULL REFERENCES bus_messages (id) ON DELETE CASCADE,
    key text NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now(),
    owner uuid,
    PRIMARY KEY (group_name, topic, message_id),
    FOREIGN KEY (group_name, topic) REFERENCES bus_groups (group_name, topic) ON DELETE CASCADE
  )`,
    `CREATE INDEX bus_deliveries_by_key ON bus_deliveries (group_name, topic, key, message_id)`,
    `CREATE INDEX bus_deliveries_by_message ON bus_deliveries (message_id)`,
  ],
  down: ['bus_deliveries', 'bus_messages', 'bus_groups', 'bus_topics'].map((table) => `DROP TABLE IF EXISTS ${table}`),
};
