import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CREDENTIALS } from '../credentials';
import { MediaGenerator } from '../media/media-generator';
import { control, reply, type Reply, runSimulators } from '../testing/running';

const MODEL = 'gemini-3.5-flash';
const text = (words: string) => ({ contents: [{ role: 'user', parts: [{ text: words }] }] });
const responseSchema = {
  type: 'OBJECT',
  properties: { visualContent: { type: 'STRING' }, confidence: { type: 'NUMBER', minimum: 0, maximum: 1 } },
  required: ['visualContent'],
};
const asJson = { generationConfig: { responseMimeType: 'application/json', responseSchema } };

describe('Gemini', () => {
  let running: Awaited<ReturnType<typeof runSimulators>>;
  let clip: Buffer;
  let frame: string;

  const call = async (path: string, init: RequestInit = {}): Promise<Reply> =>
    reply(
      await fetch(`${running.urls.GEMINI_API_URL}${path}`, {
        ...init,
        headers: { 'x-goog-api-key': CREDENTIALS.geminiKey, ...(init.headers as Record<string, string>) },
      }),
    );
  const generate = (body: unknown, model = MODEL, headers: Record<string, string> = {}): Promise<Reply> =>
    call(`/v1beta/models/${model}:generateContent`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const withMedia = (data: string, mimeType: string) => ({
    contents: [{ parts: [{ inlineData: { mimeType, data } }, { text: 'Title: A clip' }] }],
    ...asJson,
  });

  beforeAll(async () => {
    running = await runSimulators();
    const generator = new MediaGenerator(join(running.dataDir, 'own'), 'ffmpeg');
    clip = await readFile(
      await generator.muxed({ scene: 'sea', seed: 'gemini', width: 180, height: 320, fps: 24, seconds: 4, sound: true }),
    );
    frame = (await readFile(await generator.picture({ scene: 'sea', seed: 'gemini', width: 320, height: 320, format: 'jpeg' }))).toString(
      'base64',
    );
  });
  beforeEach(() => control(running, 'POST', 'reset'));
  afterAll(() => running.close());

  it('rejects a missing key with 403 and an invalid one with 400', async () => {
    const missing = await generate(text('x'), MODEL, { 'x-goog-api-key': '' });
    expect([missing.status, missing.json.error.status]).toEqual([403, 'PERMISSION_DENIED']);
    const wrong = await generate(text('x'), MODEL, { 'x-goog-api-key': 'AIza-wrong' });
    expect([wrong.status, wrong.json.error.details[0].reason]).toEqual([400, 'API_KEY_INVALID']);
  });

  it('returns JSON that satisfies the schema and depends on the pictures', async () => {
    const first = await generate(withMedia(frame, 'image/jpeg'));
    const answer = JSON.parse(first.json.candidates[0].content.parts[0].text);
    expect(answer).toMatchObject({ visualContent: expect.stringContaining('A clip'), confidence: expect.any(Number) });
    expect(answer.confidence).toBeLessThanOrEqual(1);
    expect(first.json).toMatchObject({
      modelVersion: MODEL,
      usageMetadata: { promptTokensDetails: expect.arrayContaining([{ modality: 'IMAGE', tokenCount: 258 }]) },
    });
  });

  it('counts tokens by the duration of a video', async () => {
    const { json } = await generate(withMedia(clip.toString('base64'), 'video/mp4'));
    const tokens = Object.fromEntries(
      json.usageMetadata.promptTokensDetails.map((entry: { modality: string; tokenCount: number }) => [entry.modality, entry.tokenCount]),
    );
    expect(tokens.VIDEO).toBeGreaterThanOrEqual(4 * 258 - 40);
    expect(tokens.VIDEO).toBeLessThanOrEqual(4 * 258 + 40);
    expect(tokens.AUDIO).toBeGreaterThanOrEqual(4 * 32 - 8);
  });

  it.each<[string, object, string]>([
    ['unknown name', { ...text('x'), nonsense: 1 }, 'Unknown name "nonsense"'],
    ['unknown inner name', { contents: [{ parts: [{ txt: 'x' }] }] }, 'Unknown name "txt" at \'contents[0].parts[0]\''],
    ['no contents', {}, 'contents is not specified'],
    ['schema without JSON', { ...text('x'), generationConfig: { responseSchema } }, 'application/json'],
    [
      'free map in the schema',
      {
        ...text('x'),
        generationConfig: {
          responseMimeType: 'application/json',
          responseSchema: { type: 'OBJECT', additionalProperties: { type: 'STRING' } },
        },
      },
      'Unknown name "additionalProperties"',
    ],
    ['GIF', { contents: [{ parts: [{ inline_data: { mime_type: 'image/gif', data: 'AAAA' } }] }] }, 'Unsupported MIME type'],
    ['broken base64', { contents: [{ parts: [{ inlineData: { mimeType: 'image/jpeg', data: '%%%' } }] }] }, 'Base64'],
    ['no picture', { contents: [{ parts: [{ inlineData: { mimeType: 'image/jpeg', data: 'AAAA' } }] }] }, 'Provided image is not valid.'],
    [
      'both ways of thinking',
      { ...text('x'), generationConfig: { thinkingConfig: { thinkingBudget: 0, thinkingLevel: 'low' } } },
      'only one',
    ],
    ['a budget where a level is known', { ...text('x'), generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }, 'budget'],
    ['an unknown level', { ...text('x'), generationConfig: { thinkingConfig: { thinkingLevel: 'endless' } } }, 'thinking_level'],
    ['instructions among the contents', { contents: [{ role: 'system', parts: [{ text: 'x' }] }] }, 'valid role'],
    ['an unknown harm', { ...text('x'), safetySettings: [{ category: 'HARM_CATEGORY_NOISE', threshold: 'OFF' }] }, 'category'],
    ['an unknown threshold', { ...text('x'), safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'SOME' }] }, 'threshold'],
    ['an unknown resolution', { ...text('x'), generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_HUGE' } }, 'media_resolution'],
    ['more than a model writes', { ...text('x'), generationConfig: { maxOutputTokens: 65_537 } }, 'maxOutputTokens'],
    ['no tokens', { ...text('x'), generationConfig: { maxOutputTokens: 0 } }, 'maxOutputTokens'],
    ['too much of the mass', { ...text('x'), generationConfig: { topP: 1.1 } }, 'top_p'],
  ])('rejects %s', async (_name, body, words) => {
    const answer = await generate(body);
    expect([answer.status, answer.json.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(answer.json.error.message).toContain(words);
  });

  it('accepts snake_case and lists its models', async () => {
    const snake = {
      contents: [{ parts: [{ inline_data: { mime_type: 'image/jpeg', data: frame } }] }],
      generation_config: { response_mime_type: 'application/json' },
    };
    expect((await generate(snake)).status).toBe(200);
    const budget = { ...text('x'), generationConfig: { thinkingConfig: { thinkingBudget: 0 } } };
    expect((await generate(budget, 'gemini-2.5-flash')).status).toBe(200);
    expect((await generate(text('x'), 'gemini-1.5-flash')).json.error.status).toBe('NOT_FOUND');
    expect((await call('/v1beta/models')).json.models.map(({ name }: { name: string }) => name)).toContain(`models/${MODEL}`);
  });

  it('enforces the request quotas per minute and per day', async () => {
    await control(running, 'POST', 'settings', { gemini: { requestsPerMinute: 1, requestsPerDay: 2 } });
    expect((await generate(text('x'))).status).toBe(200);
    const minute = await generate(text('x'));
    expect(minute.json.error.details[0].violations[0]).toMatchObject({
      quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier',
      quotaValue: '1',
    });
    expect(minute.json.error.details[2].retryDelay).toMatch(/^\d+\.\d{9}s$/);
    await control(running, 'POST', 'clock', { advanceSeconds: 61 });
    await generate(text('x'));
    const day = await generate(text('x'));
    expect(day.json.error.details[0].violations[0].quotaId).toBe('GenerateRequestsPerDayPerProjectPerModel-FreeTier');
    await control(running, 'POST', 'clock', { advanceSeconds: 86_400 });
    expect((await generate(text('x'))).status).toBe(200);
  });

  it('enforces the token quota per minute', async () => {
    await control(running, 'POST', 'settings', { gemini: { tokensPerMinute: 20 } });
    expect((await generate(text('x'.repeat(60)))).status).toBe(200);
    const exceeded = await generate(text('x'.repeat(60)));
    expect([exceeded.status, exceeded.json.error.details[0].violations[0]]).toMatchObject([
      429,
      {
        quotaId: 'GenerateContentInputTokensPerModelPerMinute-FreeTier',
        quotaMetric: expect.stringMatching(/input_token_count$/),
        quotaValue: '20',
      },
    ]);
    await control(running, 'POST', 'clock', { advanceSeconds: 61 });
    expect((await generate(text('x'.repeat(60)))).status).toBe(200);
  });

  it('returns unusable answers when a fault requests them', async () => {
    const answerTo = async (preset: string): Promise<Reply['json']> => {
      await control(running, 'POST', `presets/${preset}`);
      return (await generate({ ...text('Title: A clip'), ...asJson })).json;
    };
    const blocked = await answerTo('gemini-blocked-prompt');
    expect([blocked.promptFeedback, blocked.candidates]).toEqual([{ blockReason: 'PROHIBITED_CONTENT' }, undefined]);
    expect((await answerTo('gemini-safety')).candidates[0]).toEqual({ finishReason: 'SAFETY', index: 0 });
    expect((await answerTo('gemini-max-tokens-empty')).candidates[0].content).toEqual({ role: 'model' });
    const cut = (await answerTo('gemini-max-tokens-cut')).candidates[0];
    expect(() => JSON.parse(cut.content.parts[0].text)).toThrow();
    expect((await answerTo('gemini-fenced')).candidates[0].content.parts[0].text).toMatch(/^```json\n\{/);
    expect((await answerTo('gemini-thought-first')).candidates[0].content.parts[0].thought).toBe(true);
    const parts: { text: string }[] = (await answerTo('gemini-several-parts')).candidates[0].content.parts;
    expect(JSON.parse(parts.map((part) => part.text).join(''))).toHaveProperty('visualContent');
    expect((await answerTo('gemini-429-day')).error.details[0].violations[0].quotaDimensions.model).toBe(MODEL);
  });

  it('paginates files and rejects files above two gigabytes', async () => {
    const upload = async (length: number): Promise<Response> =>
      fetch(`${running.urls.GEMINI_API_URL}/upload/v1beta/files`, {
        method: 'POST',
        headers: {
          'x-goog-api-key': CREDENTIALS.geminiKey,
          'x-goog-upload-protocol': 'resumable',
          'x-goog-upload-command': 'start',
          'x-goog-upload-header-content-length': String(length),
          'x-goog-upload-header-content-type': 'text/plain',
        },
      });
    expect((await upload(2_147_483_649)).status).toBe(400);
    const send = async (address: string, words: string): Promise<number> => {
      const headers = { 'x-goog-upload-offset': '0', 'x-goog-upload-command': 'upload, finalize' };
      return (await fetch(address, { method: 'POST', body: words, headers })).status;
    };
    for (const words of ['one', 'two', 'three']) {
      const address = (await upload(words.length)).headers.get('x-goog-upload-url') ?? '';
      expect(await send(address, `${words} more`)).toBe(400);
      expect(await send(address, words)).toBe(200);
    }
    const first = (await call('/v1beta/files?pageSize=2')).json;
    const second = (await call(`/v1beta/files?pageSize=2&pageToken=${first.nextPageToken}`)).json;
    expect([first.files.length, second.files.length, second.nextPageToken]).toEqual([2, 1, undefined]);
    expect((await call('/v1beta/files?pageSize=101')).status).toBe(400);
  });

  it('accepts a chunked upload, processes it and deletes it after two days', async () => {
    const start = await fetch(`${running.urls.GEMINI_API_URL}/upload/v1beta/files`, {
      method: 'POST',
      body: JSON.stringify({ file: { display_name: 'clip' } }),
      headers: {
        'x-goog-api-key': CREDENTIALS.geminiKey,
        'x-goog-upload-protocol': 'resumable',
        'x-goog-upload-command': 'start',
        'x-goog-upload-header-content-length': String(clip.length),
        'x-goog-upload-header-content-type': 'video/mp4',
      },
    });
    const address = start.headers.get('x-goog-upload-url') ?? '';
    expect(new URL(address).origin).toBe(running.urls.GEMINI_API_URL);
    const half = Math.floor(clip.length / 2);
    const send = async (offset: number, bytes: Buffer, command: string): Promise<Reply> =>
      reply(
        await fetch(address, {
          method: 'POST',
          body: new Uint8Array(bytes),
          headers: { 'x-goog-upload-offset': String(offset), 'x-goog-upload-command': command },
        }),
      );
    await send(0, clip.subarray(0, half), 'upload');
    expect((await send(0, clip.subarray(half), 'upload, finalize')).status).toBe(400);
    const { file } = (await send(half, clip.subarray(half), 'upload, finalize')).json;
    expect(file).toMatchObject({ state: 'PROCESSING', sizeBytes: String(clip.length), displayName: 'clip' });
    const ask = { contents: [{ parts: [{ fileData: { mimeType: 'video/mp4', fileUri: file.uri } }, { text: 'Title: A clip' }] }] };
    expect((await generate(ask)).json.error.status).toBe('FAILED_PRECONDITION');
    await control(running, 'POST', 'clock', { advanceSeconds: 2 });
    expect((await call(`/v1beta/${file.name}`)).json).toMatchObject({ state: 'ACTIVE', videoMetadata: { videoDuration: '4s' } });
    expect((await generate(ask)).status).toBe(200);
    await control(running, 'POST', 'clock', { advanceSeconds: 48 * 3_600 });
    expect((await generate(ask)).json.error.status).toBe('PERMISSION_DENIED');
  });
});
