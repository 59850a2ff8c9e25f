import { Inject, Injectable } from '@nestjs/common';
import type { FailureEntry, Overview } from '@autoposter/contracts';
import { Database } from '@autoposter/persistence';
import { StoredSettings } from '../stored-settings/stored-settings';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { presentFailure, type FailureRow } from './overview.presenter';

const MODELS = ['gemini', 'groq'] as const;
const MAX_FAILURES = 200;
/** Days for which failures of runs and tasks are brought up. */
const KEPT_DAYS = 7;

/** Failures of every kind that nobody has marked as seen, and posts of which a person has to say whether they are out, newest first. Failed runs count until the mark of "all seen". */
const UNSEEN = `
  SELECT i.id, 'item' AS kind, i.title, i.platform, coalesce(i.failed_stage, 'dmca') AS stage,
         i.processing_errors -> -1 ->> 'message' AS message, i.processing_errors -> -1 ->> 'nextAction' AS next_action, i.updated_at AS at
  FROM content_items i WHERE i.state IN ('failed','blocked') AND i.failure_seen_at IS NULL
  UNION ALL
  SELECT q.id, 'publish', i.title, i.platform, 'post', q.failure ->> 'message', q.failure ->> 'nextAction', coalesce(q.finished_at, q.queued_at)
  FROM queue_items q JOIN content_items i ON i.id = q.item_id
  WHERE q.status = 'failed' AND coalesce(q.finished_at, q.queued_at) > $1
  UNION ALL
  SELECT q.id, 'publish', i.title, i.platform, 'reconcile', q.failure ->> 'message', q.failure ->> 'nextAction', a.updated_at
  FROM publish_attempts a JOIN queue_items q ON q.id = a.queue_item_id JOIN content_items i ON i.id = a.item_id
  WHERE a.state = 'unknown' AND q.failure IS NOT NULL AND a.updated_at > $1
  UNION ALL
  SELECT r.id, 'collect', 'r/' || s.name, 'reddit', 'collect', r.failure ->> 'message', r.failure ->> 'nextAction', r.finished_at
  FROM collect_runs r JOIN subreddits s ON s.id = r.subreddit_id WHERE r.state = 'failed' AND r.finished_at > $1
  ORDER BY at DESC, id`;

const SEEN = 'failures_seen';
interface SeenMark {
  until: string;
  ids: string[];
}

@Injectable()
export class OverviewService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async overview(): Promise<Overview> {
    const [counts, failedAt, used, publishing, failures] = await Promise.all([
      this.database.read.items.countByState(),
      this.database.sql.query<{ stage: string; n: number }>(
        "SELECT coalesce(failed_stage, 'dmca') AS stage, count(*)::int AS n FROM content_items WHERE state IN ('failed','blocked') GROUP BY 1",
      ),
      this.aiRequestsToday(),
      this.stored.publishing(),
      this.failures(),
    ]);
    const failed = (stage: string) => failedAt.find((row) => row.stage === stage)?.n ?? 0;
    const of = (state: keyof typeof counts) => counts[state] ?? 0;
    return {
      rooms: {
        download: { waiting: of('accepted'), running: of('downloading'), failed: failed('download') },
        dmca: { waiting: of('downloaded'), running: of('protecting'), failed: failed('dmca') },
        ai: { waiting: of('protected'), running: of('captioning'), failed: failed('ai') },
        ready: of('ready'),
        queued: of('queued') + of('posting'),
        posted: of('posted'),
      },
      aiQuota: { used, limit: this.settings.aiDailyLimit },
      unseenFailures: failures.length,
      publishingPaused: publishing.paused,
    };
  }

  /** The limit holds per model; the one that is used most is the one that runs out. */
  private async aiRequestsToday(): Promise<number> {
    const today = new Date().toISOString().slice(0, 10);
    const used = await Promise.all(MODELS.map((model) => this.database.read.quota.used(`ai.${model}`, today)));
    return Math.max(...used);
  }

  async failures(): Promise<FailureEntry[]> {
    const mark = await this.database.read.settings.get<SeenMark>(SEEN);
    const oldest = Date.now() - KEPT_DAYS * 86_400_000;
    const since = new Date(Math.max(oldest, mark === null ? 0 : Date.parse(mark.until)));
    const rows = await this.database.sql.query<FailureRow>(`${UNSEEN} LIMIT ${MAX_FAILURES}`, [since]);
    const seen = new Set(mark?.ids ?? []);
    return rows.filter((row) => !seen.has(row.id)).map(presentFailure);
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
