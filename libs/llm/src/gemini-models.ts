import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type {
  CaptionModel,
  CaptionOptions,
  CaptionSource,
  PipelineError,
  VisionModel,
  VisualDescription,
  WrittenCaption,
} from '@autoposter/domain';
import { captionAnswerSchema, toVisualDescription, toWrittenCaption, visionAnswerSchema } from './answer-schemas';
import { askForObject } from './ask-for-object';
import { checkGeminiModel, type ModelCheck } from './check-model';
import { geminiFailure } from './gemini-failures';
import { modelFailure, type ProviderRefusal } from './model-failure';
import type { ModelSettings } from './model-settings';
import { captionSystemPrompt, captionUserPrompt, visionSystemPrompt, visionUserPrompt } from './prompts';

const TIMEOUT_MS = 60_000;
/** Room for an answer and for the thinking before it, which some models cannot switch off. Only what is written is paid for. */
const MAX_OUTPUT_TOKENS = 8192;
/** All frames of a request together, raw; base64 adds a third and 20 MB is the old limit of a request. */
const MAX_FRAME_BYTES = 14 * 1024 * 1024;

/** What both Gemini models share: one provider, one way to fail. */
class GeminiCalls {
  readonly timeoutMs: number;
  private readonly now: () => number;

  constructor(readonly settings: ModelSettings) {
    this.timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
    this.now = settings.now ?? Date.now;
  }

  model() {
    const { apiUrl, apiKey, model, fetch } = this.settings;
    if (apiKey === '') {
      throw modelFailure('gemini', { kind: 'not_configured', says: 'is not configured', nextAction: 'Set GEMINI_API_KEY.' });
    }
    const baseURL = `${apiUrl.replace(/\/+$/, '')}/v1beta`;
    return createGoogleGenerativeAI({ apiKey, baseURL, ...(fetch ? { fetch } : {}) })(model);
  }

  readonly explain = (refusal: ProviderRefusal): PipelineError => geminiFailure(refusal, this.now());
}

/** Looks at frames with a Gemini model. */
export class GeminiVision implements VisionModel {
  readonly name: string;
  private readonly calls: GeminiCalls;

  constructor(settings: ModelSettings) {
    this.name = settings.model;
    this.calls = new GeminiCalls(settings);
  }

  /** JPEG frames of at most 14 MiB together, at least one. Throws `PipelineError`, or the signal's reason. */
  async describe(frames: readonly Uint8Array[], source: CaptionSource, signal: AbortSignal): Promise<VisualDescription> {
    const bytes = frames.reduce((sum, frame) => sum + frame.byteLength, 0);
    if (frames.length === 0 || bytes > MAX_FRAME_BYTES) {
      throw modelFailure('gemini', {
        kind: 'invalid_input',
        says: `cannot take ${frames.length} frames of ${bytes} bytes`,
        nextAction: 'Use fewer or smaller frames.',
      });
    }
    const answer = await askForObject({
      model: this.calls.model(),
      side: 'gemini',
      schema: visionAnswerSchema,
      system: visionSystemPrompt(),
      messages: [
        {
          role: 'user',
          content: [
            ...frames.map((frame) => ({ type: 'image' as const, image: frame, mediaType: 'image/jpeg' })),
            { type: 'text', text: visionUserPrompt(source, frames.length) },
          ],
        },
      ],
      signal,
      timeoutMs: this.calls.timeoutMs,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      explain: this.calls.explain,
    });
    return toVisualDescription(answer);
  }

  /** Whether the configured model is in the provider's list. */
  check(): Promise<ModelCheck> {
    return checkGeminiModel(this.calls.settings, this.calls.explain);
  }
}

/** Writes captions with a Gemini model. */
export class GeminiCaptions implements CaptionModel {
  readonly name: string;
  private readonly calls: GeminiCalls;

  constructor(settings: ModelSettings) {
    this.name = settings.model;
    this.calls = new GeminiCalls(settings);
  }

  /** Throws `PipelineError`, or the signal's reason. Limits of the platform are checked by the caption policy, not here. */
  async write(
    source: CaptionSource,
    visuals: VisualDescription | null,
    options: CaptionOptions,
    signal: AbortSignal,
  ): Promise<WrittenCaption> {
    const answer = await askForObject({
      model: this.calls.model(),
      side: 'gemini',
      schema: captionAnswerSchema,
      system: captionSystemPrompt(),
      messages: [{ role: 'user', content: captionUserPrompt(source, visuals, options) }],
      signal,
      timeoutMs: this.calls.timeoutMs,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      explain: this.calls.explain,
    });
    return toWrittenCaption(answer, options.includeHashtags);
  }

  /** Whether the configured model is in the provider's list. */
  check(): Promise<ModelCheck> {
    return checkGeminiModel(this.calls.settings, this.calls.explain);
  }
}
