import { CREDENTIALS } from '../credentials';
import { looseJsonAnswer, proseAnswer, type Schema, schemaAnswer } from '../language/schema-answer';
import { textTokens } from '../language/subject';
import type { SimulatedClock } from '../server/clock';
import {
  type Handler,
  type SimResponse,
  get,
  guarded,
  header,
  json,
  jsonOf,
  post,
  reject,
  type Route,
  type SimRequest,
} from '../server/http';
import { UsageLog } from '../server/limits';
import { type Simulation, system } from '../server/sim-server';
import { stableId64 } from '../server/stable-random';
import { FileStore } from './file-store';
import { fileRoutes, uploadRoute } from './files.routes';
import { geminiError, invalidArgument, keyError, quotaExceeded, unknownModel } from './gemini-errors';
import { canonical, checkConfig, checkSafety, isObject, type JsonObject } from './generation-request';
import { type Prompt, readPrompt } from './prompt';
import { GEMINI_DEFAULTS, type GeminiSettings, takeQuota } from './quota';

interface GeminiParts {
  usage: UsageLog;
  settings: GeminiSettings;
  files: FileStore;
  clock: SimulatedClock;
}

/** Checks the API key before the handler. */
const keyed =
  (expected: string) =>
  (handle: Handler): Handler =>
  (request) => {
    if (header(request, 'authorization')) return geminiError(401, 'UNAUTHENTICATED', WRONG_CREDENTIALS);
    const key = header(request, 'x-goog-api-key') ?? request.query.get('key');
    return key === expected ? handle(request) : keyError(key || null);
  };

const WRONG_CREDENTIALS =
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.';

/** 100 MB since January 2026. */
const REQUEST_LIMIT_BYTES = 104_857_600;

const geminiRoutes = (parts: GeminiParts): Route[] =>
  ['/v1beta', '/v1'].flatMap((version) => [
    get(`${version}/models`, () => json(200, { models: Object.keys(GEMINI_MODELS).map(modelResource) })),
    get(`${version}/models/:model`, ({ params: { model = '' } }) =>
      model in GEMINI_MODELS ? json(200, modelResource(model)) : unknownModel(model, 'getModel'),
    ),
    post(`${version}/models/:call`, (request) => call(parts, request)),
  ]);

async function call(parts: GeminiParts, request: SimRequest): Promise<SimResponse> {
  const [model = '', method = ''] = (request.params.call ?? '').split(':');
  if (!(model in GEMINI_MODELS)) return unknownModel(model, method);
  if (request.body.length > REQUEST_LIMIT_BYTES)
    return invalidArgument(`Request payload size exceeds the limit: ${REQUEST_LIMIT_BYTES} bytes.`);
  const body = bodyOf(request);
  const prompt = await readPrompt(parts.files, body);
  if (method === 'countTokens') return json(200, { totalTokens: prompt.tokens, promptTokensDetails: prompt.details });
  if (method !== 'generateContent' && method !== 'streamGenerateContent') return unknownModel(model, method);
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  checkConfig(config, thinkingOf(model));
  checkSafety(body.safetySettings);
  const exceeded = takeQuota(parts.usage, parts.settings, parts.clock.now(), model, prompt.tokens);
  if (exceeded) return quotaExceeded(model, exceeded);
  const generated = generation(parts, request, model, config, prompt);
  if (method === 'generateContent') return json(200, generated);
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: `data: ${JSON.stringify(generated)}\r\n\r\n` };
}

function bodyOf(request: SimRequest): JsonObject {
  const body = jsonOf(request);
  return isObject(body)
    ? (canonical(body) as JsonObject)
    : reject(invalidArgument('Invalid JSON payload received. Unexpected end of string.'));
}

function generation({ clock }: GeminiParts, request: SimRequest, model: string, config: JsonObject, prompt: Prompt): JsonObject {
  const { behaviours } = request;
  const common = { modelVersion: model, responseId: stableId64(`${prompt.subject.seed} ${clock.now()}`, 23) };
  const { tokens, details } = prompt;
  const usage = { promptTokenCount: tokens, totalTokenCount: tokens, promptTokensDetails: details, serviceTier: 'standard' };
  if (behaviours.has('blocked_prompt')) return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: usage, ...common };
  const { candidate, written, thoughts } = candidateFor(config, prompt, behaviours);
  const output = written === '' ? 0 : textTokens(written);
  const counted = { ...(output > 0 ? { candidatesTokenCount: output } : {}), thoughtsTokenCount: thoughts };
  const full = { ...usage, ...counted, totalTokenCount: tokens + thoughts + output };
  return { candidates: [candidate], ...(behaviours.has('no_usage') ? {} : { usageMetadata: full }), ...common };
}

const THOUGHTS = 64;

/** The single candidate of a response: text that satisfies the requested schema, or the defect selected by `behaviours`. */
function candidateFor(
  config: JsonObject,
  prompt: Prompt,
  behaviours: ReadonlySet<string>,
): { candidate: JsonObject; written: string; thoughts: number } {
  const finish = [...behaviours].map((behaviour) => /^finish_(\w+)$/.exec(behaviour)?.[1]).find((reason) => reason !== undefined);
  if (finish) return { candidate: { finishReason: finish, index: 0 }, written: '', thoughts: 0 };
  const limit = Number(config.maxOutputTokens ?? 65_536);
  if (behaviours.has('max_tokens_empty') || limit <= THOUGHTS / 2) {
    const candidate = { content: { role: 'model' }, finishReason: 'MAX_TOKENS', index: 0 };
    return { candidate, written: '', thoughts: Math.min(limit, THOUGHTS) };
  }
  const whole = textFor(config, prompt);
  const cut = behaviours.has('max_tokens_cut') || textTokens(whole) > limit;
  const written = cut ? whole.slice(0, behaviours.has('max_tokens_cut') ? Math.floor(whole.length * 0.6) : limit * 4) : whole;
  const content = { parts: partsFor(written, prompt, behaviours), role: 'model' };
  return { candidate: { content, finishReason: cut ? 'MAX_TOKENS' : 'STOP', index: 0 }, written, thoughts: THOUGHTS };
}

function textFor(config: JsonObject, { subject }: Prompt): string {
  const schema = config.responseJsonSchema ?? config.responseSchema;
  if (isObject(schema)) return JSON.stringify(schemaAnswer(schema as Schema, subject));
  return config.responseMimeType === 'application/json' ? JSON.stringify(looseJsonAnswer(subject)) : proseAnswer(subject);
}

function partsFor(written: string, { subject }: Prompt, behaviours: ReadonlySet<string>): JsonObject[] {
  if (behaviours.has('fenced')) return [{ text: `\`\`\`json\n${written}\n\`\`\`` }];
  if (behaviours.has('thought_first'))
    return [
      { text: 'Let me check the frames first.', thought: true },
      { text: written, thoughtSignature: stableId64(subject.seed, 43) },
    ];
  if (behaviours.has('several_parts')) {
    const third = Math.ceil(written.length / 3);
    return [0, 1, 2].map((index) => ({ text: written.slice(index * third, (index + 1) * third) }));
  }
  return [{ text: written }];
}

/** Available models. Models of version 2.5 control thinking by a budget, newer ones by a level. */
const GEMINI_MODELS: Readonly<Record<string, string>> = {
  'gemini-3.8-flash': 'Gemini 3.8 Flash',
  'gemini-3.7-flash': 'Gemini 3.7 Flash',
  'gemini-3.6-flash': 'Gemini 3.6 Flash',
  'gemini-3.5-flash': 'Gemini 3.5 Flash',
  'gemini-3.5-flash-lite': 'Gemini 3.5 Flash-Lite',
  'gemini-3.1-flash-lite': 'Gemini 3.1 Flash-Lite',
  'gemini-3.1-pro-preview': 'Gemini 3.1 Pro Preview',
  'gemini-3-flash-preview': 'Gemini 3 Flash Preview',
  'gemini-2.5-flash': 'Gemini 2.5 Flash',
  'gemini-2.5-flash-lite': 'Gemini 2.5 Flash-Lite',
  'gemini-2.5-pro': 'Gemini 2.5 Pro',
  'gemini-flash-latest': 'Gemini Flash Latest',
  'gemini-flash-lite-latest': 'Gemini Flash-Lite Latest',
};
const thinkingOf = (model: string): 'level' | 'budget' => (model.startsWith('gemini-2.5') ? 'budget' : 'level');

function modelResource(id: string): Record<string, unknown> {
  return {
    name: `models/${id}`,
    version: '001',
    displayName: GEMINI_MODELS[id],
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
    thinking: true,
  };
}

export function simulateGemini(options: { clock: SimulatedClock; ffprobePath: string; dataDir: string }): Simulation<GeminiSettings> {
  const { clock, ffprobePath, dataDir } = options;
  const settings: GeminiSettings = { ...GEMINI_DEFAULTS };
  const usage = new UsageLog(clock);
  const files = new FileStore(clock, settings, ffprobePath, dataDir);
  const parts: GeminiParts = { usage, settings, files, clock };
  const routes = [...guarded([...fileRoutes(files), ...geminiRoutes(parts)], keyed(CREDENTIALS.geminiKey)), uploadRoute(files)];
  return {
    settings,
    systems: [
      system('gemini', routes, {
        notFound: () => geminiError(404, 'NOT_FOUND', 'Requested entity was not found.'),
        bodyLimitBytes: 140_000_000,
        decorate: ({ headers }) => void Object.assign(headers, { 'server-timing': 'gfet4t7; dur=12', vary: 'Origin, X-Origin, Referer' }),
      }),
    ],
    reset: () => {
      Object.assign(settings, GEMINI_DEFAULTS);
      usage.reset();
    },
  };
}
