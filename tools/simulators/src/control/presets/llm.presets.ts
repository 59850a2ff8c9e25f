import { badKey, errorInfo, geminiError, HELP, quotaExceeded, quotaFailure } from '../../gemini/gemini-errors';
import { decommissioned, groqError, rateLimited, TOO_LONG, wrongKey } from '../../groq/chat-request';
import { json } from '../../server/http';
import { EVERY_TIME, htmlPage, presetsFor, type PresetTable } from './preset';

const generate = presetsFor({ system: 'gemini', method: 'POST', path: '/models/([^/:]+):generateContent' });
const file = presetsFor({ system: 'gemini', method: 'POST', path: '^/upload/v1beta/files' });
const EXHAUSTED = { code: 429, message: 'Resource has been exhausted (e.g. check quota).', status: 'RESOURCE_EXHAUSTED' };

const exhausted = (message: string, details?: unknown[]) => geminiError(429, EXHAUSTED.status, message, details);
/** `$1` is the model of the request. */
const quota = (window: 'Minute' | 'Day', value: number, retrySeconds: number) =>
  quotaExceeded('$1', { metric: 'requests', quotaId: `GenerateRequestsPer${window}PerProjectPerModel-FreeTier`, value, retrySeconds });
const denied = (message: string, reason?: string) =>
  geminiError(403, 'PERMISSION_DENIED', message, reason === undefined ? undefined : [errorInfo(reason)]);

export const GEMINI_PRESETS: PresetTable = {
  // Quotas
  'gemini-429-bare': generate('Resource exhausted, without details.', exhausted(EXHAUSTED.message)),
  'gemini-429-minute': generate('The quota per minute is exceeded.', quota('Minute', 15, 37.963485137)),
  'gemini-429-day': generate('The quota per day is exceeded; the retry delay is misleading.', quota('Day', 20, 22)),
  'gemini-429-day-old': generate(
    'The quota per day under its older name, without a value.',
    exhausted('You exceeded your current quota.', [quotaFailure({ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' })]),
  ),
  'gemini-429-none': generate('The model is not offered on the free tier.', quota('Day', 0, 5)),
  'gemini-429-help-only': generate(
    'Quota exceeded, with only a help link.',
    exhausted('You exceeded your current quota, please check your plan and billing details.', [HELP]),
  ),
  'gemini-429-array': generate(
    'Quota exceeded, wrapped in an array.',
    json(429, [{ error: { ...EXHAUSTED, errors: [{ message: EXHAUSTED.message, domain: 'global', reason: 'rateLimitExceeded' }] } }]),
  ),
  'gemini-402': generate('Prepaid credit is used up.', geminiError(402, EXHAUSTED.status, 'Your prepayment credits are depleted.')),
  // Keys
  'gemini-key-invalid': generate('The key is not valid (status 400).', badKey(), EVERY_TIME),
  'gemini-key-expired': generate('The key has expired.', badKey('API key expired. Please renew the API key.'), EVERY_TIME),
  'gemini-key-blocked': generate(
    'The key may not use this service.',
    denied('Requests to this API are blocked.', 'API_KEY_SERVICE_BLOCKED'),
  ),
  'gemini-key-leaked': generate(
    'The key was reported as leaked.',
    denied('Your API key was reported as leaked. Please use another API key.'),
  ),
  'gemini-service-disabled': generate(
    'The API is not enabled for the project.',
    denied('Generative Language API has not been used in project 42 before or it is disabled.', 'SERVICE_DISABLED'),
  ),
  'gemini-location': generate(
    'The user location is not supported.',
    geminiError(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
  ),
  // Servers
  'gemini-500': generate(
    'Internal error.',
    geminiError(
      500,
      'INTERNAL',
      'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
    ),
  ),
  'gemini-503': generate('The model is overloaded.', geminiError(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')),
  'gemini-504': generate(
    'The deadline expired.',
    geminiError(504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'),
  ),
  'gemini-502-html': generate('An HTML page with status 502.', htmlPage(502)),
  'gemini-slow': generate('The response takes ninety seconds.', { delayMs: 90_000 }),
  'gemini-cut': generate('The connection closes in the middle of the response.', { cut: 120 }),
  // Unusable responses with status 200
  'gemini-blocked-prompt': generate('The prompt is blocked; there are no candidates.', { behaviour: 'blocked_prompt' }),
  'gemini-safety': generate('The candidate is stopped for safety, without content.', { behaviour: 'finish_SAFETY' }),
  'gemini-recitation': generate('The candidate is stopped for recitation, without content.', { behaviour: 'finish_RECITATION' }),
  'gemini-unknown-finish': generate('An unknown finish reason.', { behaviour: 'finish_SOMETHING_NEW' }),
  'gemini-max-tokens-empty': generate('Thinking used all output tokens; the content has no parts.', { behaviour: 'max_tokens_empty' }),
  'gemini-max-tokens-cut': generate('The JSON is cut by the token limit.', { behaviour: 'max_tokens_cut' }),
  'gemini-fenced': generate('The JSON is inside a code fence.', { behaviour: 'fenced' }),
  'gemini-thought-first': generate('A thought comes before the text.', { behaviour: 'thought_first' }),
  'gemini-several-parts': generate('The text is split into several parts.', { behaviour: 'several_parts' }),
  'gemini-no-usage': generate('The usage is missing.', { behaviour: 'no_usage' }),
  // Files
  'gemini-file-failed': file('An uploaded file cannot be processed.', { behaviour: 'file_failed' }),
};

const chat = presetsFor({ system: 'groq', method: 'POST', path: '^/openai/v1/chat/completions' });
const MODEL = 'openai/gpt-oss-120b';
const limited = (
  kind: 'requests' | 'tokens',
  name: string,
  max: number,
  used: number,
  requested: number,
  waitSeconds: number,
  wait?: string,
) => rateLimited(MODEL, { kind, name, max, used, requested, waitSeconds, ms: 0 }, wait);

export const GROQ_PRESETS: PresetTable = {
  // Limits
  'groq-429-minute': chat(
    'The token limit per minute is exceeded.',
    limited('tokens', 'tokens per minute (TPM)', 8_000, 7_513, 1_166, 6.78, '6.780999999s'),
  ),
  'groq-429-day': chat(
    'The token limit per day is exceeded.',
    limited('tokens', 'tokens per day (TPD)', 200_000, 197_050, 3_619, 578, '9m38.016s'),
  ),
  'groq-429-requests-day': chat(
    'The request limit per day is exceeded.',
    limited('requests', 'requests per day (RPD)', 1_000, 1_000, 1, 3_600, '1h0m0s'),
  ),
  'groq-429-unnamed': chat('Rate limited without naming the window.', limited('tokens', '', 500_000, 500_370, 252, 108, '1m47.5854s')),
  'groq-413': chat('A request exceeds the token limit per minute.', limited('tokens', 'tokens per minute (TPM)', 8_000, 0, 9_294, 60)),
  'groq-498': chat('The flex tier has no capacity.', groqError(498, 'Flex tier capacity exceeded', 'capacity_exceeded')),
  // Keys and models
  'groq-key-invalid': chat('The key is not valid.', wrongKey(), EVERY_TIME),
  'groq-403-html': chat('The edge blocks the client with an HTML page.', htmlPage(403)),
  'groq-permission': chat(
    'The model is blocked for the project.',
    groqError(403, 'The model is blocked at the project level.', 'permissions_error'),
  ),
  'groq-decommissioned': chat('The model was decommissioned.', decommissioned(MODEL)),
  'groq-context': chat('The messages are too long.', TOO_LONG),
  'groq-422': chat('The request cannot be processed.', groqError(422, 'Unprocessable Entity')),
  // Servers
  'groq-500': chat('Internal error.', groqError(500, 'Internal Server Error', 'internal_server_error')),
  'groq-503': chat('Unavailable.', groqError(503, 'Service Unavailable', 'service_unavailable')),
  'groq-slow': chat('The response takes ninety seconds.', { delayMs: 90_000 }),
  'groq-cut': chat('The connection closes in the middle of the response.', { cut: 120 }),
  // Unusable responses
  'groq-invalid-json': chat('The generated JSON violates the schema.', { behaviour: 'json_validate_failed' }),
  'groq-length': chat('The JSON is cut by the token limit.', { behaviour: 'length' }),
  'groq-empty-reasoning': chat('Reasoning used all output tokens; the content is empty.', { behaviour: 'empty_reasoning' }),
  'groq-other-language': chat('The caption is in German, whatever the title is in.', { behaviour: 'other_language' }),
  'groq-no-choices': chat('The response has no choices.', { behaviour: 'no_choices' }),
  'groq-redirect': chat('The response is a redirect to another origin.', { status: 307, headers: { location: 'https://example.org/' } }),
};
