import { ENVIRONMENT_ACCOUNT_ID } from '@autoposter/contracts';
import type { Migration } from './migration';

/** An index for each order of the queue's list, and for the time of the last post: all posts that went out stay in this table. */
export const orderTheQueue: Migration = {
  name: 'OrderTheQueue1763743000002',
  up: [
    // The item's subreddit, which never changes, beside the place: an order over two tables has no index.
    `ALTER TABLE queue_items ADD COLUMN subreddit_key text`,
    `UPDATE queue_items q SET subreddit_key = lower(i.subreddit) FROM content_items i WHERE i.id = q.item_id`,
    `CREATE FUNCTION name_queue_subreddit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.subreddit_key := (SELECT lower(subreddit) FROM content_items WHERE id = NEW.item_id);
    RETURN NEW;
  END $$`,
    `CREATE TRIGGER queue_items_subreddit BEFORE INSERT ON queue_items FOR EACH ROW EXECUTE FUNCTION name_queue_subreddit()`,
    `CREATE INDEX queue_items_by_subreddit ON queue_items (subreddit_key, id)`,
    `CREATE INDEX queue_items_by_subreddit_down ON queue_items (subreddit_key DESC NULLS LAST, id DESC)`,
    `CREATE INDEX queue_items_by_status_subreddit ON queue_items (status, subreddit_key, id)`,
    `CREATE INDEX queue_items_by_status_subreddit_down ON queue_items (status, subreddit_key DESC NULLS LAST, id DESC)`,
    // Those without a slot stand last in both directions, which one index cannot give.
    `CREATE INDEX queue_items_by_slot_down ON queue_items (scheduled_for DESC NULLS LAST, id DESC)`,
    `CREATE INDEX queue_items_by_status_down ON queue_items (status, scheduled_for DESC NULLS LAST, id DESC)`,
    `CREATE INDEX queue_items_by_age ON queue_items (queued_at, id)`,
    `CREATE INDEX queue_items_by_status_age ON queue_items (status, queued_at, id)`,
    `CREATE INDEX queue_items_by_priority ON queue_items (priority, id)`,
    `CREATE INDEX queue_items_by_status_priority ON queue_items (status, priority, id)`,
    `CREATE INDEX queue_items_last_post ON queue_items (finished_at) WHERE status = 'posted' AND NOT immediate`,
  ],
  down: [
    ...['by_slot_down', 'by_status_down', 'by_age', 'by_status_age', 'by_priority', 'by_status_priority', 'last_post'].map(
      (index) => `DROP INDEX queue_items_${index}`,
    ),
    'DROP TRIGGER queue_items_subreddit ON queue_items',
    'DROP FUNCTION name_queue_subreddit()',
    // its indexes go with it
    'ALTER TABLE queue_items DROP COLUMN subreddit_key',
  ],
};

/**
 * The number of queue items by status, without reading them. Each change leaves its difference as a row of its own, so that
 * no writer waits for a counter: the count is the sum, and the differences are added up from time to time.
 */
export const countTheQueue: Migration = {
  name: 'CountTheQueue1763745000001',
  up: [
    `CREATE TABLE queue_item_counts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, status text NOT NULL, items bigint NOT NULL)`,
    `CREATE FUNCTION count_queue_items() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      INSERT INTO queue_item_counts (status, items) VALUES (OLD.status, -1), (NEW.status, 1);
    ELSIF TG_OP = 'INSERT' THEN
      INSERT INTO queue_item_counts (status, items) SELECT status, count(*) FROM changed GROUP BY status;
    ELSIF TG_OP = 'DELETE' THEN
      INSERT INTO queue_item_counts (status, items) SELECT status, -count(*) FROM changed GROUP BY status;
    ELSE
      TRUNCATE queue_item_counts;
    END IF;
    RETURN NULL;
  END $$`,
    `CREATE TRIGGER queue_items_added AFTER INSERT ON queue_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
    // most updates leave the status alone and cost nothing
    `CREATE TRIGGER queue_items_moved AFTER UPDATE OF status ON queue_items FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION count_queue_items()`,
    `CREATE TRIGGER queue_items_gone AFTER DELETE ON queue_items REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
    `CREATE TRIGGER queue_items_emptied AFTER TRUNCATE ON queue_items FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
    // the triggers' lock keeps writers out until this is committed
    `INSERT INTO queue_item_counts (status, items) SELECT status, count(*) FROM queue_items GROUP BY status`,
  ],
  down: [
    ...['added', 'moved', 'gone', 'emptied'].map((what) => `DROP TRIGGER queue_items_${what} ON queue_items`),
    'DROP FUNCTION count_queue_items()',
    'DROP TABLE queue_item_counts',
  ],
};

/** Number of the four weeks in which a time is, since 1970; the last number that there is where there is no time. */
const span = (time: string): string => `coalesce(floor(extract(epoch FROM ${time}) / 2419200)::integer, 2147483647)`;

/** What a queue item adds to the counts, or takes from them when it changes. Only what the queue itself sent says how long posts wait. */
const counted = (row: string, sign: '1' | '-1'): string => {
  const waited = `${row}.status = 'posted' AND NOT ${row}.immediate AND ${row}.finished_at IS NOT NULL`;
  return `${row}.status, ${span(`${row}.scheduled_for`)}, ${span(`${row}.queued_at`)}, ${sign}::bigint,
    CASE WHEN ${waited} THEN ${sign} ELSE 0 END::bigint,
    CASE WHEN ${waited} THEN ${sign} * extract(epoch FROM ${row}.finished_at - ${row}.queued_at) * 1000 ELSE 0 END::bigint`;
};

const INTO = 'INSERT INTO queue_item_counts (status, slot_span, age_span, items, waits, waited_ms)';

const addUp = (table: string, sign: '1' | '-1'): string => `${INTO}
  SELECT status, slot_span, age_span, sum(items), sum(waits), sum(waited_ms)
  FROM (SELECT ${counted('place', sign)} FROM ${table} place) AS each (status, slot_span, age_span, items, waits, waited_ms)
  GROUP BY status, slot_span, age_span`;

/**
 * The counts of the queue are also kept by the four weeks of an item's slot and of its creation, with the time that published posts had waited:
 * a page by either time starts near its items, and the statistics are a sum, at any number of rows. Taking triggers and
 * indexes away needs the exclusive lock of the table. It is taken first, because raising a weaker lock can deadlock with a writer.
 */
export const rankTheQueue: Migration = {
  name: 'RankTheQueue1763746000000',
  up: [
    'LOCK TABLE queue_items IN ACCESS EXCLUSIVE MODE',
    ...countTheQueue.down,
    `CREATE TABLE queue_item_counts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    status text NOT NULL,
    slot_span integer NOT NULL,
    age_span integer NOT NULL,
    items bigint NOT NULL,
    waits bigint NOT NULL,
    waited_ms bigint NOT NULL
  )`,
    `CREATE FUNCTION count_queue_items() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      ${INTO} VALUES (${counted('OLD', '-1')}), (${counted('NEW', '1')});
    ELSIF TG_OP = 'INSERT' THEN
      ${addUp('changed', '1')};
    ELSIF TG_OP = 'DELETE' THEN
      ${addUp('changed', '-1')};
    ELSE
      TRUNCATE queue_item_counts;
    END IF;
    RETURN NULL;
  END $$`,
    `CREATE TRIGGER queue_items_added AFTER INSERT ON queue_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
    // an update that changes nothing of what is counted costs nothing
    `CREATE TRIGGER queue_items_moved AFTER UPDATE OF status, scheduled_for, queued_at, finished_at, immediate ON queue_items FOR EACH ROW
    WHEN ((${counted('OLD', '1')}) IS DISTINCT FROM (${counted('NEW', '1')})) EXECUTE FUNCTION count_queue_items()`,
    `CREATE TRIGGER queue_items_gone AFTER DELETE ON queue_items REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
    `CREATE TRIGGER queue_items_emptied AFTER TRUNCATE ON queue_items FOR EACH STATEMENT EXECUTE FUNCTION count_queue_items()`,
    addUp('queue_items', '1'),
    // Those without a slot stand last in both directions: each direction has a time for them that can be looked for.
    `DROP INDEX queue_items_by_slot`,
    `DROP INDEX queue_items_by_slot_down`,
    `DROP INDEX queue_items_by_status_down`,
    `CREATE INDEX queue_items_by_slot ON queue_items (coalesce(scheduled_for, 'infinity'), id)`,
    `CREATE INDEX queue_items_by_slot_down ON queue_items (coalesce(scheduled_for, '-infinity'), id)`,
    `CREATE INDEX queue_items_by_status_slot ON queue_items (status, coalesce(scheduled_for, 'infinity'), id)`,
    `CREATE INDEX queue_items_by_status_slot_down ON queue_items (status, coalesce(scheduled_for, '-infinity'), id)`,
  ],
  down: [
    'LOCK TABLE queue_items IN ACCESS EXCLUSIVE MODE',
    `DROP INDEX queue_items_by_slot`,
    `DROP INDEX queue_items_by_slot_down`,
    `DROP INDEX queue_items_by_status_slot`,
    `DROP INDEX queue_items_by_status_slot_down`,
    `CREATE INDEX queue_items_by_slot ON queue_items (scheduled_for, id)`,
    `CREATE INDEX queue_items_by_slot_down ON queue_items (scheduled_for DESC NULLS LAST, id DESC)`,
    `CREATE INDEX queue_items_by_status_down ON queue_items (status, scheduled_for DESC NULLS LAST, id DESC)`,
    ...countTheQueue.down,
    ...countTheQueue.up,
  ],
};

/** A post that waits for its slot keeps the trace that it was queued in. */
export const traceTheQueue: Migration = {
  name: 'TraceTheQueue1763750000071',
  up: ['ALTER TABLE queue_items ADD COLUMN traceparent text'],
  down: ['ALTER TABLE queue_items DROP COLUMN traceparent'],
};

const ACCOUNT_COLUMN = `account_id uuid NOT NULL DEFAULT '${ENVIRONMENT_ACCOUNT_ID}'`;

const GROUPED = {
  account_id: (row: string) => `${row}.account_id`,
  status: (row: string) => `${row}.status`,
  slot_span: (row: string) => span(`${row}.scheduled_for`),
  age_span: (row: string) => span(`${row}.queued_at`),
};

/** The trigger that counts queue items in these groups. Only what the queue itself sent says how long posts wait. */
function countedBy(groups: readonly (keyof typeof GROUPED)[]): string {
  const names = groups.join(', ');
  const counted = (row: string, sign: '1' | '-1'): string => {
    const waited = `${row}.status = 'posted' AND NOT ${row}.immediate AND ${row}.finished_at IS NOT NULL`;
    return `${groups.map((group) => GROUPED[group](row)).join(', ')}, ${sign}::bigint,
      CASE WHEN ${waited} THEN ${sign} ELSE 0 END::bigint,
      CASE WHEN ${waited} THEN ${sign} * extract(epoch FROM ${row}.finished_at - ${row}.queued_at) * 1000 ELSE 0 END::bigint`;
  };
  const into = `INSERT INTO queue_item_counts (${names}, items, waits, waited_ms)`;
  const addUp = (sign: '1' | '-1'): string => `${into}
    SELECT ${names}, sum(items), sum(waits), sum(waited_ms)
    FROM (SELECT ${counted('place', sign)} FROM changed place) AS each (${names}, items, waits, waited_ms)
    GROUP BY ${names}`;
  return `CREATE OR REPLACE FUNCTION count_queue_items() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      ${into} VALUES (${counted('OLD', '-1')}), (${counted('NEW', '1')});
    ELSIF TG_OP = 'INSERT' THEN
      ${addUp('1')};
    ELSIF TG_OP = 'DELETE' THEN
      ${addUp('-1')};
    ELSE
      TRUNCATE queue_item_counts;
    END IF;
    RETURN NULL;
  END $$`;
}

/** Each account has a queue of its own: queue items and their counts name the account, by default that of the environment. */
export const queuePerAccount: Migration = {
  name: 'QueuePerAccount1763750000231',
  up: [
    'LOCK TABLE queue_items IN ACCESS EXCLUSIVE MODE',
    `ALTER TABLE queue_items ADD COLUMN ${ACCOUNT_COLUMN} REFERENCES instagram_accounts (id)`,
    `ALTER TABLE queue_item_counts ADD COLUMN ${ACCOUNT_COLUMN}`,
    countedBy(['account_id', 'status', 'slot_span', 'age_span']),
    `CREATE INDEX queue_items_by_account ON queue_items (account_id, status, scheduled_for) WHERE status IN ('pending','scheduled','posting')`,
  ],
  down: [
    'LOCK TABLE queue_items IN ACCESS EXCLUSIVE MODE',
    countedBy(['status', 'slot_span', 'age_span']),
    'ALTER TABLE queue_item_counts DROP COLUMN account_id',
    'ALTER TABLE queue_items DROP COLUMN account_id',
  ],
};

/** The next waiting posts and the last post of an account, without reading those of other accounts and all that were published. */
export const orderQueuesByAccount: Migration = {
  name: 'OrderQueuesByAccount1763750000520',
  up: [
    `CREATE INDEX queue_items_next_by_account ON queue_items (account_id, priority DESC, queued_at, id) WHERE status = 'pending'`,
    `CREATE INDEX queue_items_ended_by_account ON queue_items (account_id, finished_at) WHERE NOT immediate AND finished_at IS NOT NULL`,
    `DROP INDEX queue_items_next_pending`,
    `DROP INDEX queue_items_last_post`,
    `CREATE INDEX publish_attempts_by_item ON publish_attempts (item_id)`,
  ],
  down: [
    'DROP INDEX publish_attempts_by_item',
    `CREATE INDEX queue_items_last_post ON queue_items (finished_at) WHERE status = 'posted' AND NOT immediate`,
    `CREATE INDEX queue_items_next_pending ON queue_items (priority DESC, queued_at, id) WHERE status = 'pending'`,
    'DROP INDEX queue_items_ended_by_account',
    'DROP INDEX queue_items_next_by_account',
  ],
};

/** A post that was published at once counts as the last post too. */
export const countImmediatePosts: Migration = {
  name: 'CountImmediatePosts1763750000590',
  up: [
    'DROP INDEX queue_items_ended_by_account',
    'CREATE INDEX queue_items_ended_by_account ON queue_items (account_id, finished_at) WHERE finished_at IS NOT NULL',
  ],
  down: [
    'DROP INDEX queue_items_ended_by_account',
    'CREATE INDEX queue_items_ended_by_account ON queue_items (account_id, finished_at) WHERE NOT immediate AND finished_at IS NOT NULL',
  ],
};
