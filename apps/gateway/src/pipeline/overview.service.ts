import {
  ENVIRONMENT_ACCOUNT_ID,
  ITEM_STAGES,
  type AiProblem,
  type AiProviderStatus,
  type ItemStage,
  type Overview,
} from '@autoposter/contracts';
import { AI_PROVIDERS, aiDay, AI_PROVIDER_NAMES, dailyLimitReached, FAILURE_POLICY, ITEM_FLOW } from '@autoposter/domain';
import { Database, type AiProviderRow } from '@autoposter/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type GatewaySettings } from '../bootstrap/settings';
import { unseenFailures } from '../failures/failures.service';
import { StoredSettings } from '../settings/stored-settings';

@Injectable()
export class OverviewService {
  constructor(
    private readonly database: Database,
    private readonly stored: StoredSettings,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  async overview(): Promise<Overview> {
    const [counts, failedAt, ai, pausedAccounts, failures] = await Promise.all([
      this.database.read.items.countByState(),
      this.database.read.items.countFailedByStage(),
      this.aiStatus(),
      this.pausedAccounts(),
      unseenFailures(this.database),
    ]);
    const { waitingStates, activeStates } = ITEM_FLOW;
    const failed = (stage: string) => failedAt.get(stage) ?? 0;
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
      publishingPaused: pausedAccounts.length > 0,
      pausedAccounts,
    };
  }

  /** The account of the environment counts while it is configured, or the only one. */
  private async pausedAccounts(): Promise<string[]> {
    const { read } = this.database;
    const connected = (await read.accounts.connected()).map(({ id }) => id);
    const hasEnvironment = this.settings.instagramAccountId !== null || connected.length === 0;
    const accounts = [...(hasEnvironment ? [ENVIRONMENT_ACCOUNT_ID] : []), ...connected];
    const paused = await Promise.all(accounts.map(async (id) => (await this.stored.publishing(read, id)).paused));
    return accounts.filter((_id, index) => paused[index]);
  }

  /** The limit applies to each provider; the most used one reaches it first. */
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
}

function presentProvider(row: AiProviderRow, used: number, now: Date): AiProviderStatus {
  const { provider, model, dailyLimit: limit } = row;
  const { endsAt } = aiDay(provider, now);
  return {
    provider,
    name: AI_PROVIDER_NAMES[provider],
    model,
    used,
    limit,
    resetsAt: endsAt.toISOString(),
    problem: problemOf(row, used, now),
  };
}

/** A quota or rate limit ends at its time; any other problem ends with the next successful request. */
function problemOf(row: AiProviderRow, used: number, now: Date): AiProblem | null {
  const { provider, failure, retryAt, incident, dailyLimit } = row;
  const isPast = retryAt !== null && retryAt <= now;
  if (failure !== null && !(isPast && FAILURE_POLICY[failure.kind] === 'wait')) {
    const { kind: code, message, nextAction } = failure;
    return { id: incident ?? provider, code, message, nextAction, until: isPast ? null : (retryAt?.toISOString() ?? null) };
  }
  if (used < dailyLimit) return null;
  const { day, endsAt } = aiDay(provider, now);
  const { kind: code, message, nextAction } = dailyLimitReached(provider, dailyLimit, endsAt);
  return { id: `${provider} ${day}`, code, message, nextAction, until: endsAt.toISOString() };
}
