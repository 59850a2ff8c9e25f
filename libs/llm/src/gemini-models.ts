import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type {
  CaptionModel,
  CaptionOptions,
  CaptionSource,
  CombinedModel,
  PipelineError,
  VisionModel,
  VisualDescription,
  WrittenCaption,
} from '@autoposter/domain';
import { captionAnswerSchema, combinedAnswerSchema, toVisualDescription, toWrittenCaption, visionAnswerSchema } from './answer-schemas';
import { askForObject } from './ask-for-object';
import { checkGeminiModel, type ModelCheck } from './check-model';
import { geminiFailure } from './gemini-failures';
import { modelFailure, NOT_SENT, type ProviderRefusal } from './model-failure';
import type { ModelSettings } from './model-settings';
import { newMarker } from './prompt-leak';
import { captionSystemPrompt, captionUserPrompt, combinedRule, visionSystemPrompt, visionUserPrompt } from './prompts';

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
      const nextAction = 'Set GEMINI_API_KEY.';
      throw modelFailure('gemini', { kind: 'not_configured', says: 'is not configured', nextAction, detail: NOT_SENT });
    }
    const baseURL = `${apiUrl.replace(/(?<!\/)\/+$/, '')}/v1beta`;
    return createGoogleGenerativeAI({ apiKey, baseURL, ...(fetch ? { fetch } : {}) })(model);
  }

  readonly explain = (refusal: ProviderRefusal): PipelineError => geminiFailure(refusal, this.now());
}

/** Throws `PipelineError` where the frames are none, or more than a request may hold. */
function imageParts(frames: readonly Uint8Array[]) {
  const bytes = frames.reduce((sum, frame) => sum + frame.byteLength, 0);
  if (frames.length === 0 || bytes > MAX_FRAME_BYTES) {
    throw modelFailure('gemini', {
      kind: 'invalid_input',
      says: `cannot take ${frames.length} frames of ${bytes} bytes`,
      nextAction: 'Use fewer or smaller frames.',
      detail: NOT_SENT,
    });
  }
  return frames.map((frame) => ({ type: 'image' as const, image: frame, mediaType: 'image/jpeg' }));
}

/** Looks at frames with a Gemini model. */
export class GeminiVision implements VisionModel {
  readonly name: string;
  readonly provider = 'gemini';
  private readonly calls: GeminiCalls;

  constructor(settings: ModelSettings) {
    this.name = settings.model;
    this.calls = new GeminiCalls(settings);
  }

  /** JPEG frames of at most 14 MiB together, at least one. Throws `PipelineError`, or the signal's reason. */
  async describe(frames: readonly Uint8Array[], source: CaptionSource, signal: AbortSignal): Promise<VisualDescription> {
    const images = imageParts(frames);
    const answer = await askForObject({
      model: this.calls.model(),
      side: 'gemini',
      schema: visionAnswerSchema,
      system: visionSystemPrompt(),
      messages: [
        {
          role: 'user',
          content: [...images, { type: 'text', text: visionUserPrompt(source, frames.length) }],
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
  readonly provider = 'gemini';
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
    const marker = newMarker();
    const system = captionSystemPrompt(marker);
    const content = captionUserPrompt(source, visuals, options, this.calls.settings);
    const answer = await askForObject({
      model: this.calls.model(),
      side: 'gemini',
      schema: captionAnswerSchema,
      system,
      messages: [{ role: 'user', content }],
      signal,
      timeoutMs: this.calls.timeoutMs,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      explain: this.calls.explain,
    });
    return toWrittenCaption(answer, options.includeHashtags, { marker, prompts: [system, content, visionSystemPrompt()] });
  }

  /** Whether the configured model is in the provider's list. */
  check(): Promise<ModelCheck> {
    return checkGeminiModel(this.calls.settings, this.calls.explain);
  }
}

/** Describes the frames and writes the captions in one request, where Gemini does both: its free plan counts requests. */
export class GeminiCombined implements CombinedModel {
  readonly name: string;
  readonly provider = 'gemini';
  private readonly calls: GeminiCalls;

  constructor(settings: ModelSettings) {
    this.name = settings.model;
    this.calls = new GeminiCalls(settings);
  }

  /** JPEG frames of at most 14 MiB together, at least one. Throws `PipelineError`, or the signal's reason. */
  async describeAndWrite(
    frames: readonly Uint8Array[],
    source: CaptionSource,
    options: CaptionOptions,
    signal: AbortSignal,
  ): Promise<{ visuals: VisualDescription; written: WrittenCaption }> {
    const images = imageParts(frames);
    const marker = newMarker();
    const system = `${visionSystemPrompt()}\n${captionSystemPrompt(marker)}\n${combinedRule()}`;
    const wishes = captionUserPrompt(source, null, options, this.calls.settings);
    const text = `${visionUserPrompt(source, frames.length)}\n${wishes}`;
    const answer = await askForObject({
      model: this.calls.model(),
      side: 'gemini',
      schema: combinedAnswerSchema,
      system,
      messages: [{ role: 'user', content: [...images, { type: 'text', text }] }],
      signal,
      timeoutMs: this.calls.timeoutMs,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      explain: this.calls.explain,
    });
    const written = toWrittenCaption(answer.captions, options.includeHashtags, { marker, prompts: [system, wishes] });
    return { visuals: toVisualDescription(answer.visuals), written };
  }
}
