import { type SimResponse, json } from '../server/http';
import type { ExceededQuota } from './quota';

const SERVICE = { service: 'generativelanguage.googleapis.com' };
const TYPE = 'type.googleapis.com/google.rpc';

export const HELP = {
  '@type': `${TYPE}.Help`,
  links: [{ description: 'Learn more about Gemini API quotas', url: 'https://ai.google.dev/gemini-api/docs/rate-limits' }],
};
export const quotaFailure = (violation: object) => ({ '@type': `${TYPE}.QuotaFailure`, violations: [violation] });

export function geminiError(code: number, status: string, message: string, details?: readonly unknown[]): SimResponse {
  return json(code, { error: { code, message, status, ...(details ? { details } : {}) } });
}

export function invalidArgument(message: string, field?: string): SimResponse {
  const details = field ? [{ '@type': `${TYPE}.BadRequest`, fieldViolations: [{ field, description: message }] }] : undefined;
  return geminiError(400, 'INVALID_ARGUMENT', message, details);
}

export const errorInfo = (reason: string) => ({ '@type': `${TYPE}.ErrorInfo`, reason, domain: 'googleapis.com', metadata: SERVICE });

export const badKey = (message = 'API key not valid. Please pass a valid API key.'): SimResponse =>
  geminiError(400, 'INVALID_ARGUMENT', message, [
    errorInfo('API_KEY_INVALID'),
    { '@type': `${TYPE}.LocalizedMessage`, locale: 'en-US', message },
  ]);

/** The API responds with 400 to an invalid key and with 403 to a missing one, never with 401. */
export function keyError(key: string | null): SimResponse {
  if (key !== null) return badKey();
  return geminiError(
    403,
    'PERMISSION_DENIED',
    "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  );
}

export function unknownModel(model: string, method: string): SimResponse {
  return geminiError(
    404,
    'NOT_FOUND',
    `models/${model} is not found for API version v1beta, or is not supported for ${method}. Call ListModels to see the list of available models and their supported methods.`,
  );
}

export function quotaExceeded(model: string, { metric: counted, quotaId, value, retrySeconds }: ExceededQuota): SimResponse {
  const metric = `generativelanguage.googleapis.com/generate_content_free_tier_${counted}`;
  const retry = `${retrySeconds.toFixed(9)}s`;
  const message = [
    'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.',
    `* Quota exceeded for metric: ${metric}, limit: ${value}, model: ${model}`,
    `Please retry in ${retry}.`,
  ].join('\n');
  return geminiError(429, 'RESOURCE_EXHAUSTED', message, [
    quotaFailure({ quotaMetric: metric, quotaId, quotaDimensions: { location: 'global', model }, quotaValue: String(value) }),
    HELP,
    { '@type': `${TYPE}.RetryInfo`, retryDelay: retry },
  ]);
}

export function foreignFile(id: string): SimResponse {
  return geminiError(403, 'PERMISSION_DENIED', `You do not have permission to access the File ${id} or it may not exist.`);
}
