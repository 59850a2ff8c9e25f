import { HTML_PAGE, type PresetTable } from '../faults';

const generate = { system: 'gemini' as const, method: 'POST', path: '/models/([^/:]+):generateContent', times: 1 };
const HELP = {
  '@type': 'type.googleapis.com/google.rpc.Help',
  links: [{ description: 'Learn more about Gemini API quotas', url: 'https://ai.google.dev/gemini-api/docs/rate-limits' }],
};

/** The long form of "quota exceeded" for one quota; `$1` is the model of the call. */
function quota(quotaId: string, value: string, retryDelay: string): unknown {
  const metric = 'generativelanguage.googleapis.com/generate_content_free_tier_requests';
  const violation = { quotaMetric: metric, quotaId, quotaDimensions: { location: 'global', model: '$1' }, quotaValue: value };
  return {
    error: {
      code: 429,
      message: `You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.\n* Quota exceeded for metric: ${metric}, limit: ${value}, model: $1\nPlease retry in ${retryDelay}.`,
      status: 'RESOURCE_EXHAUSTED',
      details: [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [violation] },
        HELP,
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
      ],
    },
  };
}

const error = (code: number, status: string, message: string, details?: unknown[]): unknown => ({
  error: { code, message, status, ...(details ? { details } : {}) },
});
const badKey = (message: string): unknown =>
  error(400, 'INVALID_ARGUMENT', message, [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
    { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message },
  ]);
const keyProblem = (reason: string, message: string): unknown =>
  error(403, 'PERMISSION_DENIED', message, [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
  ]);

export const GEMINI_PRESETS: PresetTable = {
  // Quotas
  'gemini-429-bare': {
    about: 'Short of capacity, without details.',
    fault: { match: generate, status: 429, body: error(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).') },
  },
  'gemini-429-minute': {
    about: 'The quota of the minute is used up.',
    fault: { match: generate, status: 429, body: quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '15', '37.963485137s') },
  },
  'gemini-429-day': {
    about: 'The quota of the day is used up; the retry delay misleads.',
    fault: { match: generate, status: 429, body: quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '20', '22s') },
  },
  'gemini-429-day-old': {
    about: 'The quota of the day under its older name, without a value.',
    fault: {
      match: generate,
      status: 429,
      body: error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }] },
      ]),
    },
  },
  'gemini-429-none': {
    about: 'The model is not offered on the free tier.',
    fault: { match: generate, status: 429, body: quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '0', '5s') },
  },
  'gemini-429-help-only': {
    about: 'Quota exceeded with nothing but a link.',
    fault: {
      match: generate,
      status: 429,
      body: error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.', [HELP]),
    },
  },
  'gemini-429-array': {
    about: 'Quota exceeded, wrapped in an array.',
    fault: {
      match: generate,
      status: 429,
      body: [
        {
          error: {
            code: 429,
            message: 'Resource has been exhausted (e.g. check quota).',
            status: 'RESOURCE_EXHAUSTED',
            errors: [{ message: 'Resource has been exhausted (e.g. check quota).', domain: 'global', reason: 'rateLimitExceeded' }],
          },
        },
      ],
    },
  },
  'gemini-402': {
    about: 'Prepaid credit is used up.',
    fault: { match: generate, status: 402, body: error(402, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.') },
  },
  // Keys
  'gemini-key-invalid': {
    about: 'The key is not valid (status 400).',
    fault: { match: { ...generate, times: undefined }, status: 400, body: badKey('API key not valid. Please pass a valid API key.') },
  },
  'gemini-key-expired': {
    about: 'The key has expired.',
    fault: { match: { ...generate, times: undefined }, status: 400, body: badKey('API key expired. Please renew the API key.') },
  },
  'gemini-key-blocked': {
    about: 'The key may not use this service.',
    fault: { match: generate, status: 403, body: keyProblem('API_KEY_SERVICE_BLOCKED', 'Requests to this API are blocked.') },
  },
  'gemini-key-leaked': {
    about: 'The key was reported as leaked.',
    fault: {
      match: generate,
      status: 403,
      body: error(403, 'PERMISSION_DENIED', 'Your API key was reported as leaked. Please use another API key.'),
    },
  },
  'gemini-service-disabled': {
    about: 'The API is not enabled for the project.',
    fault: {
      match: generate,
      status: 403,
      body: keyProblem('SERVICE_DISABLED', 'Generative Language API has not been used in project 42 before or it is disabled.'),
    },
  },
  'gemini-location': {
    about: 'The place is not supported.',
    fault: { match: generate, status: 400, body: error(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.') },
  },
  // Servers
  'gemini-500': {
    about: 'Internal error.',
    fault: {
      match: generate,
      status: 500,
      body: error(
        500,
        'INTERNAL',
        'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
      ),
    },
  },
  'gemini-503': {
    about: 'The model is overloaded.',
    fault: { match: generate, status: 503, body: error(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.') },
  },
  'gemini-504': {
    about: 'The input was too large for the time.',
    fault: { match: generate, status: 504, body: error(504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.') },
  },
  'gemini-502-html': { about: 'A page from the front end.', fault: { match: generate, status: 502, body: HTML_PAGE } },
  'gemini-slow': { about: 'The response takes ninety seconds.', fault: { match: generate, delayMs: 90_000 } },
  'gemini-cut': { about: 'The connection is cut in the middle of the response.', fault: { match: generate, cut: 120 } },
  // Returns with status 200 that are no good
  'gemini-blocked-prompt': {
    about: 'The prompt is blocked; there are no candidates.',
    fault: { match: generate, behaviour: 'blocked_prompt' },
  },
  'gemini-safety': {
    about: 'The candidate is stopped for safety, without content.',
    fault: { match: generate, behaviour: 'finish_SAFETY' },
  },
  'gemini-recitation': {
    about: 'The candidate is stopped for recitation, without content.',
    fault: { match: generate, behaviour: 'finish_RECITATION' },
  },
  'gemini-unknown-finish': {
    about: 'A finish reason that nobody has heard of.',
    fault: { match: generate, behaviour: 'finish_SOMETHING_NEW' },
  },
  'gemini-max-tokens-empty': {
    about: 'The budget went into thinking; the content has no parts.',
    fault: { match: generate, behaviour: 'max_tokens_empty' },
  },
  'gemini-max-tokens-cut': { about: 'The JSON is cut by the token limit.', fault: { match: generate, behaviour: 'max_tokens_cut' } },
  'gemini-fenced': { about: 'The JSON stands in a code fence.', fault: { match: generate, behaviour: 'fenced' } },
  'gemini-thought-first': { about: 'A thought comes before the text.', fault: { match: generate, behaviour: 'thought_first' } },
  'gemini-several-parts': { about: 'The text comes in several parts.', fault: { match: generate, behaviour: 'several_parts' } },
  'gemini-no-usage': { about: 'The usage is missing.', fault: { match: generate, behaviour: 'no_usage' } },
  // Files
  'gemini-file-failed': {
    about: 'An uploaded file cannot be processed.',
    fault: { match: { system: 'gemini', method: 'POST', path: '^/upload/v1beta/files', times: 1 }, behaviour: 'file_failed' },
  },
};

const chat = { system: 'groq' as const, method: 'POST', path: '^/openai/v1/chat/completions', times: 1 };
const limit = (window: string, most: number, used: number, requested: number, wait: string) => ({
  error: {
    message: `Rate limit reached for model \`openai/gpt-oss-120b\` in organization \`org_simulated\` service tier \`on_demand\` on ${window}: Limit ${most}, Used ${used}, Requested ${requested}. Please try again in ${wait}. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`,
    type: window.startsWith('requests') ? 'requests' : 'tokens',
    code: 'rate_limit_exceeded',
  },
});
const failure = (message: string, type: string, code?: string) => ({ error: { message, type, ...(code ? { code } : {}) } });

export const GROQ_PRESETS: PresetTable = {
  // Limits
  'groq-429-minute': {
    about: 'The tokens of the minute are used up.',
    fault: {
      match: chat,
      status: 429,
      headers: { 'retry-after': '7' },
      body: limit('tokens per minute (TPM)', 8_000, 7_513, 1_166, '6.780999999s'),
    },
  },
  'groq-429-day': {
    about: 'The tokens of the day are used up.',
    fault: {
      match: chat,
      status: 429,
      headers: { 'retry-after': '578' },
      body: limit('tokens per day (TPD)', 200_000, 197_050, 3_619, '9m38.016s'),
    },
  },
  'groq-429-requests-day': {
    about: 'The requests of the day are used up.',
    fault: {
      match: chat,
      status: 429,
      headers: { 'retry-after': '3600' },
      body: limit('requests per day (RPD)', 1_000, 1_000, 1, '1h0m0s'),
    },
  },
  'groq-429-unnamed': {
    about: 'Rate limited without naming the window.',
    fault: { match: chat, status: 429, headers: { 'retry-after': '108' }, body: limit('', 500_000, 500_370, 252, '1m47.5854s') },
  },
  'groq-413': {
    about: 'One request is larger than the minute allows.',
    fault: {
      match: chat,
      status: 413,
      body: failure(
        'Request too large for model `openai/gpt-oss-120b` in organization `org_simulated` service tier `on_demand` on tokens per minute (TPM): Limit 8000, Requested 9294, please reduce your message size and try again.',
        'tokens',
        'rate_limit_exceeded',
      ),
    },
  },
  'groq-498': {
    about: 'The flex tier is full.',
    fault: { match: chat, status: 498, body: failure('Flex tier capacity exceeded', 'capacity_exceeded') },
  },
  // Keys and models
  'groq-key-invalid': {
    about: 'The key is not valid.',
    fault: {
      match: { ...chat, times: undefined },
      status: 401,
      body: failure('Invalid API Key', 'invalid_request_error', 'invalid_api_key'),
    },
  },
  'groq-403-html': { about: 'The edge blocks the network with a page.', fault: { match: chat, status: 403, body: HTML_PAGE } },
  'groq-permission': {
    about: 'The model is blocked for the project.',
    fault: { match: chat, status: 403, body: failure('The model is blocked at the project level.', 'permissions_error') },
  },
  'groq-decommissioned': {
    about: 'The model has been taken away.',
    fault: {
      match: chat,
      status: 400,
      body: failure(
        'The model `openai/gpt-oss-120b` has been decommissioned and is no longer supported. Please refer to https://console.groq.com/docs/deprecations for a recommendation on which model to use instead.',
        'invalid_request_error',
        'model_decommissioned',
      ),
    },
  },
  'groq-context': {
    about: 'The messages are too long.',
    fault: {
      match: chat,
      status: 400,
      body: failure('Please reduce the length of the messages or completion.', 'invalid_request_error', 'context_length_exceeded'),
    },
  },
  'groq-422': {
    about: 'Understood and not doable.',
    fault: { match: chat, status: 422, body: failure('Unprocessable Entity', 'invalid_request_error') },
  },
  // Servers
  'groq-500': {
    about: 'Internal error.',
    fault: { match: chat, status: 500, body: failure('Internal Server Error', 'internal_server_error') },
  },
  'groq-503': { about: 'Unavailable.', fault: { match: chat, status: 503, body: failure('Service Unavailable', 'service_unavailable') } },
  'groq-slow': { about: 'The response takes ninety seconds.', fault: { match: chat, delayMs: 90_000 } },
  'groq-cut': { about: 'The connection is cut in the middle of the response.', fault: { match: chat, cut: 120 } },
  // Returns that are no good
  'groq-invalid-json': {
    about: 'The model wrote something that does not fit the schema.',
    fault: { match: chat, behaviour: 'json_validate_failed' },
  },
  'groq-length': { about: 'The JSON is cut by the token limit.', fault: { match: chat, behaviour: 'length' } },
  'groq-empty-reasoning': {
    about: 'The budget went into reasoning; the content is empty.',
    fault: { match: chat, behaviour: 'empty_reasoning' },
  },
};
