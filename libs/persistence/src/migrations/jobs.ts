import type { Migration } from './migration';

/** The running worker processes; each renews `seen_at`. */
export const addWorkers: Migration = {
  name: 'AddWorkers1763742000000',
  up: [
    `CREATE TABLE workers (
      id text PRIMARY KEY,
      stages text[] NOT NULL,
      since timestamptz(3) NOT NULL DEFAULT now(),
      seen_at timestamptz(3) NOT NULL DEFAULT now()
    )`,
    `CREATE INDEX quarantined_messages_by_time ON quarantined_messages (received_at DESC, id DESC)`,
  ],
  down: ['DROP INDEX IF EXISTS quarantined_messages_by_time', 'DROP TABLE IF EXISTS workers'],
};

/** Makes the writes of every item cheaper: no row on which all commits wait, no look-up of a parent that is never deleted. */
export const lightenHotPath: Migration = {
  name: 'LightenHotPath1763743000000',
  up: [
    // Whoever commits events holds the counter's row: with the lock no number is on its way.
    `LOCK TABLE event_sequence IN ACCESS EXCLUSIVE MODE`,
    `CREATE SEQUENCE event_history_numbers AS bigint OWNED BY event_history.seq`,
    `SELECT setval('event_history_numbers', greatest(last, 1), last > 0) FROM event_sequence`,
    `DROP TABLE event_sequence`,
    // The id is the outbox row's too, and nobody looks for an event by it.
    `ALTER TABLE event_history DROP CONSTRAINT event_history_id_key`,
    `ALTER TABLE bus_messages DROP CONSTRAINT bus_messages_topic_fkey`,
    `ALTER TABLE bus_deliveries DROP CONSTRAINT bus_deliveries_group_name_topic_fkey`,
    `ALTER TABLE bus_deliveries DROP CONSTRAINT bus_deliveries_message_id_fkey`,
  ],
  down: [
    `ALTER TABLE bus_deliveries ADD FOREIGN KEY (message_id) REFERENCES bus_messages (id) ON DELETE CASCADE`,
    `ALTER TABLE bus_deliveries ADD FOREIGN KEY (group_name, topic) REFERENCES bus_groups (group_name, topic) ON DELETE CASCADE`,
    `ALTER TABLE bus_messages ADD FOREIGN KEY (topic) REFERENCES bus_topics (name) ON DELETE CASCADE`,
    `ALTER TABLE event_history ADD CONSTRAINT event_history_id_key UNIQUE (id)`,
    `CREATE TABLE event_sequence (one boolean PRIMARY KEY DEFAULT true CHECK (one), last bigint NOT NULL)`,
    `INSERT INTO event_sequence (last) SELECT coalesce(max(seq), 0) FROM event_history`,
    `DROP SEQUENCE event_history_numbers`,
  ],
};

/** What a recorded change changed, and the keys of idempotent calls. */
export const auditAndIdempotency: Migration = {
  name: 'AuditAndIdempotency1763744000000',
  up: [
    `ALTER TABLE audit_log ADD COLUMN before jsonb, ADD COLUMN after jsonb, ADD COLUMN request_id text`,
    `CREATE INDEX audit_log_newest ON audit_log (at DESC, id DESC)`,
    `CREATE TABLE idempotent_calls (
    actor text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done')),
    answer jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (actor, key)
  )`,
    `CREATE INDEX idempotent_calls_by_age ON idempotent_calls (created_at)`,
  ],
  down: [
    `DROP TABLE IF EXISTS idempotent_calls`,
    `DROP INDEX IF EXISTS audit_log_newest`,
    `ALTER TABLE audit_log DROP COLUMN IF EXISTS before, DROP COLUMN IF EXISTS after, DROP COLUMN IF EXISTS request_id`,
  ],
};

/** Runs over all ready files have a name by which they can be cancelled, and tasks of the clock remember their last runs. */
export const runsAndTasks: Migration = {
  name: 'RunsAndTasks1763745000000',
  up: [
    // Its files are the jobs that have its id as their correlation.
    `CREATE TABLE stage_runs (
      id uuid PRIMARY KEY,
      stage text NOT NULL CHECK (stage IN ('dmca','ai')),
      started_by text NOT NULL,
      started_at timestamptz(3) NOT NULL DEFAULT now()
    )`,
    `ALTER TABLE task_runs ADD COLUMN recent_runs jsonb NOT NULL DEFAULT '[]'`,
  ],
  down: ['ALTER TABLE task_runs DROP COLUMN recent_runs', 'DROP TABLE stage_runs'],
};

/** Which sign-ins became a session, so that their token is taken once. */
export const addRedeemedSignIns: Migration = {
  name: 'AddRedeemedSignIns1763750000040',
  up: ['CREATE TABLE redeemed_sign_ins (session_id uuid PRIMARY KEY, expires_at timestamptz NOT NULL)'],
  down: ['DROP TABLE IF EXISTS redeemed_sign_ins'],
};

/**
 * A message that a topic refuses is parked: it is due again later, and the messages of other topics go before it. The relay asks for the due
 * messages of each topic apart, so that the backlog of one topic is not read for the others. Constant defaults rewrite no row.
 */
export const parkOutboxMessages: Migration = {
  name: 'ParkOutboxMessages1763750000050',
  up: [
    // in full precision: a message of this moment is due at once
    `ALTER TABLE outbox
     ADD COLUMN due_at timestamptz NOT NULL DEFAULT now(),
     ADD COLUMN attempts integer NOT NULL DEFAULT 0,
     ADD COLUMN failure text`,
    `CREATE INDEX outbox_due ON outbox (topic, due_at, id) WHERE sent_at IS NULL`,
  ],
  down: [
    `DROP INDEX IF EXISTS outbox_due`,
    `ALTER TABLE outbox DROP COLUMN IF EXISTS failure, DROP COLUMN IF EXISTS attempts, DROP COLUMN IF EXISTS due_at`,
  ],
};

/**
 * The newest run of a subreddit and the failed runs are found in an index, and so is everything that retention removes. Building an index
 * holds back writes to its table, not reads.
 */
export const indexOldRows: Migration = {
  name: 'IndexOldRows1763750000070',
  up: [
    `CREATE INDEX stage_jobs_closed ON stage_jobs (finished_at) WHERE state IN ('done','cancelled')`,
    `CREATE INDEX collect_runs_newest ON collect_runs (subreddit_id, created_at DESC, id DESC)`,
    `CREATE INDEX collect_runs_failed ON collect_runs (finished_at) WHERE state = 'failed'`,
    `CREATE INDEX collect_runs_by_age ON collect_runs (created_at)`,
    `CREATE INDEX quarantined_messages_newest ON quarantined_messages (received_at DESC, id DESC)`,
    `CREATE INDEX stage_runs_by_age ON stage_runs (started_at)`,
    `CREATE INDEX revoked_sessions_by_end ON revoked_sessions (expires_at)`,
    // Below quality 50 a picture matches nothing.
    `CREATE INDEX fingerprints_unusable ON fingerprints (owner_id) WHERE owner_kind = 'item' AND sha256 IS NULL AND pdq_quality < 50`,
  ],
  down: [
    ...['stage_jobs_closed', 'collect_runs_newest', 'collect_runs_failed', 'collect_runs_by_age'],
    ...['quarantined_messages_newest', 'stage_runs_by_age', 'fingerprints_unusable', 'revoked_sessions_by_end'],
  ].map((index) => `DROP INDEX ${index}`),
};

/** Since when the bus refuses a message: a failure that lasts is shown, one that is over after a restart of the bus is not. */
export const dateRefusedMessages: Migration = {
  name: 'DateRefusedMessages1763750000091',
  up: [`ALTER TABLE outbox ADD COLUMN refused_at timestamptz(3)`],
  down: [`ALTER TABLE outbox DROP COLUMN IF EXISTS refused_at`],
};

/** The only caption reason that was not stored with the caption. */
const WRITTEN_BY_HAND = 'The caption was written by hand, without a look of the models at the file.';

/**
 * Items store review reasons as codes with values. A sentence of an older program becomes the code `stored_text` with the result it came
 * with, so that the next caption or rights check replaces it. Programs that still write sentences are understood.
 */
export const codeReviewReasons: Migration = {
  name: 'CodeReviewReasons1763750000110',
  up: [
    `
      UPDATE content_items i SET review_reasons = (
        SELECT jsonb_agg(
          CASE jsonb_typeof(reason) WHEN 'string' THEN jsonb_build_object('code', 'stored_text', 'fields', jsonb_build_object(
            'text', reason,
            'origin', CASE
              WHEN d.reasons @> reason OR d.provenance->'notes' @> reason THEN 'rights'
              WHEN c.violations @> reason OR reason = to_jsonb('${WRITTEN_BY_HAND}'::text) THEN 'caption'
              ELSE 'source'
            END))
          ELSE reason END ORDER BY position)
        FROM jsonb_array_elements(i.review_reasons) WITH ORDINALITY AS r(reason, position)
        LEFT JOIN captions c ON c.item_id = i.id
        LEFT JOIN rights_verdicts d ON d.item_id = i.id)
      WHERE jsonb_path_exists(i.review_reasons, '$[*] ? (@.type() == "string")')`,
  ],
  down: [
    `
      UPDATE content_items i SET review_reasons = (
        SELECT jsonb_agg(coalesce(reason->'fields'->'text', reason) ORDER BY position)
        FROM jsonb_array_elements(i.review_reasons) WITH ORDINALITY AS r(reason, position))
      WHERE jsonb_path_exists(i.review_reasons, '$[*] ? (@.code == "stored_text")')`,
  ],
};

/**
 * Workers claim jobs from their rows. The tables of the former bus stay for programs of the previous version, which may still run; what they
 * leave there is deleted by age, and a later migration drops them. No request is lost with them: each has its row here.
 */
export const rowsAreTheQueue: Migration = {
  name: 'RowsAreTheQueue1763750000120',
  up: [
    // in the order in which jobs are claimed
    `CREATE INDEX stage_jobs_next ON stage_jobs (stage, for_person DESC, requested_at, id) WHERE state = 'requested'`,
    `DROP INDEX stage_jobs_requested`,
    // without the time, so that a renewal changes no index
    `CREATE INDEX stage_jobs_running ON stage_jobs (stage) WHERE state = 'running'`,
    `DROP INDEX stage_jobs_expired`,
    // room beside a row for its next versions: journal entries and renewals then change no index
    `ALTER TABLE stage_jobs SET (fillfactor = 80)`,
    `CREATE INDEX bus_messages_oldest ON bus_messages (published_at)`,
  ],
  down: [
    `DROP INDEX IF EXISTS bus_messages_oldest`,
    `ALTER TABLE stage_jobs RESET (fillfactor)`,
    `CREATE INDEX stage_jobs_expired ON stage_jobs (stage, lease_until) WHERE state = 'running'`,
    `DROP INDEX IF EXISTS stage_jobs_running`,
    `CREATE INDEX stage_jobs_requested ON stage_jobs (requested_at) WHERE state = 'requested'`,
    `DROP INDEX IF EXISTS stage_jobs_next`,
  ],
};

/** Messages to administrators wait in a table, written with what they report: a slow or broken receiver delays neither that nor other channels. */
export const addNotifications: Migration = {
  name: 'AddNotifications1763750000141',
  up: [
    `CREATE TABLE notifications (
      id uuid PRIMARY KEY,
      channel text NOT NULL,
      body jsonb NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      next_at timestamptz(3) NOT NULL DEFAULT now(),
      last_error text,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      sent_at timestamptz(3))`,
    'CREATE INDEX notifications_due ON notifications (next_at, id) WHERE sent_at IS NULL',
    'CREATE INDEX notifications_by_age ON notifications (created_at)',
  ],
  down: ['DROP TABLE IF EXISTS notifications'],
};

const WITH_FAILURES = ['stage_jobs', 'publish_attempts', 'queue_items', 'collect_runs', 'ai_providers'];

/** Gives failures that were stored before codes existed the code `stored_failure`, whose sentence is the one that they have. */
export const codeStoredFailures: Migration = {
  name: 'CodeStoredFailures1763750000190',
  up: WITH_FAILURES.map(
    (table) => `UPDATE ${table} SET failure = failure || jsonb_build_object(
           'code', 'stored_failure', 'action', 'none', 'fields', jsonb_build_object('text', failure->'message'))
         WHERE jsonb_typeof(failure) = 'object' AND failure->'code' IS NULL`,
  ),
  down: WITH_FAILURES.map(
    (table) => `UPDATE ${table} SET failure = failure - '{code,action,fields}'::text[] WHERE failure->>'code' = 'stored_failure'`,
  ),
};

/** Sources take turns: a request counts as made 3 s later for each place in its burst. The index has the order in which jobs are claimed. */
export const takeTurns: Migration = {
  name: 'TakeTurns1763750000320',
  up: [
    `ALTER TABLE stage_jobs ADD COLUMN burst_place integer NOT NULL DEFAULT 0`,
    `CREATE INDEX stage_jobs_in_turn ON stage_jobs (stage, for_person DESC,
      ((requested_at - timestamptz '2000-01-01 00:00:00+00') + burst_place * interval '3 seconds'), id) WHERE state = 'requested'`,
    `DROP INDEX stage_jobs_next`,
  ],
  down: [
    `CREATE INDEX stage_jobs_next ON stage_jobs (stage, for_person DESC, requested_at, id) WHERE state = 'requested'`,
    `DROP INDEX IF EXISTS stage_jobs_in_turn`,
    `ALTER TABLE stage_jobs DROP COLUMN IF EXISTS burst_place`,
  ],
};

/** A claim for people reads a range of `stage_jobs_in_turn`; nothing read this index. */
export const dropPeopleIndex: Migration = {
  name: 'DropPeopleIndex1763750000620',
  up: ['DROP INDEX stage_jobs_for_person'],
  down: [`CREATE INDEX stage_jobs_for_person ON stage_jobs (stage, requested_at) WHERE state = 'requested' AND for_person`],
};

/**
 * The sweep for lost messages reads the next requested jobs of each stage and looks for their messages, instead of all jobs and all messages. Nothing
 * reads messages by their age alone any more.
 */
export const indexTheSweep: Migration = {
  name: 'IndexTheSweep1763750000640',
  up: [
    `CREATE INDEX stage_jobs_unclaimed ON stage_jobs (stage, coalesce(due_at, requested_at)) WHERE state = 'requested'`,
    `CREATE INDEX outbox_requests ON outbox ((envelope->'payload'->>'jobId')) WHERE sent_at IS NULL AND envelope->>'type' = 'stage.requested'`,
    `DROP INDEX outbox_unsent`,
  ],
  down: [
    `CREATE INDEX outbox_unsent ON outbox (created_at, id) WHERE sent_at IS NULL`,
    `DROP INDEX IF EXISTS outbox_requests`,
    `DROP INDEX IF EXISTS stage_jobs_unclaimed`,
  ],
};

/** Postponed and retrying jobs are counted in an index, up to a limit. */
export const countPostponedJobs: Migration = {
  name: 'CountPostponedJobs1763750000650',
  up: [`CREATE INDEX stage_jobs_postponed ON stage_jobs (stage, state, id) WHERE state IN ('waiting','retrying')`],
  down: ['DROP INDEX stage_jobs_postponed'],
};
