import type { AiProblem, AiProviderStatus, FailureEntry, Platform } from '@autoposter/contracts';
import { AI_PROVIDER_NAMES, aiDay, dailyLimitReached, FAILURE_POLICY } from '@autoposter/domain';
import type { AiProviderRow } from '@autoposter/persistence';

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

export const presentFailure = (row: FailureRow): FailureEntry => ({
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

export function presentProvider(row: AiProviderRow, used: number, now: Date): AiProviderStatus {
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

/** A quota or a pause is over at its date; what a person has to change is over with the next request that succeeds. */
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
