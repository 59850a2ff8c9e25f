import { createGroq } from '@ai-sdk/groq';
import {
  PipelineError,
  type CaptionModel,
  type CaptionOptions,
  type CaptionSource,
  type RequestMeter,
  type RequestsLeft,
  type VisualDescription,
  type WrittenCaption,
} from '@autoposter/domain';
import { withoutSlash } from '@autoposter/resilience';
import { captionAnswerSchema, toWrittenCaption, type CaptionAnswer } from './answer-schemas';
import { checkGroqModel, type ModelCheck } from './check-model';
import { groqFailure, isLargerThanPlan, parseDuration } from './groq-failures';
import { fetchAnswer, generateObject, NOT_SENT, type ModelSettings, type ProviderRefusal } from './model-call';
import { captionSystemPrompt, captionUserPrompt, newMarker, visionSystemPrompt } from './prompts';

const TIMEOUT_MS = 60_000;

/**
 * Groq counts prompt plus reserved output against the tokens of a minute (8,000 on the free plan) and refuses with 413 what is larger.
 * A caption with its variations is written with less than 1,000 tokens; languages of other scripts and a little reasoning need the rest.
 */
const FULL_TOKENS = 2000;
/** For plans with less: a short caption, without comments in the prompt. */
const COMPACT_TOKENS = 700;

/** Writes captions with a model at Groq. The gpt-oss models have to follow the schema; answers of others are JSON that is checked. */
export class GroqCaptions implements CaptionModel {
  readonly name: string;
  readonly provider = 'groq';

  constructor(private readonly settings: ModelSettings) {
    this.name = settings.model;
  }

  /** Throws `PipelineError`, or the signal's reason. The caption policy checks the limits of the platform. */
  async write(
    source: CaptionSource,
    visuals: VisualDescription | null,
    options: CaptionOptions,
    signal: AbortSignal,
    meter?: RequestMeter,
  ): Promise<WrittenCaption> {
    const marker = newMarker();
    const system = captionSystemPrompt(marker);
    const { maxHashtags } = this.settings;
    const content = captionUserPrompt(source, visuals, options, { maxHashtags });
    const answer = await this.generate({ system, content, maxOutputTokens: FULL_TOKENS, signal, meter }).catch(async (error: unknown) => {
      if (!isLargerThanPlan(error)) throw error;
      await meter?.another();
      const compact = captionUserPrompt(source, visuals, options, { maxHashtags, compact: true });
      return this.generate({ system, content: compact, maxOutputTokens: COMPACT_TOKENS, signal, meter });
    });
    return toWrittenCaption('groq', answer, options.includeHashtags, { marker, prompts: [system, content, visionSystemPrompt()] });
  }

  /** Whether the configured model is in the provider's list. */
  check(): Promise<ModelCheck> {
    return checkGroqModel(this.settings, this.explain);
  }

  private generate({ system, content, maxOutputTokens, signal, meter }: CaptionRequest): Promise<CaptionAnswer> {
    const structured = isGptOss(this.settings.model);
    const reasoningEffort = reasoningEffortOf(this.settings.model);
    return generateObject({
      model: this.model(meter),
      side: 'groq',
      schema: captionAnswerSchema,
      system,
      messages: [{ role: 'user', content }],
      signal,
      timeoutMs: this.settings.timeoutMs ?? TIMEOUT_MS,
      maxOutputTokens,
      explain: this.explain,
      providerOptions: {
        groq: { structuredOutputs: structured, strictJsonSchema: structured, ...(reasoningEffort ? { reasoningEffort } : {}) },
      },
    });
  }

  private model(meter: RequestMeter | undefined) {
    const { apiUrl, apiKey, model, fetch } = this.settings;
    if (apiKey === '') throw PipelineError.of('groq_not_configured', { detail: NOT_SENT });
    const baseURL = `${withoutSlash(apiUrl)}/openai/v1`;
    const metered: typeof globalThis.fetch = async (...request) => {
      const response = await fetchAnswer(fetch)(...request);
      const left = requestsLeft(response.headers);
      if (left !== null) meter?.left(left);
      return response;
    };
    return createGroq({ apiKey, baseURL, fetch: metered })(model);
  }

  private readonly explain = (refusal: ProviderRefusal): PipelineError => groqFailure(refusal);
}

interface CaptionRequest {
  system: string;
  content: string;
  maxOutputTokens: number;
  signal: AbortSignal;
  meter: RequestMeter | undefined;
}

/** Groq counts requests per day and tokens per minute and reports both with every answer. */
function requestsLeft(headers: Headers): RequestsLeft | null {
  const count = (name: string): number | null => {
    const text = headers.get(name) ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : null;
  };
  const requests = count('x-ratelimit-remaining-requests');
  if (requests === null) return null;
  const limit = count('x-ratelimit-limit-requests');
  return { requests, limit, nextInSeconds: parseDuration(headers.get('x-ratelimit-reset-requests') ?? '') };
}

const isGptOss = (model: string): boolean => model.includes('gpt-oss');

/** The least reasoning that a model family accepts; models that do not reason refuse the field. */
const reasoningEffortOf = (model: string): 'low' | 'none' | null => (isGptOss(model) ? 'low' : model.startsWith('qwen/') ? 'none' : null);
