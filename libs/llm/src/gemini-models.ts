import { createGoogleGenerativeAI } from '@ai-sdk/google';
import {
  PipelineError,
  type CaptionModel,
  type CaptionOptions,
  type CaptionSource,
  type CombinedModel,
  type VisionModel,
  type VisualDescription,
  type WrittenCaption,
} from '@autoposter/domain';
import { withoutSlash } from '@autoposter/resilience';
import type { ModelMessage } from 'ai';
import type { z } from 'zod';
import { captionAnswerSchema, combinedAnswerSchema, toVisualDescription, toWrittenCaption, visionAnswerSchema } from './answer-schemas';
import { checkGeminiModel, type ModelCheck } from './check-model';
import { geminiFailure } from './gemini-failures';
import { fetchAnswer, generateObject, NOT_SENT, type ModelSettings, type ProviderRefusal } from './model-call';
import { captionSystemPrompt, captionUserPrompt, combinedRule, newMarker, visionSystemPrompt, visionUserPrompt } from './prompts';

const TIMEOUT_MS = 60_000;
/** For the answer and the thinking before it, which some models cannot switch off. Only written tokens are billed. */
const MAX_OUTPUT_TOKENS = 8192;
/** All frames of a request together, raw; base64 adds a third and 20 MB is the documented limit of a request. */
const MAX_FRAME_BYTES = 14 * 1024 * 1024;

type UserContent = Extract<ModelMessage, { role: 'user' }>['content'];

/** The calls that all Gemini models share. */
class GeminiModel {
  readonly name: string;
  readonly provider = 'gemini';

  constructor(protected readonly settings: ModelSettings) {
    this.name = settings.model;
  }

  /** Whether the configured model is in the provider's list. */
  check(): Promise<ModelCheck> {
    return checkGeminiModel(this.settings, this.explain);
  }

  /** One request with one message. Throws `PipelineError`, or the signal's reason. */
  protected generate<S extends z.ZodType>(schema: S, system: string, content: UserContent, signal: AbortSignal): Promise<z.infer<S>> {
    return generateObject({
      model: this.model(),
      side: 'gemini',
      schema,
      system,
      messages: [{ role: 'user', content }],
      signal,
      timeoutMs: this.settings.timeoutMs ?? TIMEOUT_MS,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      explain: this.explain,
    });
  }

  private model() {
    const { apiUrl, apiKey, model, fetch } = this.settings;
    if (apiKey === '') throw PipelineError.of('gemini_not_configured', { detail: NOT_SENT });
    const baseURL = `${withoutSlash(apiUrl)}/v1beta`;
    return createGoogleGenerativeAI({ apiKey, baseURL, fetch: fetchAnswer(fetch) })(model);
  }

  private readonly explain = (refusal: ProviderRefusal): PipelineError => geminiFailure(refusal, (this.settings.now ?? Date.now)());
}

/** Throws `PipelineError` without frames, or with more than a request may contain. */
function imageParts(frames: readonly Uint8Array[]) {
  const bytes = frames.reduce((sum, frame) => sum + frame.byteLength, 0);
  if (frames.length === 0 || bytes > MAX_FRAME_BYTES) {
    throw PipelineError.of('gemini_frames_refused', { fields: { count: frames.length, bytes }, detail: NOT_SENT });
  }
  return frames.map((frame) => ({ type: 'image' as const, image: frame, mediaType: 'image/jpeg' }));
}

/** Describes frames with a Gemini model. */
export class GeminiVision extends GeminiModel implements VisionModel {
  /** JPEG frames of at most 14 MiB together, at least one. Throws `PipelineError`, or the signal's reason. */
  async describe(frames: readonly Uint8Array[], source: CaptionSource, signal: AbortSignal): Promise<VisualDescription> {
    const images = imageParts(frames);
    const content: UserContent = [...images, { type: 'text', text: visionUserPrompt(source, frames.length) }];
    return toVisualDescription(await this.generate(visionAnswerSchema, visionSystemPrompt(), content, signal));
  }
}

/** Writes captions with a Gemini model. */
export class GeminiCaptions extends GeminiModel implements CaptionModel {
  /** Throws `PipelineError`, or the signal's reason. The caption policy checks the limits of the platform. */
  async write(
    source: CaptionSource,
    visuals: VisualDescription | null,
    options: CaptionOptions,
    signal: AbortSignal,
  ): Promise<WrittenCaption> {
    const marker = newMarker();
    const system = captionSystemPrompt(marker);
    const content = captionUserPrompt(source, visuals, options, this.settings);
    const answer = await this.generate(captionAnswerSchema, system, content, signal);
    return toWrittenCaption('gemini', answer, options.includeHashtags, { marker, prompts: [system, content, visionSystemPrompt()] });
  }
}

/** Describes the frames and writes the captions in one request: Gemini's free plan counts requests. */
export class GeminiCombined extends GeminiModel implements CombinedModel {
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
    const task = captionUserPrompt(source, null, options, this.settings);
    const text = `${visionUserPrompt(source, frames.length)}\n${task}`;
    const answer = await this.generate(combinedAnswerSchema, system, [...images, { type: 'text', text }], signal);
    const written = toWrittenCaption('gemini', answer.captions, options.includeHashtags, { marker, prompts: [system, task] });
    return { visuals: toVisualDescription(answer.visuals), written };
  }
}
