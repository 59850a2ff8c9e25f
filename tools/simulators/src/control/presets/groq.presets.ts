import { HTML_PAGE, type PresetTable } from './preset';

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
  'groq-slow': { about: 'The answer takes ninety seconds.', fault: { match: chat, delayMs: 90_000 } },
  'groq-cut': { about: 'The connection is cut in the middle of the answer.', fault: { match: chat, cut: 120 } },
  // Answers that are no good
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
