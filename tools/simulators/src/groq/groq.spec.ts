import { CREDENTIALS } from '../credentials';
import { control, reply, type Reply, runSimulators } from '../testing/running';
import { durationText } from './quota';

const MODEL = 'openai/gpt-oss-120b';
const user = (content: string) => [{ role: 'user', content }];
const schema = {
  type: 'object',
  properties: { caption: { type: 'string' }, hashtags: { type: 'array', items: { type: 'string' } } },
  required: ['caption', 'hashtags'],
  additionalProperties: false,
};
const strict = (changed: unknown = schema) => ({ type: 'json_schema', json_schema: { name: 'caption', strict: true, schema: changed } });

describe('Groq', () => {
  let running: Awaited<ReturnType<typeof runSimulators>>;

  const chat = async (body: unknown, key: string = CREDENTIALS.groqKey): Promise<Reply> =>
    reply(
      await fetch(`${running.urls.GROQ_API_URL}/openai/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      }),
    );

  beforeAll(async () => {
    running = await runSimulators();
  });
  beforeEach(() => control(running, 'POST', 'reset'));
  afterAll(() => running.close());

  it('returns a chat completion about the title', async () => {
    const { json } = await chat({ model: MODEL, messages: user('Title: Otters holding hands') });
    expect(json.choices[0]).toMatchObject({
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: expect.stringContaining('Otters holding hands') },
    });
    expect(json.usage.total_tokens).toBe(json.usage.prompt_tokens + json.usage.completion_tokens);
  });

  it('satisfies the schema and is deterministic', async () => {
    const ask = { model: MODEL, messages: user('Title: Otters'), response_format: strict() };
    const [first, second] = [await chat(ask), await chat(ask)];
    const written = JSON.parse(first.json.choices[0].message.content);
    expect(Object.keys(written)).toEqual(['caption', 'hashtags']);
    expect(written.hashtags.every((tag: string) => /^#[a-z]+$/.test(tag))).toBe(true);
    expect(second.json.choices[0].message.content).toBe(first.json.choices[0].message.content);
  });

  it.each<[string, object, number, string | undefined, string]>([
    ['unknown model', { model: 'x' }, 404, 'model_not_found', 'does not exist'],
    ['retired model', { model: 'llama-3.3-70b-versatile' }, 400, 'model_decommissioned', 'decommissioned'],
    ['unsupported field', { logprobs: true }, 400, undefined, "property 'logprobs' is unsupported"],
    ['two answers', { n: 2 }, 400, undefined, "'n'"],
    ['JSON mode without the word', { response_format: { type: 'json_object' } }, 400, undefined, "must contain the word 'json'"],
    [
      'strict without closed object',
      { response_format: strict({ ...schema, additionalProperties: undefined }) },
      400,
      undefined,
      'additionalProperties:false',
    ],
    [
      'strict with an optional field',
      { response_format: strict({ ...schema, required: ['caption'] }) },
      400,
      undefined,
      "'hashtags' must be in required",
    ],
    [
      'strict with an open object behind a choice',
      {
        response_format: strict({
          ...schema,
          properties: { ...schema.properties, caption: { anyOf: [{ type: 'null' }, { type: 'object', properties: {} }] } },
        }),
      },
      400,
      undefined,
      'caption/anyOf/1: additionalProperties:false',
    ],
    ['more than a model writes', { max_completion_tokens: 65_537 }, 400, undefined, '65536'],
    ['strict on a model without it', { model: 'llama-3.1-8b-instant', response_format: strict() }, 400, undefined, 'not supported'],
    ['structured and streaming', { stream: true, response_format: strict() }, 400, undefined, 'streaming'],
    [
      'pictures for a text model',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:x' } }] }] },
      400,
      undefined,
      'string',
    ],
  ])('rejects %s', async (_name, changes, status, code, words) => {
    const answer = await chat({ model: MODEL, messages: user('hello'), ...changes });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(answer.json.error.message).toContain(words);
  });

  it('rejects an invalid key', async () => {
    expect((await chat({}, 'gsk_x')).json.error).toMatchObject({ message: 'Invalid API Key', code: 'invalid_api_key' });
  });

  it('counts requests per day and tokens per minute and enforces the limits', async () => {
    await control(running, 'POST', 'settings', { groq: { tokensPerMinute: 200 } });
    const ask = { model: MODEL, messages: user(`Title: ${'word '.repeat(70)}`) };
    const first = await chat(ask);
    expect(first.headers.get('x-ratelimit-limit-requests')).toBe('1000');
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('999');
    expect(Number(first.headers.get('x-ratelimit-remaining-tokens'))).toBeLessThan(110);
    expect(first.headers.get('retry-after')).toBeNull();
    const exceeded = await chat({ ...ask, messages: user('x'.repeat(500)) });
    expect([exceeded.status, exceeded.json.error.type, exceeded.json.error.code]).toEqual([429, 'tokens', 'rate_limit_exceeded']);
    expect(exceeded.json.error.message).toMatch(
      /on tokens per minute \(TPM\): Limit 200, Used \d+, Requested \d+\. Please try again in [\dms.]+s\. /,
    );
    expect(Number(exceeded.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await chat({ ...ask, messages: user('x'.repeat(2_000)) })).status).toBe(413);
    await control(running, 'POST', 'clock', { advanceSeconds: 61 });
    expect((await chat(ask)).status).toBe(200);
  });

  it('rejects a request that reserves more tokens than the limit per minute', async () => {
    const refused = await chat({ model: MODEL, messages: user('Title: Otters'), max_tokens: 8_192 });
    expect([refused.status, refused.json.error.type, refused.json.error.code]).toEqual([413, 'tokens', 'rate_limit_exceeded']);
    expect(refused.json.error.message).toMatch(/Request too large .* on tokens per minute \(TPM\): Limit 8000, Requested 8196, /);
    expect(refused.headers.get('x-ratelimit-limit-tokens')).toBe('8000');
    expect(refused.headers.get('retry-after')).toBeNull();
    expect((await chat({ model: MODEL, messages: user('Title: Otters'), max_completion_tokens: 2_000 })).status).toBe(200);
  });

  it('returns unusable answers when a fault requests them', async () => {
    const ask = { model: MODEL, messages: user('Title: Otters'), response_format: strict() };
    await control(running, 'POST', 'presets/groq-invalid-json');
    const invalid = await chat(ask);
    expect([invalid.status, invalid.json.error.code]).toEqual([400, 'json_validate_failed']);
    expect(invalid.json.error.failed_generation).toContain('{"caption"');
    await control(running, 'POST', 'presets/groq-other-language');
    expect(JSON.parse((await chat(ask)).json.choices[0].message.content).caption).toContain('Ein ruhiger Morgen');
    await control(running, 'POST', 'presets/groq-no-choices');
    expect((await chat(ask)).json.choices).toEqual([]);
    await control(running, 'POST', 'presets/groq-length');
    const cut = (await chat(ask)).json.choices[0];
    expect(cut.finish_reason).toBe('length');
    expect(() => JSON.parse(cut.message.content)).toThrow();
    await control(running, 'POST', 'presets/groq-empty-reasoning');
    expect((await chat(ask)).json.choices[0].message.content).toBe('');
  });

  it('lists models', async () => {
    const answer = await reply(
      await fetch(`${running.urls.GROQ_API_URL}/openai/v1/models`, { headers: { authorization: `Bearer ${CREDENTIALS.groqKey}` } }),
    );
    expect(answer.json.data.find(({ id }: { id: string }) => id === MODEL)).toMatchObject({ active: true, context_window: 131_072 });
  });

  it.each([
    [0.12, '120ms'],
    [7.66, '7.66s'],
    [179.56, '2m59.56s'],
    [3_723.5, '1h2m3.5s'],
  ])('formats %d s as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});
