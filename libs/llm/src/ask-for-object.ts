import {
  APICallError,
  generateText,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
  Output,
  type LanguageModel,
  type ModelMessage,
} from 'ai';
import { objectIn, PipelineError, readJson } from '@autoposter/domain';
import type { z } from 'zod';
import { modelFailure, NOT_SENT, readRefusal, type ModelSide, type ProviderRefusal } from './model-failure';

// The SDK prints warnings to the console by itself (a model without schema support is one); the log is ours.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

export interface ObjectQuestion<S extends z.ZodType> {
  model: LanguageModel;
  side: ModelSide;
  schema: S;
  system: string;
  messages: ModelMessage[];
  signal: AbortSignal;
  timeoutMs: number;
  /** Thinking included. Some providers reserve it from the budget of a minute before they write. */
  maxOutputTokens: number;
  explain: (refusal: ProviderRefusal) => PipelineError;
  providerOptions?: Parameters<typeof generateText>[0]['providerOptions'];
}

/**
 * One call for one object of the given shape; never repeated here. Throws `PipelineError`: what the provider refused through `explain`,
 * `policy` for a safety block, `transient` for a cut, empty or malformed answer, for a timeout and for a broken connection. When
 * `signal` is aborted its reason is thrown.
 */
export async function askForObject<S extends z.ZodType>(question: ObjectQuestion<S>): Promise<z.infer<S>> {
  const { side, schema, signal, explain } = question;
  const timeout = AbortSignal.timeout(question.timeoutMs);
  try {
    const result = await generateText({
      model: question.model,
      system: question.system,
      messages: question.messages,
      output: Output.object({ schema }),
      maxRetries: 0,
      maxOutputTokens: question.maxOutputTokens,
      abortSignal: AbortSignal.any([signal, timeout]),
      ...(question.providerOptions ? { providerOptions: question.providerOptions } : {}),
    });
    if (result.finishReason !== 'stop') throw unfinished(side, result.finishReason, result.rawFinishReason);
    return kept(result.output as z.infer<S>);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof PipelineError) throw error;
    if (timeout.aborted)
      throw modelFailure(side, { kind: 'transient', says: `gave no answer within ${Math.round(question.timeoutMs / 1000)} s` }, error);
    if (NoObjectGeneratedError.isInstance(error)) {
      const repaired = error.finishReason === 'stop' ? withoutFence(error.text, schema) : undefined;
      if (repaired !== undefined) return kept(repaired);
      throw unfinished(side, error.finishReason ?? 'stop', undefined);
    }
    if (NoOutputGeneratedError.isInstance(error)) throw unfinished(side, 'stop', undefined);
    if (APICallError.isInstance(error) && error.statusCode !== undefined) {
      throw explain(readRefusal(error.statusCode, error.responseHeaders, error.responseBody));
    }
    throw modelFailure(
      side,
      { kind: 'transient', says: 'could not be reached', ...(neverConnected(error) ? { detail: NOT_SENT } : {}) },
      error,
    );
  }
}

/** Failures to connect: no byte of the request has left. A connection that broke later may have delivered it. */
const CONNECT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

function neverConnected(error: unknown): boolean {
  let cause = objectIn(error);
  for (let depth = 0; depth < 5; depth += 1) {
    if (CONNECT_CODES.has(String(cause['code']))) return true;
    // one for each address of a name
    cause = objectIn(Array.isArray(cause['errors']) ? cause['errors'][0] : cause['cause']);
  }
  return false;
}

/** What a model writes is stored, and it may write what no database keeps. */
const kept = <T>(answer: T): T => readJson(JSON.stringify(answer)) as T;

/** Some models wrap their JSON in a Markdown fence although they were asked not to. */
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

function unfinished(side: ModelSide, reason: string, raw: string | undefined): PipelineError {
  const detail = { finishReason: raw ?? reason };
  // the SDK does not know all of the provider's words for it
  if (reason === 'content-filter' || /SAFETY|PROHIBITED|RECITATION/.test(raw ?? '')) {
    const nextAction = 'Look at the post; write its caption by hand, ask again with another model, or discard it.';
    return modelFailure(side, { kind: 'policy', says: 'refuses this content for safety reasons', nextAction, detail });
  }
  const says = reason === 'length' ? 'cut its answer short' : 'wrote an answer that is not in the asked-for form';
  return modelFailure(side, { kind: 'transient', says, detail });
}
