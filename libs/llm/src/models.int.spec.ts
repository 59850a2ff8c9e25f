import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { composeCaption, withinLimits, type CaptionModel, type PipelineError } from '@autoposter/domain';
import { GeminiCaptions, GeminiCombined, GeminiVision } from './gemini-models';
import { GroqCaptions } from './groq-captions';

/** The simulated models of the demo, loaded by path: the library does not depend on the tool that imitates its counterpart. */
interface Simulators {
  urls: { GEMINI_API_URL: string; GROQ_API_URL: string };
  credentials: Record<string, string>;
  controlUrl: string;
  close(): Promise<void>;
}

let simulators: Simulators;
let dataDir: string;
let frame: Uint8Array;
beforeAll(async () => {
  const { startSimulators } = (await import(path.resolve(__dirname, '../../../tools/simulators/src/index'))) as {
    startSimulators(options: { dataDir: string; ffmpegPath: string }): Promise<Simulators>;
  };
  dataDir = await mkdtemp(path.join(tmpdir(), 'llm-client-'));
  simulators = await startSimulators({ dataDir, ffmpegPath: 'ffmpeg' });
  const file = path.join(dataDir, 'frame.jpg');
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=size=540x960', '-frames:v', '1', file]);
  frame = await readFile(file);
});
afterAll(async () => {
  await simulators.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(() => control('/control/reset'));

const control = async (where: string, body: unknown = {}) => {
  const response = await fetch(`${simulators.controlUrl}${where}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
};
const geminiSettings = (more = {}) => ({
  apiUrl: simulators.urls.GEMINI_API_URL,
  apiKey: simulators.credentials['GEMINI_API_KEY'] ?? '',
  model: 'gemini-3.8-flash',
  ...more,
});
const groqSettings = (more = {}) => ({
  apiUrl: simulators.urls.GROQ_API_URL,
  apiKey: simulators.credentials['GROQ_API_KEY'] ?? '',
  model: 'openai/gpt-oss-120b',
  ...more,
});
const source = { title: 'A dog learns to skate', subreddit: 'aww', author: 'someone', topComments: ['so cute'] };
const options = { tone: 'engaging', length: 'medium', includeHashtags: true, targetAudience: 'general', callToAction: true };
const signal = () => new AbortController().signal;
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: PipelineError) => error.failure.kind,
  );

test('frames are described', async () => {
  const seen = await new GeminiVision(geminiSettings()).describe([frame, frame], source, signal());
  expect(seen.visualContent).not.toBe('');
  expect(seen.confidence).toBeGreaterThanOrEqual(0);
  expect(seen.confidence).toBeLessThanOrEqual(1);
});

test('Gemini describes and writes in one request, which counts once', async () => {
  await control('/control/settings', { gemini: { requestsPerDay: 1 } });
  const both = () => new GeminiCombined(geminiSettings()).describeAndWrite([frame], source, options, signal());
  const { visuals, written } = await both();
  expect(visuals.visualContent).not.toBe('');
  expect(written.caption).not.toBe('');
  expect(await kindOf(both())).toBe('quota_exceeded');
});

test.each<[string, () => CaptionModel]>([
  ['Gemini', () => new GeminiCaptions(geminiSettings())],
  ['Groq, held to the schema', () => new GroqCaptions(groqSettings())],
])('%s writes a caption that can be published', async (_name, model) => {
  const written = await model().write(source, null, options, signal());
  const composed = composeCaption({ caption: written.caption, hashtags: written.hashtags, credit: null });
  expect(withinLimits(composed.violations)).toBe(true);
  expect(written.hashtags.length).toBeGreaterThan(0);
});

describe('Groq on its free plan', () => {
  const longSource = {
    title: 'A dog learns to skate '.repeat(20),
    subreddit: 'aww',
    author: 'someone',
    topComments: Array.from({ length: 20 }, (_, index) => `Comment ${index} `.repeat(40)),
  };

  test('writes the caption of a post with a long title and many comments', async () => {
    const written = await new GroqCaptions(groqSettings()).write(longSource, null, { ...options, length: 'long' }, signal());
    expect(written.caption).not.toBe('');
  });

  test('repeats a request as a smaller one where the plan allows less than the first one reserves', async () => {
    await control('/control/settings', { groq: { tokensPerMinute: 2200 } });
    const written = await new GroqCaptions(groqSettings()).write(longSource, null, options, signal());
    expect(written.caption).not.toBe('');
  });

  test('waits, and names limit and size, where even the smaller request is too large', async () => {
    await control('/control/settings', { groq: { tokensPerMinute: 300 } });
    const failure = await new GroqCaptions(groqSettings()).write(longSource, null, options, signal()).then(
      () => null,
      (error: PipelineError) => error.failure,
    );
    expect(failure).toMatchObject({
      kind: 'quota_exceeded',
      detail: { status: 413, window: 'TPM', limit: 300, requested: expect.any(Number) },
      retryAfterSeconds: expect.any(Number),
      nextAction: expect.stringContaining('GROQ_MODEL'),
    });
  });
});

test('wrong keys, unknown models and the list of models', async () => {
  expect(await kindOf(new GeminiCaptions(geminiSettings({ apiKey: 'wrong' })).write(source, null, options, signal()))).toBe(
    'not_authorised',
  );
  expect(await kindOf(new GroqCaptions(groqSettings({ apiKey: 'wrong' })).write(source, null, options, signal()))).toBe('not_authorised');
  expect(await kindOf(new GeminiCaptions(geminiSettings({ model: 'gemini-0-none' })).write(source, null, options, signal()))).toBe(
    'not_configured',
  );
  await expect(new GeminiVision(geminiSettings()).check()).resolves.toMatchObject({ available: true });
  await expect(new GroqCaptions(groqSettings()).check()).resolves.toMatchObject({ available: true });
  await expect(new GroqCaptions(groqSettings({ model: 'none' })).check()).resolves.toMatchObject({ available: false });
});

test.each([
  [{ status: 503, body: { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } } }, 'transient'],
  [
    {
      status: 429,
      body: { error: { code: 429, message: 'Resource has been exhausted (e.g. check quota).', status: 'RESOURCE_EXHAUSTED' } },
    },
    'rate_limited',
  ],
  [{ cut: true }, 'transient'],
  [{ status: 502, headers: { 'content-type': 'text/html' }, body: '<html>' }, 'transient'],
])('fault of Gemini %j', async (fault, kind) => {
  await control('/control/faults', { match: { system: 'gemini' }, ...fault });
  expect(await kindOf(new GeminiCaptions(geminiSettings()).write(source, null, options, signal()))).toBe(kind);
});

test('fault of Groq: an answer without choices, and a redirect', async () => {
  const codeOf = () =>
    new GroqCaptions(groqSettings()).write(source, null, options, signal()).then(
      () => null,
      (error: PipelineError) => error.failure.code,
    );
  await control('/control/faults', { match: { system: 'groq', times: 1 }, behaviour: 'no_choices' });
  expect(await codeOf()).toBe('model_answer_invalid');
  await control('/control/faults', { match: { system: 'groq' }, status: 307, headers: { location: geminiSettings().apiUrl } });
  expect(await codeOf()).toBe('groq_failed');
});
