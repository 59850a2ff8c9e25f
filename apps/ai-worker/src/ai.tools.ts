import type { Config } from '@autoposter/config';
import type { CaptionModel, CombinedModel, VisionModel } from '@autoposter/domain';
import type { Systems } from '@autoposter/job-engine';
import {
  GeminiCaptions,
  GeminiCombined,
  GeminiVision,
  GroqCaptions,
  type ModelCheck,
  OfflineCaptions,
  OfflineVision,
} from '@autoposter/llm';
import { MediaTools } from '@autoposter/media-tools';
import type { ObjectStore } from '@autoposter/object-store';
import { AiBudget, type ProviderSettings } from './ai/ai-budget';
import { aiStage } from './ai/ai.stage';

export interface AiTools {
  media: MediaTools;
  objects: ObjectStore;
  vision: VisionModel;
  captions: CaptionModel;
  /** Describes and writes in one call, if one provider does both. */
  combined: CombinedModel | null;
  budget: AiBudget;
  /** INSTAGRAM_HASHTAG_LIMIT. */
  maxHashtags: number;
}

export function aiTools({ config, database, objects, logger }: Systems): AiTools {
  return {
    media: new MediaTools({ ...config.media, concurrency: config.stage.slots || aiStage.limits.slots, logger }),
    objects,
    ...models(config),
    budget: new AiBudget(database, config.aiDailyLimit, providersOf(config)),
    maxHashtags: config.publishing.maxHashtags,
  };
}

/** Gemini describes and Groq writes. Without Groq, Gemini does both; what no configured provider does, the offline models do. */
export function models({
  gemini,
  groq,
  publishing: { maxHashtags },
}: Pick<Config, 'gemini' | 'groq'> & { publishing: Pick<Config['publishing'], 'maxHashtags'> }): Pick<
  AiTools,
  'vision' | 'captions' | 'combined'
> {
  const geminiModel = gemini.configured ? { apiUrl: gemini.url, apiKey: gemini.apiKey, model: gemini.model, maxHashtags } : null;
  const vision = geminiModel === null ? new OfflineVision() : new GeminiVision(geminiModel);
  if (groq.configured) {
    return {
      vision,
      captions: new GroqCaptions({ apiUrl: groq.url, apiKey: groq.apiKey, model: groq.model, maxHashtags }),
      combined: null,
    };
  }
  if (geminiModel === null) return { vision, captions: new OfflineCaptions(), combined: null };
  return { vision, captions: new GeminiCaptions(geminiModel), combined: new GeminiCombined(geminiModel) };
}

const providersOf = ({ gemini, groq }: Pick<Config, 'gemini' | 'groq'>): ProviderSettings[] => [
  ...(gemini.configured ? [{ provider: 'gemini' as const, model: gemini.model, apiKey: gemini.apiKey, url: gemini.url }] : []),
  ...(groq.configured ? [{ provider: 'groq' as const, model: groq.model, apiKey: groq.apiKey, url: groq.url }] : []),
];

export interface ModelFinding extends ModelCheck {
  model: string;
}

type Checked = Pick<AiTools, 'vision' | 'captions'>;
type Looks = Pick<AiTools['budget'], 'look'>;

/**
 * Checks that the configured models exist, so that a wrong name is reported before the first post fails. The offline model needs no check.
 * Throws `PipelineError` when a provider does not answer; the answers of the others stay in `known` for the next try.
 */
export async function checkModels(
  { vision, captions, budget }: Checked & { budget: Looks },
  known = new Map<string, ModelFinding>(),
): Promise<ModelFinding[]> {
  const models = vision.name === captions.name ? [vision] : [vision, captions];
  const looks = await Promise.allSettled(
    models.map(async (model) => {
      const found = known.get(model.name) ?? { model: model.name, ...(await finding(model, budget)) };
      known.set(model.name, found);
      return found;
    }),
  );
  const findings = looks.map((look) => {
    if (look.status === 'rejected') throw look.reason;
    return look.value;
  });
  known.clear();
  return findings;
}

const finding = (model: Checked['vision'] | Checked['captions'], budget: Looks): Promise<ModelCheck> =>
  'check' in model
    ? budget.look(model.provider, () => (model as { check(): Promise<ModelCheck> }).check())
    : Promise.resolve({ available: true, message: 'Captions are made by rule.' });
