import { Inject, Injectable } from '@nestjs/common';
import type { FailureEntry, Overview } from '@autoposter/contracts';
import { Database } from '@autoposter/persistence';
import { StoredSettings } from '../stored-settings/stored-settings';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { presentFailure } from './overview.presenter';
import { SEEN, unseenFailures, type SeenMark } from './unseen-failures';

const MODELS = ['gemini', 'groq'] as const;
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
      unseenFailures(this.database),
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
