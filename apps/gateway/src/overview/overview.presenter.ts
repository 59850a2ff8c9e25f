import type { AiProblem, AiProviderStatus, FailureEntry, Platform } from '@autoposter/contracts';
import { AI_PROVIDER_NAMES, aiDay, dailyLimitReached, FAILURE_POLICY } from '@autoposter/domain';
import type { AiProviderRow, RefusedMessages } from '@autoposter/persistence';

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

/** A refusal of its own is of one message; any other is of the topic. */
export const failureOfRefused = ({ id, topic, failure, count, since }: RefusedMessages): FailureRow => ({
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
