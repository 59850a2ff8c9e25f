import { CAPTION_STAGE, RIGHTS_STAGE, type FailureEntry, type Platform } from '@autoposter/contracts';
import { Database, STAGE_SQL, type RefusedMessages } from '@autoposter/persistence';
import { OF_THE_MESSAGE } from '@autoposter/job-engine';
import { Injectable } from '@nestjs/common';

@Injectable()
export class FailuresService {
  constructor(private readonly database: Database) {}

  async list(): Promise<FailureEntry[]> {
    return (await unseenFailures(this.database)).map(presentFailure);
  }

  /** Without ids everything counts as seen. */
  async markSeen(ids: readonly string[] | undefined, actor: string): Promise<void> {
    await this.database.unitOfWork(async (uow) => {
      const now = await uow.now();
      const before = await uow.settings.get<SeenMark>(SEEN);
      await uow.items.markFailuresSeen(ids);
      const mark: SeenMark = ids
        ? { until: before?.until ?? new Date(0).toISOString(), ids: [...(before?.ids ?? []), ...ids].slice(-1000) }
        : { until: now.toISOString(), ids: [] };
      await uow.settings.set(SEEN, mark, actor);
    });
  }
}

export interface FailureRow {
  id: string;
  kind: FailureEntry['kind'];
  title: string;
  platform: Platform | null;
  stage: string | null;
  code: string | null;
  message: string | null;
  next_action: string | null;
  at: Date;
}

const presentFailure = (row: FailureRow): FailureEntry => ({
  id: row.id,
  kind: row.kind,
  title: row.title,
  platform: row.platform,
  stage: row.stage,
  code: row.code,
  message: row.message ?? 'It failed without a word.',
  nextAction: row.next_action,
  occurredAt: row.at.toISOString(),
});

/** A refusal of its own is of one message; any other is of the topic. */
const failureOfRefused = ({ id, topic, failure, count, since }: RefusedMessages): FailureRow => ({
  id,
  kind: 'bus',
  title: 'Event bus',
  platform: null,
  stage: null,
  code: failure,
  message: `The event bus refuses ${count === 1 ? 'a message' : `${count} messages`} for the topic ${topic}.`,
  next_action: `${REFUSED_HINTS[failure] ?? 'Look at the state of this topic on the bus.'} The work continues automatically once the bus accepts it.`,
  at: since,
});

const REFUSED_HINTS: Readonly<Record<string, string>> = {
  too_large: 'Raise the largest message that this topic takes (max.message.bytes).',
  not_authorised: 'Allow the user of Autoposter to write to this topic.',
};

const MAX_FAILURES = 200;
/** Days for which failures of runs and tasks are brought up. */
const KEPT_DAYS = 7;

/**
 * Failures of every kind that nobody has marked as seen, newest first: posts that failed, posts of which a person has to say whether they
 * are out, published posts that are gone from their source, runs of subreddits, new captions that failed, providers that need an administrator,
 * and runs that were given up before their stage could say so. Failed runs count until the mark of "all seen".
 */
const UNSEEN = `
  SELECT i.id, 'item' AS kind, i.title, i.platform, coalesce(i.failed_stage, '${RIGHTS_STAGE}') AS stage,
         i.processing_errors -> -1 ->> 'kind' AS code, i.processing_errors -> -1 ->> 'message' AS message,
         i.processing_errors -> -1 ->> 'nextAction' AS next_action, i.updated_at AS at
  FROM content_items i WHERE i.state IN ('failed','blocked') AND i.failure_seen_at IS NULL
  UNION ALL
  SELECT i.id, 'item', i.title, i.platform, ${STAGE_SQL.publish}, i.processing_errors -> -1 ->> 'kind', i.processing_errors -> -1 ->> 'message',
         i.processing_errors -> -1 ->> 'nextAction', i.source_removed_at
  FROM content_items i WHERE i.source_removed_at IS NOT NULL AND i.state = 'posted' AND i.failure_seen_at IS NULL
  UNION ALL
  SELECT q.id, 'publish', i.title, i.platform, ${STAGE_SQL.publish}, q.failure ->> 'kind', q.failure ->> 'message', q.failure ->> 'nextAction', coalesce(q.finished_at, q.queued_at)
  FROM queue_items q JOIN content_items i ON i.id = q.item_id
  WHERE q.status = 'failed' AND coalesce(q.finished_at, q.queued_at) > $1
  UNION ALL
  SELECT q.id, 'publish', i.title, i.platform, ${STAGE_SQL.reconcile}, q.failure ->> 'kind', q.failure ->> 'message', q.failure ->> 'nextAction', a.updated_at
  FROM publish_attempts a JOIN queue_items q ON q.id = a.queue_item_id JOIN content_items i ON i.id = a.item_id
  WHERE a.state = 'unknown' AND q.failure IS NOT NULL AND a.updated_at > $1
  UNION ALL
  SELECT r.id, 'collect', 'r/' || s.name, 'reddit', ${STAGE_SQL.collect}, r.failure ->> 'kind', r.failure ->> 'message', r.failure ->> 'nextAction', r.finished_at
  FROM collect_runs r JOIN subreddits s ON s.id = r.subreddit_id WHERE r.state = 'failed' AND r.finished_at > $1
  UNION ALL
  SELECT i.id, 'item', i.title, i.platform, j.stage, j.failure ->> 'kind', j.failure ->> 'message', j.failure ->> 'nextAction', j.finished_at
  FROM stage_jobs j JOIN content_items i ON i.id = j.item_id
  WHERE j.state = 'dead' AND j.finished_at > $1 AND (j.stage, i.state) IN ${STAGE_SQL.activeStates}
    AND NOT EXISTS (SELECT 1 FROM stage_jobs n WHERE n.item_id = j.item_id AND n.stage = j.stage AND n.id > j.id)
  UNION ALL
  SELECT i.id, 'item', i.title, i.platform, j.stage, j.failure ->> 'kind', j.failure ->> 'message', j.failure ->> 'nextAction', j.finished_at
  FROM stage_jobs j JOIN content_items i ON i.id = j.item_id JOIN captions c ON c.item_id = i.id
  WHERE j.state = 'dead' AND j.finished_at > $1 AND j.stage = '${CAPTION_STAGE}' AND i.state = 'ready' AND j.finished_at > greatest(c.processed_at, c.edited_at)
    AND NOT EXISTS (SELECT 1 FROM stage_jobs n WHERE n.item_id = j.item_id AND n.stage = j.stage AND n.id > j.id)
  UNION ALL
  SELECT p.incident, 'provider', initcap(p.provider), NULL, '${CAPTION_STAGE}', p.failure ->> 'kind', p.failure ->> 'message', p.failure ->> 'nextAction', p.refused_at
  FROM ai_providers p WHERE p.failure ->> 'kind' IN ('not_authorised','not_configured','not_offered') AND p.refused_at > $1
  ORDER BY at DESC, id`;

export const SEEN = 'failures_seen';
export interface SeenMark {
  until: string;
  ids: string[];
}

/** Longer than a restart of the bus takes. */
const REFUSED_SECONDS = 15;

/** Messages that the bus keeps refusing. */
export const refusedMessages = (database: Database): Promise<RefusedMessages[]> =>
  database.read.outbox.refused(REFUSED_SECONDS, [...MESSAGE_FAILURES]);

/** The newest ones, at most `MAX_FAILURES`. */
export async function unseenFailures(database: Database): Promise<FailureRow[]> {
  const mark = await database.read.settings.get<SeenMark>(SEEN);
  const oldest = (await database.read.now()).getTime() - KEPT_DAYS * 86_400_000;
  const since = new Date(Math.max(oldest, mark === null ? 0 : Date.parse(mark.until)));
  const rows = await database.sql.query<FailureRow>(`${UNSEEN} LIMIT ${MAX_FAILURES}`, [since]);
  // as long as it lasts, however long ago it began
  const refused = (await refusedMessages(database)).filter(({ since: at }) => mark === null || at > new Date(mark.until));
  const seen = new Set(mark?.ids ?? []);
  const unseen = [...refused.map(failureOfRefused), ...rows].filter((row) => !seen.has(row.id));
  return unseen.sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, MAX_FAILURES);
}
