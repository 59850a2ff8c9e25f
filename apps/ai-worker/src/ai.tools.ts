import type { Config } from '@autoposter/config';
import type { CaptionModel, VisionModel } from '@autoposter/domain';
import { GeminiCaptions, GeminiVision, GroqCaptions, OfflineCaptions, OfflineVision } from '@autoposter/llm';
import { MediaTools } from '@autoposter/media-tools';
import type { ObjectStore } from '@autoposter/object-store';
import { AiBudget } from './ai/ai-budget';
import type { Systems } from '@autoposter/stage-runner';

export interface AiTools {
  media: MediaTools;
  objects: ObjectStore;
  vision: VisionModel;
  captions: CaptionModel;
  budget: AiBudget;
}

export function aiTools({ config, database, objects, logger }: Systems): AiTools {
  return {
    media: new MediaTools({ ...config.media, logger }),
    objects,
    ...models(config),
    budget: new AiBudget(database.read.quota, config.aiDailyLimit),
  };
}

/** Gemini sees, Groq writes; where one is missing Gemini writes too, and where both are missing the offline model does its modest best. */
export function models({ gemini, groq }: Pick<Config, 'gemini' | 'groq'>): Pick<AiTools, 'vision' | 'captions'> {
  const geminiModel = gemini.configured ? { apiUrl: gemini.url, apiKey: gemini.apiKey, model: gemini.model } : null;
  const vision = geminiModel === null ? new OfflineVision() : new GeminiVision(geminiModel);
  if (groq.configured) return { vision, captions: new GroqCaptions({ apiUrl: groq.url, apiKey: groq.apiKey, model: groq.model }) };
  return { vision, captions: geminiModel === null ? new OfflineCaptions() : new GeminiCaptions(geminiModel) };
}
