import {
  APICallError,
  generateText,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
  Output,
  type LanguageModel,
  type ModelMessage,
} from 'ai';
import { AI_PROVIDER_NAMES, failureOf, objectIn, PipelineError, readJson, type AiProvider } from '@autoposter/domain';
import type { z } from 'zod';

/** How to reach one model of one provider. */
export interface ModelSettings {
  /** Origin of the API, without version path. */
  apiUrl: string;
  apiKey: string;
  model: string;
  fetch?: typeof fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Number of hashtags in the prompt; by default the platform's limit. */
  maxHashtags?: number;
  /** Per call; by default 60 s. */
  timeoutMs?: number;
}

/** An HTTP refusal of a provider, as far as it can be read. */
export interface ProviderRefusal {
  status: number;
  headers: Record<string, string>;
  /** The provider's error object, `{}` where the body has none (HTML, empty). */
  error: Record<string, unknown>;
  message: string;
}

/**
 * Reads the JSON of a refusal. Providers and their front ends send `{error:{…}}`, the same inside an array, or the same as JSON text inside
 * `message`. Of anything else only the status is known.
 */
export function readRefusal(status: number, headers: Record<string, string> | undefined, body: unknown): ProviderRefusal {
  let error = errorObject(body);
  const inner = typeof error['message'] === 'string' ? errorObject(readJson(error['message'])) : {};
  if (Object.keys(inner).length > 0) error = inner;
  const message = typeof error['message'] === 'string' ? error['message'] : '';
  return { status, headers: headers ?? {}, error, message };
}

const errorObject = (json: unknown): Record<string, unknown> => objectIn(objectIn(Array.isArray(json) ? json[0] : json)['error']);

/** Detail of a failure before anything was sent: it costs no request of the day. */
export const NOT_SENT = { sent: false } as const;

/** Side and fields of a failure that every provider can have. */
export const at = <Fields extends object = object>(provider: AiProvider, fields?: Fields) => ({
  side: provider,
  fields: { provider: AI_PROVIDER_NAMES[provider], ...(fields as Fields) },
});

/** The connection failed before there was an answer. */
class Unanswered extends Error {}

/** A caption with its thinking has a few kilobytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Follows no redirect, because the key of Gemini and the post would follow it as well, and marks failed connections: whatever else the SDK
 * throws is about an answer. The SDK keeps a whole answer in memory, so an endless one is cut here.
 */
export const fetchAnswer =
  (fetchFn: typeof fetch = globalThis.fetch): typeof fetch =>
  async (input, init) => {
    const response = await fetchFn(input, { ...init, redirect: 'manual' }).catch((cause: unknown) => {
      throw new Unanswered('the connection failed', { cause });
    });
    return response.body === null ? response : new Response(response.body.pipeThrough(limitBytes(MAX_ANSWER_BYTES)), response);
  };

function limitBytes(most: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > most) controller.error(new Error('the answer is too long'));
      else controller.enqueue(chunk);
    },
  });
}

// The SDK prints warnings to the console, for example about a model without schema support.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

interface ObjectRequest<S extends z.ZodType> {
  model: LanguageModel;
  side: AiProvider;
  schema: S;
  system: string;
  messages: ModelMessage[];
  signal: AbortSignal;
  timeoutMs: number;
  /** Thinking included. Some providers reserve it from the budget of the minute before they write. */
  maxOutputTokens: number;
  explain: (refusal: ProviderRefusal) => PipelineError;
  providerOptions?: Parameters<typeof generateText>[0]['providerOptions'];
}

/**
 * One call for one object of the given shape, never retried here. Throws `PipelineError`: a refusal of the provider as `explain` maps it,
 * `policy` for a safety block, `transient` for a cut, empty or malformed answer, a timeout and a broken connection. When `signal` is
 * aborted it throws the signal's reason.
 */
export async function generateObject<S extends z.ZodType>(request: ObjectRequest<S>): Promise<z.infer<S>> {
  const { side, schema, signal, explain } = request;
  const timeout = AbortSignal.timeout(request.timeoutMs);
  try {
    const result = await generateText({
      model: request.model,
      system: request.system,
      messages: request.messages,
      output: Output.object({ schema }),
      maxRetries: 0,
      maxOutputTokens: request.maxOutputTokens,
      abortSignal: AbortSignal.any([signal, timeout]),
      ...(request.providerOptions ? { providerOptions: request.providerOptions } : {}),
    });
    if (result.finishReason !== 'stop') throw unfinished(side, result.finishReason, result.rawFinishReason);
    return storable(result.output as z.infer<S>);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof PipelineError) throw error;
    if (timeout.aborted)
      throw new PipelineError(failureOf('model_timed_out', at(side, { seconds: Math.round(request.timeoutMs / 1000) })), { cause: error });
    if (NoObjectGeneratedError.isInstance(error)) {
      const repaired = error.finishReason === 'stop' ? withoutFence(error.text, schema) : undefined;
      if (repaired !== undefined) return storable(repaired);
      throw unfinished(side, error.finishReason ?? 'stop', undefined);
    }
    if (NoOutputGeneratedError.isInstance(error)) throw unfinished(side, 'stop', undefined);
    if (APICallError.isInstance(error) && error.statusCode !== undefined) {
      throw explain(readRefusal(error.statusCode, error.responseHeaders, readJson(error.responseBody ?? '')));
    }
    if (!(error instanceof Unanswered) && !APICallError.isInstance(error)) throw unfinished(side, 'stop', undefined);
    const detail = neverConnected(error) ? { detail: NOT_SENT } : {};
    throw new PipelineError(failureOf('model_unreachable', { ...at(side), ...detail }), { cause: error });
  }
}

/** Failures to connect: no byte of the request has left. A connection that broke later may have delivered it. */
const CONNECT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

function neverConnected(error: unknown): boolean {
  let cause = objectIn(error);
  for (let depth = 0; depth < 5; depth += 1) {
    if (CONNECT_CODES.has(String(cause['code']))) return true;
    // one error for each address of the host
    cause = objectIn(Array.isArray(cause['errors']) ? cause['errors'][0] : cause['cause']);
  }
  return false;
}

/** `readJson` removes characters that Postgres cannot store. */
const storable = <T>(answer: T): T => readJson(JSON.stringify(answer)) as T;

/** Some models wrap their JSON in a Markdown fence despite the prompt. */
function withoutFence<S extends z.ZodType>(text: string | undefined, schema: S): z.infer<S> | undefined {
  const inner = /^```(?:json)?([^]*)```$/.exec((text ?? '').trim())?.[1];
  if (inner === undefined) return undefined;
  try {
    const parsed = schema.safeParse(JSON.parse(inner));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function unfinished(side: AiProvider, reason: string, raw: string | undefined): PipelineError {
  const parts = { ...at(side), detail: { finishReason: raw ?? reason } };
  if (RECITATION_REASONS.has(raw ?? '')) return PipelineError.of('model_answer_recited', parts);
  if (reason === 'content-filter' || SAFETY_REASONS.has(raw ?? '')) return PipelineError.of('model_content_refused', parts);
  return PipelineError.of(reason === 'length' ? 'model_answer_cut' : 'model_answer_invalid', parts);
}

/** Finish reasons of Gemini for a safety block (ai.google.dev/api/generate-content#FinishReason); the SDK maps only some of them. */
const SAFETY_REASONS: ReadonlySet<string> = new Set(['SAFETY', 'IMAGE_SAFETY', 'PROHIBITED_CONTENT', 'IMAGE_PROHIBITED_CONTENT']);

/** Finish reasons of Gemini for an answer that repeats existing work; the SDK maps them to `content-filter` as well. */
const RECITATION_REASONS: ReadonlySet<string> = new Set(['RECITATION', 'IMAGE_RECITATION']);
