import { PDQ_MIN_QUALITY } from '@autoposter/domain';
import { SqlQueries } from '../database/sql-repository';
import { STAGE_SQL } from '../database/stage-sql';
import { DEAD_AND_OPEN } from '../stage-job/dead-letter.repository';

interface Rule {
  name: string;
  /** Deletes at most `$1` rows older than `$2` days, all found by an index. */
  text: string;
}

const OLDER = (column: string): string => `${column} < now() - make_interval(days => $2)`;

/**
 * Rules in the order in which they run: dead jobs before closed ones, because a newer closed job can be the reason why a dead one is resolved.
 * Kept without limit: audit log, rights register and decisions, publish attempts, tombstones with the hashes that can match.
 */
const RULES: readonly Rule[] = [
  {
    name: 'event_history',
    // numbers grow with time, so the primary key finds the oldest
    text: `DELETE FROM event_history WHERE seq IN (
      SELECT seq FROM (SELECT seq, occurred_at FROM event_history ORDER BY seq LIMIT $1) oldest WHERE ${OLDER('occurred_at')})`,
  },
  // rows that a program before `RowsAreTheQueue` marked as sent; later ones delete them
  { name: 'outbox', text: `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE ${OLDER('sent_at')} ORDER BY sent_at LIMIT $1)` },
  // the bus of that program; no delivery outlives its message
  {
    name: 'bus_messages',
    text: `WITH old AS (SELECT id FROM bus_messages WHERE ${OLDER('published_at')} ORDER BY published_at LIMIT $1),
      deliveries AS (DELETE FROM bus_deliveries WHERE message_id IN (SELECT id FROM old))
      DELETE FROM bus_messages WHERE id IN (SELECT id FROM old)`,
  },
  {
    name: 'dead_jobs',
    text: `DELETE FROM stage_jobs WHERE id IN (
      SELECT d.id FROM stage_jobs d WHERE d.state = 'dead' AND ${OLDER('d.finished_at')}
        AND NOT EXISTS (SELECT 1 ${DEAD_AND_OPEN} AND j.id = d.id) LIMIT $1)`,
  },
  {
    name: 'closed_jobs',
    text: `DELETE FROM stage_jobs WHERE id IN (
      SELECT id FROM stage_jobs WHERE state IN ('done','cancelled') AND ${OLDER('finished_at')} ORDER BY finished_at LIMIT $1)`,
  },
  {
    name: 'collect_runs',
    // the subreddit's card shows the newest run, and an open job needs its run
    text: `DELETE FROM collect_runs WHERE id IN (
      SELECT r.id FROM collect_runs r WHERE ${OLDER('r.created_at')} AND r.state IN ('done','failed')
        AND EXISTS (SELECT 1 FROM collect_runs n WHERE n.subreddit_id = r.subreddit_id AND (n.created_at, n.id) > (r.created_at, r.id))
        AND NOT EXISTS (SELECT 1 FROM stage_jobs j WHERE j.stage = ${STAGE_SQL.collect} AND j.subject_id = r.id AND j.state IN ('requested','running','waiting','retrying'))
      ORDER BY r.created_at LIMIT $1)`,
  },
  {
    name: 'quarantined_messages',
    text: `DELETE FROM quarantined_messages WHERE id IN (
      SELECT id FROM quarantined_messages WHERE ${OLDER('received_at')} ORDER BY received_at, id LIMIT $1)`,
  },
  {
    name: 'notifications',
    text: `DELETE FROM notifications WHERE id IN (SELECT id FROM notifications WHERE ${OLDER('created_at')} ORDER BY created_at LIMIT $1)`,
  },
  {
    name: 'stage_runs',
    text: `DELETE FROM stage_runs WHERE id IN (SELECT id FROM stage_runs WHERE ${OLDER('started_at')} ORDER BY started_at LIMIT $1)`,
  },
  {
    name: 'fingerprints',
    // hashes of a tombstone prevent collecting the same post again, except frames without detail, which never match
    text: `DELETE FROM fingerprints WHERE id IN (
      SELECT f.id FROM fingerprints f JOIN content_items i ON i.id = f.owner_id
      WHERE f.owner_kind = 'item' AND f.sha256 IS NULL AND f.pdq_quality < ${PDQ_MIN_QUALITY}
        AND i.state = 'deleted' AND ${OLDER('i.updated_at')} LIMIT $1)`,
  },
  {
    name: 'revoked_sessions',
    text: `DELETE FROM revoked_sessions WHERE session_id IN (
      SELECT session_id FROM revoked_sessions WHERE expires_at < now() AND $2::int IS NOT NULL ORDER BY expires_at LIMIT $1)`,
  },
  {
    // gateways judge the expiry by their own clock, which may differ from the database clock
    name: 'redeemed_sign_ins',
    text: `DELETE FROM redeemed_sign_ins WHERE session_id IN (
      SELECT session_id FROM redeemed_sign_ins WHERE expires_at < now() - interval '1 day' AND $2::int IS NOT NULL ORDER BY expires_at LIMIT $1)`,
  },
  {
    name: 'idempotent_calls',
    text: `DELETE FROM idempotent_calls WHERE (actor, key) IN (
      SELECT actor, key FROM idempotent_calls WHERE created_at < now() - interval '24 hours' AND $2::int IS NOT NULL ORDER BY created_at LIMIT $1)`,
  },
];

/** Names of the rules, in the order in which they run. */
export const RETENTION_RULES: readonly string[] = RULES.map(({ name }) => name);

/** Deletes old rows, a bounded number per statement. */
export class RetentionRepository extends SqlQueries {
  /** Deletes at most `batch` rows by this rule. A result below `batch` means that no old rows are left. */
  async prune(rule: string, days: number, batch: number): Promise<number> {
    const found = RULES.find(({ name }) => name === rule);
    if (found === undefined) throw new Error(`unknown retention rule ${rule}`);
    return (await this.run(found.text, [batch, days])).count;
  }
}
