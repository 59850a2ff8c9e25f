import type { AiProvider } from './provider-breaker';

/** Name of the offline rules; their captions always need review. */
export const OFFLINE_MODEL = 'offline';

/** Options of one caption run. */
export interface CaptionOptions {
  tone: string;
  length: string;
  includeHashtags: boolean;
  targetAudience: string;
  callToAction: boolean;
}

/** A vision model's description of the frames. */
export interface VisualDescription {
  visualContent: string;
  emotionalTone: string;
  contentTheme: string;
  instagramOptimization: string;
  captionDirection: string;
  /** 0 to 1. */
  confidence: number;
  rawAnalysis: string;
}

export interface CaptionVariation {
  variation: string;
  tone: string;
  length: string;
  caption: string;
}

/** The answer of a text model. */
export interface WrittenCaption {
  caption: string;
  hashtags: string[];
  variations: CaptionVariation[];
  sentiment: string;
  hasCallToAction: boolean;
  hashtagCategories: Record<string, string[]>;
  /** Whether the answer repeats instructions of the prompt. */
  leaksPrompt?: boolean;
}

export interface CaptionSource {
  title: string;
  subreddit: string | null;
  author: string | null;
  topComments: string[];
}

/** Describes frames (JPEG bytes, at most 1024 px). Throws `PipelineError` with side `gemini`. */
export interface VisionModel {
  readonly name: string;
  /** The provider whose quota a call uses; none for a model that makes no request. */
  readonly provider?: AiProvider;
  describe(frames: readonly Uint8Array[], source: CaptionSource, signal: AbortSignal): Promise<VisualDescription>;
}

/** The rest of the provider's daily quota of requests. */
export interface RequestsLeft {
  requests: number;
  /** The whole quota; `null` if the provider does not say. */
  limit: number | null;
  /** Seconds until the provider accepts one more request; `null` if it does not say. */
  nextInSeconds: number | null;
}

/** Reports the requests and the quota of a call to the budget. */
export interface RequestMeter {
  /** Counts a request beyond the first of the call, before it is sent. Throws `PipelineError` if the daily quota is used up. */
  another(): Promise<void>;
  left(left: RequestsLeft): void;
}

/** Writes captions. Throws `PipelineError` with side `gemini` or `groq`. */
export interface CaptionModel {
  readonly name: string;
  readonly provider?: AiProvider;
  write(
    source: CaptionSource,
    visuals: VisualDescription | null,
    options: CaptionOptions,
    signal: AbortSignal,
    meter?: RequestMeter,
  ): Promise<WrittenCaption>;
}

/** Describes the frames and writes the captions in one call, which costs one request instead of two. Throws as `VisionModel` does. */
export interface CombinedModel {
  readonly name: string;
  readonly provider?: AiProvider;
  describeAndWrite(
    frames: readonly Uint8Array[],
    source: CaptionSource,
    options: CaptionOptions,
    signal: AbortSignal,
  ): Promise<{ visuals: VisualDescription; written: WrittenCaption }>;
}
