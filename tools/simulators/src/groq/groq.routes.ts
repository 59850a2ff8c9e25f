import { randomUUID } from 'node:crypto';
import { CREDENTIALS } from '../credentials';
import { looseJsonAnswer, proseAnswer, schemaAnswer } from '../language/schema-answer';
import { subjectOf, textTokens } from '../language/subject';
import type { SimulatedClock } from '../server/clock';
import { type Handler, type SimResponse, bearerOf, get, guarded, json, jsonOf, post, type Route, type SimRequest } from '../server/http';
import { UsageLog } from '../server/limits';
import { type Simulation, system } from '../server/sim-server';
import { stableId36 } from '../server/stable-random';
import {
  type ChatRequest,
  checkChat,
  decommissioned,
  DECOMMISSIONED,
  GROQ_MODELS,
  groqError,
  type GroqModel,
  images,
  rateLimited,
  readChat,
  texts,
  TOO_LONG,
  unknownModel,
  wrongKey,
} from './chat-request';
import { GROQ_DEFAULTS, type GroqSettings, limitsOf, rateHeaders } from './quota';

interface GroqParts {
  key: string;
  usage: UsageLog;
  settings: GroqSettings;
  clock: SimulatedClock;
}

function groqRoutes(parts: GroqParts): Route[] {
  const models = '/openai/v1/models';
  const routes = [
    get(models, () => json(200, { object: 'list', data: Object.entries(GROQ_MODELS).map(modelEntry) })),
    get(`${models}/:owner/:name`, ({ params }) => oneModel(`${params.owner}/${params.name}`)),
    get(`${models}/:name`, ({ params }) => oneModel(params.name ?? '')),
    post('/openai/v1/chat/completions', (request) => complete(parts, request)),
  ];
  return guarded(routes, (handle) => (request) => (bearerOf(request) === parts.key ? handle(request) : wrongKey()));
}

function oneModel(id: string): SimResponse {
  const model = GROQ_MODELS[id];
  return model ? json(200, modelEntry([id, model])) : unknownModel(id);
}

function modelEntry([id, { owner, context, output }]: [string, GroqModel]): Record<string, unknown> {
  return {
    id,
    object: 'model',
    created: 1_754_408_224,
    owned_by: owner,
    active: true,
    context_window: context,
    public_apps: null,
    max_completion_tokens: output,
  };
}

function complete(parts: GroqParts, request: SimRequest): SimResponse {
  const chat = readChat(jsonOf(request));
  if (DECOMMISSIONED.includes(chat.model)) return decommissioned(chat.model);
  const model = GROQ_MODELS[chat.model];
  if (!model) return unknownModel(chat.model);
  checkChat(chat, model);
  const promptTokens = textTokens(texts(chat).join(' ')) + images(chat).length * 1_000;
  if (promptTokens > model.context) return TOO_LONG;
  // Groq counts the maximum completion tokens against the limit before it generates the response.
  const reserved = chat.max_completion_tokens ?? chat.max_tokens ?? 0;
  const exceeded = parts.usage.exceeded(chat.model, promptTokens + reserved, limitsOf(parts.settings));
  if (exceeded) return withRates(parts, chat.model, rateLimited(chat.model, exceeded));
  const response = write(parts, request, chat, model, promptTokens);
  return withRates(parts, chat.model, response);
}

function withRates({ usage, settings }: GroqParts, model: string, response: SimResponse): SimResponse {
  const headers = { ...rateHeaders(usage, model, settings), 'x-groq-region': 'sim', 'x-request-id': `req_${stableId36(randomUUID(), 26)}` };
  return { ...response, headers: { ...response.headers, ...headers } };
}

/** The value of a caption in the JSON of an answer. */
const CAPTION = /(?<="caption":\s?")(?:[^"\\]|\\.)*/gu;
const GERMAN_CAPTION = 'Ein ruhiger Morgen und der See ist ganz still. Was siehst du zuerst?';

function write(
  { usage, clock }: GroqParts,
  { behaviours }: SimRequest,
  chat: ChatRequest,
  model: GroqModel,
  promptTokens: number,
): SimResponse {
  const content = behaviours.has('other_language') ? contentFor(chat).replace(CAPTION, GERMAN_CAPTION) : contentFor(chat);
  const limit = chat.max_completion_tokens ?? chat.max_tokens ?? model.output;
  const cut = behaviours.has('length') || textTokens(content) > limit;
  const reasoning = model.reasoning && chat.reasoning_effort !== 'none' ? 24 : 0;
  if (behaviours.has('json_validate_failed') || (cut && chat.response_format?.type === 'json_schema' && !behaviours.has('length'))) {
    usage.add(chat.model, promptTokens + textTokens(content));
    const failed = { failed_generation: content.slice(0, Math.floor(content.length * 0.7)) };
    return groqError(
      400,
      "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
      'invalid_request_error',
      'json_validate_failed',
      failed,
    );
  }
  const emptied = behaviours.has('empty_reasoning');
  const given = emptied ? '' : cut ? content.slice(0, behaviours.has('length') ? Math.floor(content.length * 0.6) : limit * 4) : content;
  const completion = (given === '' ? 0 : textTokens(given)) + (emptied ? limit : reasoning);
  usage.add(chat.model, promptTokens + completion);
  const thinks = reasoning > 0 && chat.reasoning_format !== 'hidden' && chat.include_reasoning !== false;
  const choice = {
    index: 0,
    message: {
      role: 'assistant',
      content: given,
      ...(thinks || emptied ? { reasoning: 'The title says what matters; keep it short.' } : {}),
    },
    logprobs: null,
    finish_reason: cut || emptied ? 'length' : 'stop',
  };
  const id = randomUUID();
  return json(200, {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: clock.seconds(),
    model: chat.model,
    choices: behaviours.has('no_choices') ? [] : [choice],
    usage: {
      queue_time: 0.05,
      prompt_tokens: promptTokens,
      prompt_time: 0.004,
      completion_tokens: completion,
      completion_time: 0.15,
      total_tokens: promptTokens + completion,
      total_time: 0.154,
      ...(reasoning > 0 ? { completion_tokens_details: { reasoning_tokens: reasoning } } : {}),
    },
    usage_breakdown: null,
    system_fingerprint: `fp_${stableId36(chat.model, 10)}`,
    x_groq: { id: `req_${stableId36(id, 26)}` },
    service_tier: chat.service_tier ?? 'on_demand',
  });
}

function contentFor(chat: ChatRequest): string {
  const subject = subjectOf(texts(chat), images(chat));
  switch (chat.response_format?.type) {
    case 'json_schema':
      return JSON.stringify(schemaAnswer(chat.response_format.json_schema.schema, subject));
    case 'json_object':
      return JSON.stringify(looseJsonAnswer(subject));
    default:
      return proseAnswer(subject);
  }
}

export function simulateGroq(clock: SimulatedClock): Simulation<GroqSettings> {
  const settings: GroqSettings = { ...GROQ_DEFAULTS };
  const usage = new UsageLog(clock);
  const notFound: Handler = ({ method, path }) =>
    groqError(404, `Unknown request URL: ${method} ${path}. Please check the URL for typos.`, 'invalid_request_error', 'unknown_url');
  return {
    settings,
    systems: [system('groq', groqRoutes({ key: CREDENTIALS.groqKey, usage, settings, clock }), { notFound, bodyLimitBytes: 24_000_000 })],
    reset: () => {
      Object.assign(settings, GROQ_DEFAULTS);
      usage.reset();
    },
  };
}
