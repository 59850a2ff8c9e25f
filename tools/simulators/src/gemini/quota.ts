import { DAY_MS, MINUTE_MS, type UsageLog } from '../server/limits';

export interface GeminiSettings {
  requestsPerMinute: number;
  requestsPerDay: number;
  /** Input tokens; output tokens do not count. */
  tokensPerMinute: number;
  /** Time that an uploaded video stays PROCESSING. */
  fileProcessingMs: number;
}

/** Higher than the free tier, which would stop the demo after a minute; tests set the real limits. */
export const GEMINI_DEFAULTS: GeminiSettings = {
  requestsPerMinute: 60,
  requestsPerDay: 500,
  tokensPerMinute: 1_000_000,
  fileProcessingMs: 1_000,
};

export interface ExceededQuota {
  metric: 'requests' | 'input_token_count';
  quotaId: string;
  value: number;
  retrySeconds: number;
}

const PER_DAY = 'GenerateRequestsPerDayPerProjectPerModel';
/** The API's own hint, although the day ends much later. */
const RETRY_OF_DAY_SECONDS = 22.4;
const PACIFIC = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' });

/**
 * Counts a request or returns the exceeded quota; rejected requests do not count. Limits per model: requests and tokens in a rolling minute,
 * requests in a day of the Pacific time zone.
 */
export function takeQuota(log: UsageLog, settings: GeminiSettings, now: number, model: string, tokens: number): ExceededQuota | null {
  const isToday = (at: number): boolean => PACIFIC.format(at) === PACIFIC.format(now);
  const exceeded = log.exceeded(model, tokens, [
    { kind: 'requests', name: PER_DAY, max: settings.requestsPerDay, ms: DAY_MS, counts: isToday },
    { kind: 'requests', name: 'GenerateRequestsPerMinutePerProjectPerModel', max: settings.requestsPerMinute, ms: MINUTE_MS },
    { kind: 'tokens', name: 'GenerateContentInputTokensPerModelPerMinute', max: settings.tokensPerMinute, ms: MINUTE_MS },
  ]);
  if (!exceeded) {
    log.add(model, tokens);
    return null;
  }
  const { kind, name, max, waitSeconds } = exceeded;
  return {
    metric: kind === 'requests' ? kind : 'input_token_count',
    quotaId: `${name}-FreeTier`,
    value: max,
    retrySeconds: name === PER_DAY ? RETRY_OF_DAY_SECONDS : waitSeconds,
  };
}
