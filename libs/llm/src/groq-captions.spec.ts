import type { PipelineError } from '@autoposter/domain';
import { HttpServerFake } from '@autoposter/resilience';
import { GroqCaptions } from './groq-captions';
import { parseDuration } from './groq-failures';

let server: HttpServerFake;
let reply: { status: number; body: unknown; headers?: Record<string, string> };

beforeAll(async () => {
  server = await new HttpServerFake().start();
  server.handler = (_request, response) => {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  };
});
afterAll(() => server.stop());
beforeEach(() => server.reset());

const NOW = Date.parse('2026-11-21T12:00:00Z');
const settings = (model = 'openai/gpt-oss-120b') => ({
  apiUrl: `${server.origin}/`,
  apiKey: 'gsk_testkeytestkey',
  model,
  now: () => NOW,
  timeoutMs: 2000,
});
const bodyOf = (index: number) => JSON.parse(server.seen[index]?.body || '{}') as Record<string, unknown>;
const options = { tone: 'engaging', length: 'medium', includeHashtags: false, targetAudience: 'general', callToAction: true };
const source = { title: 'A dog learns to skate', subreddit: 'aww', author: 'someone', topComments: [] };
const write = (model?: string) => new GroqCaptions(settings(model)).write(source, null, options, new AbortController().signal);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: PipelineError) => error.failure,
  );
const caption = {
  caption: 'Go!',
  hashtags: ['a'],
  variations: [],
  sentiment: 'positive',
  hasCallToAction: false,
  hashtagCategories: [{ name: 'x', hashtags: ['a'] }],
};
const completion = (content: string, finish_reason = 'stop') => ({
  status: 200,
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
});

test('sends the schema to gpt-oss models and omits disabled hashtags', async () => {
  reply = completion(JSON.stringify(caption));
  await expect(write()).resolves.toMatchObject({ caption: 'Go!', hashtags: [], hashtagCategories: {} });
  expect(server.seen[0]).toMatchObject({ path: '/openai/v1/chat/completions', headers: { authorization: 'Bearer gsk_testkeytestkey' } });
  expect(bodyOf(0)['response_format']).toMatchObject({ type: 'json_schema', json_schema: { strict: true } });
});

test('ends an endless answer long before the time limit', async () => {
  const handler = server.handler;
  let sent = 0;
  server.handler = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(256 * 1024, '{"choices":[');
    const more = (): void => {
      while (!response.destroyed && sent < 64 * 1024 * 1024 && response.write(chunk)) sent += chunk.length;
    };
    response.on('drain', more);
    more();
  };
  try {
    const writing = new GroqCaptions({ ...settings(), timeoutMs: 20_000 }).write(source, null, options, new AbortController().signal);
    expect(await failure(writing)).toMatchObject({ code: 'groq_failed', kind: 'transient' });
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  } finally {
    server.handler = handler;
  }
});

test('keeps the hashtags of a category that is named twice', async () => {
  const named = (...hashtags: string[]) => ({ name: 'pets', hashtags });
  const hashtagCategories = [named('#dog', 'cat'), { name: 'places', hashtags: ['park'] }, named('Dog', 'fox')];
  reply = completion(JSON.stringify({ ...caption, hashtagCategories }));
  const written = await new GroqCaptions(settings()).write(
    source,
    null,
    { ...options, includeHashtags: true },
    new AbortController().signal,
  );
  expect(written.hashtagCategories).toEqual({ pets: ['dog', 'cat', 'fox'], places: ['park'] });
});

test.each([
  [undefined, 'at most 5 specific hashtags'],
  [7, 'at most 7 specific hashtags'],
  [0, 'empty lists for hashtags'],
])('the prompt asks for as many hashtags as the installation sets: %s', async (maxHashtags, words) => {
  reply = completion(JSON.stringify(caption));
  const model = new GroqCaptions({ ...settings(), ...(maxHashtags === undefined ? {} : { maxHashtags }) });
  await model.write(source, null, { ...options, includeHashtags: true }, new AbortController().signal);
  expect(JSON.stringify(bodyOf(0)['messages'])).toContain(words);
});

test('reports the remaining requests of the day after every answer, including the smaller request', async () => {
  const told: unknown[] = [];
  const meter = { another: () => Promise.resolve(void told.push('another')), left: (left: unknown) => void told.push(left) };
  const ask = () => new GroqCaptions(settings()).write(source, null, options, new AbortController().signal, meter);
  const headers = { 'x-ratelimit-limit-requests': '1000', 'x-ratelimit-remaining-requests': '14', 'x-ratelimit-reset-requests': '2m59.5s' };
  reply = { ...completion(JSON.stringify(caption)), headers };
  await ask();
  expect(told.splice(0)).toEqual([{ requests: 14, limit: 1000, nextInSeconds: 179.5 }]);
  reply = error(413, { type: 'tokens', code: 'rate_limit_exceeded' }, { ...headers, 'x-ratelimit-reset-requests': 'soon' });
  await failure(ask());
  const left = { requests: 14, limit: 1000, nextInSeconds: null };
  expect(told.splice(0)).toEqual([left, 'another', left]);
  reply = { ...completion(JSON.stringify(caption)), headers: { 'x-ratelimit-remaining-requests': '14' } };
  await ask();
  expect(told.splice(0)).toEqual([{ requests: 14, limit: null, nextInSeconds: null }]);
  reply = { ...completion(JSON.stringify(caption)), headers: { 'x-ratelimit-remaining-requests': 'many' } };
  await ask();
  expect(told).toEqual([]);
  const refused = new Error('none left');
  server.reset();
  reply = error(413, { type: 'tokens', code: 'rate_limit_exceeded' });
  const none = { ...meter, another: () => Promise.reject(refused) };
  await expect(new GroqCaptions(settings()).write(source, null, options, new AbortController().signal, none)).rejects.toBe(refused);
  expect(server.seen).toHaveLength(1);
});

test('asks other models for JSON in the prompt', async () => {
  reply = completion(JSON.stringify(caption));
  await write('qwen/qwen3.6-27b');
  expect(bodyOf(0)['response_format']).toEqual({ type: 'json_object' });
  expect(JSON.stringify(bodyOf(0)['messages'])).toContain('JSON');
});

test.each([
  ['openai/gpt-oss-120b', 'low'],
  ['qwen/qwen3.6-27b', 'none'],
  ['llama-3.1-8b-instant', undefined],
])('%s reserves at most 2,000 tokens and reasons as little as it can', async (model, effort) => {
  reply = completion(JSON.stringify(caption));
  await write(model);
  expect(bodyOf(0)['max_tokens'] ?? bodyOf(0)['max_completion_tokens']).toBeLessThanOrEqual(2000);
  expect(bodyOf(0)['reasoning_effort']).toBe(effort);
});

test('repeats a request above the limit of the plan once with fewer tokens, then waits for another plan', async () => {
  const message = 'Request too large for model `m` on tokens per minute (TPM): Limit 600, Requested 2600, please reduce your message size.';
  reply = error(413, { type: 'tokens', code: 'rate_limit_exceeded', message });
  expect(await failure(write())).toMatchObject({
    kind: 'quota_exceeded',
    retryAfterSeconds: 3600,
    detail: { window: 'TPM', limit: 600, requested: 2600 },
  });
  expect(server.seen).toHaveLength(2);
  expect(Number(bodyOf(1)['max_tokens'])).toBeLessThan(Number(bodyOf(0)['max_tokens']));
});

const error = (status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) => ({
  status,
  body: { error: { message: 'm', type: 'invalid_request_error', ...body } },
  headers,
});

test.each([
  ['wrong key', error(401, { code: 'invalid_api_key', message: 'Invalid API Key' }), 'not_authorised', null],
  ['blocked by the edge', { status: 403, body: '<html>', headers: { 'content-type': 'text/html' } }, 'not_authorised', null],
  ['unknown model', error(404, { code: 'model_not_found' }), 'not_configured', null],
  ['retired model', error(400, { code: 'model_decommissioned' }), 'not_configured', null],
  ['answer not in form', error(400, { code: 'json_validate_failed', failed_generation: '{' }), 'transient', null],
  ['too long', error(400, { code: 'context_length_exceeded' }), 'too_large', null],
  ['unsupported field', error(400, { message: "property 'x' is unsupported" }), 'upstream_rejected', null],
  [
    'quota of a minute',
    error(429, { message: 'on tokens per minute (TPM): Limit 6000. Please try again in 6.78s.' }, { 'retry-after': '7' }),
    'rate_limited',
    8,
  ],
  [
    'quota of a day',
    error(429, { message: 'on requests per day (RPD). Please try again in 5s.' }, { 'retry-after': '5' }),
    'quota_exceeded',
    6,
  ],
  ['long wait', error(429, { message: 'm' }, { 'retry-after': '578' }), 'quota_exceeded', 579],
  ['flex capacity', error(498, {}), 'rate_limited', 31],
  ['status 503', error(503, {}), 'transient', null],
])('classifies the failure and reads its wait: %s', async (_name, given, kind, seconds) => {
  reply = given;
  const found = await failure(write());
  expect([found?.kind, found?.retryAfterSeconds ?? null, found?.side]).toEqual([kind, seconds, 'groq']);
  expect(JSON.stringify(found)).not.toContain('gsk_');
  expect(server.seen).toHaveLength(1);
});

test('a tier without capacity is not named as too many requests', async () => {
  reply = error(498, { message: 'Flex tier capacity exceeded' });
  expect(await failure(write())).toMatchObject({
    code: 'groq_at_capacity',
    message: 'Groq has no capacity for this request right now (498).',
  });
});

test.each([
  ['cut', completion('{"caption":"G', 'length')],
  ['empty after thinking', completion('', 'length')],
  ['empty', completion('')],
  ['prose', completion('Here you go')],
])('an answer that is %s is worth another try', async (_name, given) => {
  reply = given;
  expect((await failure(write()))?.kind).toBe('transient');
});

test('an answer without choices is no failed connection', async () => {
  reply = { ...completion(''), body: { ...completion('').body, choices: [] } };
  expect((await failure(write()))?.code).toBe('model_answer_invalid');
});

test('takes no key and no post to the target of a redirect', async () => {
  reply = { status: 307, body: '', headers: { location: `${server.origin}/elsewhere` } };
  expect((await failure(write()))?.code).toBe('groq_failed');
  expect(server.seen.map(({ path }) => path)).toEqual(['/openai/v1/chat/completions']);
});

test('distinguishes listed, unlisted and disabled models', async () => {
  reply = {
    status: 200,
    body: {
      object: 'list',
      data: [
        { id: 'on', active: true },
        { id: 'off', active: false },
      ],
    },
  };
  const check = async (model: string) => (await new GroqCaptions(settings(model)).check()).available;
  await expect(Promise.all([check('on'), check('off'), check('none')])).resolves.toEqual([true, false, false]);
  expect(server.seen[0]?.path).toBe('/openai/v1/models');
});

test.each([
  ['1h2m3.5s', 3723.5],
  ['9m38.016s', 578.016],
  ['120ms', 0.12],
  ['50.597142857s', 50.597142857],
  ['', null],
  ['soon', null],
  ['5', null],
])('duration %s is %s', (text, seconds) =>
  seconds === null ? expect(parseDuration(text)).toBeNull() : expect(parseDuration(text)).toBeCloseTo(seconds),
);
