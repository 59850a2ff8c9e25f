import { Refusal, json, type Answer } from '../server/answer';
import { jsonOf, type Route, type SimRequest } from '../server/sim-request';
import { stableId64 } from '../server/stable-random';
import { textTokens } from '../language/subject';
import { readPrompt, type Prompt } from './prompt';
import { invalidArgument, quotaExceeded, unknownModel } from './gemini-errors';
import { keyed, type GeminiParts } from './gemini-parts';
import { checkConfig, checkSafety } from './generation-config';
import { candidateFor } from './candidate';
import { GEMINI_MODELS, modelResource } from './models';
import { UnknownName, canonical, isObject, type JsonObject } from './request-shape';

/** 100 MB since January 2026. */
const REQUEST_LIMIT_BYTES = 104_857_600;

export function geminiRoutes(parts: GeminiParts): Route[] {
  return ['/v1beta', '/v1'].flatMap((version): Route[] => [
    {
      method: 'GET',
      path: `${version}/models`,
      handle: keyed(parts, () => json(200, { models: Object.keys(GEMINI_MODELS).map(modelResource) })),
    },
    {
      method: 'GET',
      path: `${version}/models/:model`,
      handle: keyed(parts, ({ params }) =>
        params.model && params.model in GEMINI_MODELS
          ? json(200, modelResource(params.model))
          : unknownModel(params.model ?? '', 'getModel'),
      ),
    },
    { method: 'POST', path: `${version}/models/:call`, handle: keyed(parts, (request) => call(parts, request)) },
  ]);
}

async function call(parts: GeminiParts, request: SimRequest): Promise<Answer> {
  const [model = '', method = ''] = (request.params.call ?? '').split(':');
  if (!(model in GEMINI_MODELS)) return unknownModel(model, method);
  if (request.body.length > REQUEST_LIMIT_BYTES)
    return invalidArgument(`Request payload size exceeds the limit: ${REQUEST_LIMIT_BYTES} bytes.`);
  const body = bodyOf(request);
  const prompt = await readPrompt(parts.files, body);
  if (method === 'countTokens') return json(200, { totalTokens: prompt.tokens, promptTokensDetails: prompt.details });
  if (method !== 'generateContent' && method !== 'streamGenerateContent') return unknownModel(model, method);
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  checkConfig(config, GEMINI_MODELS[model]?.thinking ?? 'level');
  checkSafety(body.safetySettings);
  const stopped = parts.quota.take(model, prompt.tokens);
  if (stopped) return quotaExceeded(model, stopped);
  const generated = generation(parts, request, model, config, prompt);
  if (method === 'generateContent') return json(200, generated);
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: `data: ${JSON.stringify(generated)}\r\n\r\n` };
}

function bodyOf(request: SimRequest): JsonObject {
  const body = jsonOf(request);
  if (!isObject(body)) throw new Refusal(invalidArgument('Invalid JSON payload received. Unexpected end of string.'));
  try {
    return canonical(body) as JsonObject;
  } catch (error) {
    if (error instanceof UnknownName) throw new Refusal(invalidArgument(error.message, 'contents'));
    throw error;
  }
}

function generation({ clock }: GeminiParts, request: SimRequest, model: string, config: JsonObject, prompt: Prompt): JsonObject {
  const { behaviours } = request;
  const common = { modelVersion: model, responseId: stableId64(`${prompt.subject.seed} ${clock.now()}`, 23) };
  const usage = {
    promptTokenCount: prompt.tokens,
    totalTokenCount: prompt.tokens,
    promptTokensDetails: prompt.details,
    serviceTier: 'standard',
  };
  if (behaviours.has('blocked_prompt')) return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: usage, ...common };
  const { candidate, written, thoughts } = candidateFor(config, prompt, behaviours);
  const counted = written === '' ? {} : { candidatesTokenCount: textTokens(written) };
  const full = {
    ...usage,
    ...counted,
    thoughtsTokenCount: thoughts,
    totalTokenCount: prompt.tokens + thoughts + (written === '' ? 0 : textTokens(written)),
  };
  return { candidates: [candidate], ...(behaviours.has('no_usage') ? {} : { usageMetadata: full }), ...common };
}
