import { HTML_PAGE, preset, type PresetTable } from '../faults';

const generate = { system: 'gemini' as const, method: 'POST', path: '/models/([^/:]+):generateContent', times: 1 };
const HELP = {
  '@type': 'type.googleapis.com/google.rpc.Help',
  links: [{ description: 'Learn more about Gemini API quotas', url: 'https://ai.google.dev/gemini-api/docs/rate-limits' }],
};

/** The detailed "quota exceeded" error; `$1` is the model of the request. */
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
  'gemini-429-bare': preset('Resource exhausted, without details.', generate, {
    status: 429,
    body: error(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'),
  }),
  'gemini-429-minute': preset('The quota per minute is exceeded.', generate, {
    status: 429,
    body: quota('GenerateRequestsPerMinutePerProjectPerModel-FreeTier', '15', '37.963485137s'),
  }),
  'gemini-429-day': preset('The quota per day is exceeded; the retry delay is misleading.', generate, {
    status: 429,
    body: quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '20', '22s'),
  }),
  'gemini-429-day-old': preset('The quota per day under its older name, without a value.', generate, {
    status: 429,
    body: error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }] },
    ]),
  }),
  'gemini-429-none': preset('The model is not offered on the free tier.', generate, {
    status: 429,
    body: quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier', '0', '5s'),
  }),
  'gemini-429-help-only': preset('Quota exceeded, with only a help link.', generate, {
    status: 429,
    body: error(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.', [HELP]),
  }),
  'gemini-429-array': preset('Quota exceeded, wrapped in an array.', generate, {
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
  }),
  'gemini-402': preset('Prepaid credit is used up.', generate, {
    status: 402,
    body: error(402, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'),
  }),
  // Keys
  'gemini-key-invalid': preset(
    'The key is not valid (status 400).',
    { ...generate, times: undefined },
    { status: 400, body: badKey('API key not valid. Please pass a valid API key.') },
  ),
  'gemini-key-expired': preset(
    'The key has expired.',
    { ...generate, times: undefined },
    { status: 400, body: badKey('API key expired. Please renew the API key.') },
  ),
  'gemini-key-blocked': preset('The key may not use this service.', generate, {
    status: 403,
    body: keyProblem('API_KEY_SERVICE_BLOCKED', 'Requests to this API are blocked.'),
  }),
  'gemini-key-leaked': preset('The key was reported as leaked.', generate, {
    status: 403,
    body: error(403, 'PERMISSION_DENIED', 'Your API key was reported as leaked. Please use another API key.'),
  }),
  'gemini-service-disabled': preset('The API is not enabled for the project.', generate, {
    status: 403,
    body: keyProblem('SERVICE_DISABLED', 'Generative Language API has not been used in project 42 before or it is disabled.'),
  }),
  'gemini-location': preset('The user location is not supported.', generate, {
    status: 400,
    body: error(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
  }),
  // Servers
  'gemini-500': preset('Internal error.', generate, {
    status: 500,
    body: error(
      500,
      'INTERNAL',
      'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
    ),
  }),
  'gemini-503': preset('The model is overloaded.', generate, {
    status: 503,
    body: error(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  }),
  'gemini-504': preset('The deadline expired.', generate, {
    status: 504,
    body: error(504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'),
  }),
  'gemini-502-html': preset('An HTML page with status 502.', generate, { status: 502, body: HTML_PAGE }),
  'gemini-slow': preset('The response takes ninety seconds.', generate, { delayMs: 90_000 }),
  'gemini-cut': preset('The connection closes in the middle of the response.', generate, { cut: 120 }),
  // Unusable responses with status 200
  'gemini-blocked-prompt': preset('The prompt is blocked; there are no candidates.', generate, { behaviour: 'blocked_prompt' }),
  'gemini-safety': preset('The candidate is stopped for safety, without content.', generate, { behaviour: 'finish_SAFETY' }),
  'gemini-recitation': preset('The candidate is stopped for recitation, without content.', generate, { behaviour: 'finish_RECITATION' }),
  'gemini-unknown-finish': preset('An unknown finish reason.', generate, { behaviour: 'finish_SOMETHING_NEW' }),
  'gemini-max-tokens-empty': preset('Thinking used all output tokens; the content has no parts.', generate, {
    behaviour: 'max_tokens_empty',
  }),
  'gemini-max-tokens-cut': preset('The JSON is cut by the token limit.', generate, { behaviour: 'max_tokens_cut' }),
  'gemini-fenced': preset('The JSON is inside a code fence.', generate, { behaviour: 'fenced' }),
  'gemini-thought-first': preset('A thought comes before the text.', generate, { behaviour: 'thought_first' }),
  'gemini-several-parts': preset('The text is split into several parts.', generate, { behaviour: 'several_parts' }),
  'gemini-no-usage': preset('The usage is missing.', generate, { behaviour: 'no_usage' }),
  // Files
  'gemini-file-failed': preset(
    'An uploaded file cannot be processed.',
    { system: 'gemini', method: 'POST', path: '^/upload/v1beta/files', times: 1 },
    { behaviour: 'file_failed' },
  ),
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
  'groq-429-minute': preset('The token limit per minute is exceeded.', chat, {
    status: 429,
    headers: { 'retry-after': '7' },
    body: limit('tokens per minute (TPM)', 8_000, 7_513, 1_166, '6.780999999s'),
  }),
  'groq-429-day': preset('The token limit per day is exceeded.', chat, {
    status: 429,
    headers: { 'retry-after': '578' },
    body: limit('tokens per day (TPD)', 200_000, 197_050, 3_619, '9m38.016s'),
  }),
  'groq-429-requests-day': preset('The request limit per day is exceeded.', chat, {
    status: 429,
    headers: { 'retry-after': '3600' },
    body: limit('requests per day (RPD)', 1_000, 1_000, 1, '1h0m0s'),
  }),
  'groq-429-unnamed': preset('Rate limited without naming the window.', chat, {
    status: 429,
    headers: { 'retry-after': '108' },
    body: limit('', 500_000, 500_370, 252, '1m47.5854s'),
  }),
  'groq-413': preset('A request exceeds the token limit per minute.', chat, {
    status: 413,
    body: failure(
      'Request too large for model `openai/gpt-oss-120b` in organization `org_simulated` service tier `on_demand` on tokens per minute (TPM): Limit 8000, Requested 9294, please reduce your message size and try again.',
      'tokens',
      'rate_limit_exceeded',
    ),
  }),
  'groq-498': preset('The flex tier has no capacity.', chat, {
    status: 498,
    body: failure('Flex tier capacity exceeded', 'capacity_exceeded'),
  }),
  // Keys and models
  'groq-key-invalid': preset(
    'The key is not valid.',
    { ...chat, times: undefined },
    { status: 401, body: failure('Invalid API Key', 'invalid_request_error', 'invalid_api_key') },
  ),
  'groq-403-html': preset('The edge blocks the client with an HTML page.', chat, { status: 403, body: HTML_PAGE }),
  'groq-permission': preset('The model is blocked for the project.', chat, {
    status: 403,
    body: failure('The model is blocked at the project level.', 'permissions_error'),
  }),
  'groq-decommissioned': preset('The model was decommissioned.', chat, {
    status: 400,
    body: failure(
      'The model `openai/gpt-oss-120b` has been decommissioned and is no longer supported. Please refer to https://console.groq.com/docs/deprecations for a recommendation on which model to use instead.',
      'invalid_request_error',
      'model_decommissioned',
    ),
  }),
  'groq-context': preset('The messages are too long.', chat, {
    status: 400,
    body: failure('Please reduce the length of the messages or completion.', 'invalid_request_error', 'context_length_exceeded'),
  }),
  'groq-422': preset('The request cannot be processed.', chat, {
    status: 422,
    body: failure('Unprocessable Entity', 'invalid_request_error'),
  }),
  // Servers
  'groq-500': preset('Internal error.', chat, { status: 500, body: failure('Internal Server Error', 'internal_server_error') }),
  'groq-503': preset('Unavailable.', chat, { status: 503, body: failure('Service Unavailable', 'service_unavailable') }),
  'groq-slow': preset('The response takes ninety seconds.', chat, { delayMs: 90_000 }),
  'groq-cut': preset('The connection closes in the middle of the response.', chat, { cut: 120 }),
  // Unusable responses
  'groq-invalid-json': preset('The generated JSON violates the schema.', chat, { behaviour: 'json_validate_failed' }),
  'groq-length': preset('The JSON is cut by the token limit.', chat, { behaviour: 'length' }),
  'groq-empty-reasoning': preset('Reasoning used all output tokens; the content is empty.', chat, { behaviour: 'empty_reasoning' }),
};
