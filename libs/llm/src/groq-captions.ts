import { createGroq } from '@ai-sdk/groq';
import type { CaptionModel, CaptionOptions, CaptionSource, PipelineError, VisualDescription, WrittenCaption } from '@autoposter/domain';
import { captionAnswerSchema, toWrittenCaption } from './answer-schemas';
import { askForObject } from './ask-for-object';
import { checkGroqModel, type ModelCheck } from './check-model';
import type { ModelSettings } from './model-settings';
import { groqFailure } from './groq-failures';
import { modelFailure, type ProviderRefusal } from './model-failure';
import { captionSystemPrompt, captionUserPrompt } from './prompts';

const TIMEOUT_MS = 60_000;

/** Writes captions with a model at Groq. The gpt-oss models are held to the schema, others are asked for JSON and checked. */
export class GroqCaptions implements CaptionModel {
  readonly name: string;

  constructor(private readonly settings: ModelSettings) {
    this.name = settings.model;
  }

  /** Throws `PipelineError`, or the signal's reason. Limits of the platform are checked by the caption policy, not here. */
  async write(
    source: CaptionSource,
    visuals: VisualDescription | null,
    options: CaptionOptions,
    signal: AbortSignal,
  ): Promise<WrittenCaption> {
    const structured = this.settings.model.includes('gpt-oss');
    const answer = await askForObject({
      model: this.model(),
      side: 'groq',
      schema: captionAnswerSchema,
      system: captionSystemPrompt(),
      messages: [{ role: 'user', content: captionUserPrompt(source, visuals, options) }],
      signal,
      timeoutMs: this.settings.timeoutMs ?? TIMEOUT_MS,
      explain: this.explain,
      providerOptions: { groq: { structuredOutputs: structured, strictJsonSchema: structured } },
    });
    return toWrittenCaption(answer, options.includeHashtags);
  }

  /** Whether the configured model is in the provider's list. */
  check(): Promise<ModelCheck> {
    return checkGroqModel(this.settings, this.explain);
  }

  private model() {
    const { apiUrl, apiKey, model, fetch } = this.settings;
    if (apiKey === '') throw modelFailure('groq', { kind: 'not_configured', says: 'is not configured', nextAction: 'Set GROQ_API_KEY.' });
    const baseURL = `${apiUrl.replace(/\/+$/, '')}/openai/v1`;
    return createGroq({ apiKey, baseURL, ...(fetch ? { fetch } : {}) })(model);
  }

  private readonly explain = (refusal: ProviderRefusal): PipelineError => groqFailure(refusal, (this.settings.now ?? Date.now)());
}
