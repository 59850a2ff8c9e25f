import { type SimResponse, json } from '../server/http';
import type { ExceededQuota } from './quota-limiter';

const SERVICE = { service: 'generativelanguage.googleapis.com' };

export function geminiError(code: number, status: string, message: string, details?: readonly unknown[]): SimResponse {
  return json(code, { error: { code, message, status, ...(details ? { details } : {}) } });
}

export function invalidArgument(message: string, field?: string): SimResponse {
  const details = field
    ? [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, description: message }] }]
    : undefined;
  return geminiError(400, 'INVALID_ARGUMENT', message, details);
}

/** The API responds with 400 to an invalid key and with 403 to a missing one, never with 401. */
export function keyError(key: string | null): SimResponse {
  if (key === null) {
    return geminiError(
      403,
      'PERMISSION_DENIED',
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    );
  }
  const message = 'API key not valid. Please pass a valid API key.';
  return geminiError(400, 'INVALID_ARGUMENT', message, [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID', domain: 'googleapis.com', metadata: SERVICE },
    { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message },
  ]);
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
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ quotaMetric: metric, quotaId, quotaDimensions: { location: 'global', model }, quotaValue: String(value) }],
    },
    {
      '@type': 'type.googleapis.com/google.rpc.Help',
      links: [{ description: 'Learn more about Gemini API quotas', url: 'https://ai.google.dev/gemini-api/docs/rate-limits' }],
    },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: retry },
  ]);
}

export function foreignFile(id: string): SimResponse {
  return geminiError(403, 'PERMISSION_DENIED', `You do not have permission to access the File ${id} or it may not exist.`);
}
