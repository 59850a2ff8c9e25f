import { Inject, Injectable } from '@nestjs/common';
import { ITEM_STAGES, RIGHTS_STAGE, type FailureEntry, type ItemStage, type Overview } from '@autoposter/contracts';
import { AI_PROVIDERS, aiDay, ITEM_FLOW } from '@autoposter/domain';
import { Database } from '@autoposter/persistence';
import { StoredSettings } from '../stored-settings/stored-settings';
import { SETTINGS, type GatewaySettings } from '../wiring/settings';
import { presentFailure, presentProvider } from './overview.presenter';
import { SEEN, unseenFailures, type SeenMark } from './unseen-failures';

@Injectable()
export class OverviewService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async overview(): Promise<Overview> {
    const [counts, failedAt, ai, publishing, failures] = await Promise.all([
      this.database.read.items.countByState(),
      this.database.sql.query<{ stage: string; n: number }>(
        `SELECT coalesce(failed_stage, '${RIGHTS_STAGE}') AS stage, count(*)::int AS n FROM content_items WHERE state IN ('failed','blocked') GROUP BY 1`,
      ),
      this.aiStatus(),
      this.stored.publishing(),
      unseenFailures(this.database),
    ]);
    const { waitingStates, activeStates } = ITEM_FLOW;
    const failed = (stage: string) => failedAt.find((row) => row.stage === stage)?.n ?? 0;
    const of = (state: keyof typeof counts) => counts[state] ?? 0;
    const perStage = Object.fromEntries(
      ITEM_STAGES.map((stage) => [stage, { waiting: of(waitingStates[stage]), running: of(activeStates[stage]), failed: failed(stage) }]),
    ) as Pick<Overview['stages'], ItemStage>;
    return {
      stages: {
        ...perStage,
        ready: of('ready'),
        queued: of('queued') + of('posting'),
        posted: of('posted'),
      },
      ...ai,
      unseenFailures: failures.length,
      publishingPaused: publishing.paused,
    };
  }

  /** The limit holds for each provider; the one that is used most is the one that runs out. */
  private async aiStatus(): Promise<Pick<Overview, 'aiQuota' | 'aiProviders'>> {
    const { aiProviders, quota } = this.database.read;
    const [rows, now] = await Promise.all([aiProviders.list(), this.database.read.now()]);
    const used = await Promise.all(AI_PROVIDERS.map((provider) => quota.used(`ai.${provider}`, aiDay(provider, now).day)));
    const limit = rows[0]?.dailyLimit ?? this.settings.aiDailyLimit;
    return {
      aiQuota: { used: Math.max(...used), limit },
      aiProviders: rows.map((row) => presentProvider(row, used[AI_PROVIDERS.indexOf(row.provider)] ?? 0, now)),
    };
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
