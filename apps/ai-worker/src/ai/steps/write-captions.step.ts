import type { CaptionModel, CaptionSource, VisualDescription, WrittenCaption } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import type { AiBudget } from '../ai-budget';
import type { Described } from './describe-visuals.step';

export interface Captioned {
  source: CaptionSource;
  visuals: VisualDescription;
  visionModel: string;
  written: WrittenCaption;
  captionModel: string;
}

export const writeCaptions = defineStep<Described, Captioned, { captions: CaptionModel; budget: AiBudget }>({
  name: 'write-captions',
  effect: 'idempotent',
  async run({ source, options, byPerson, visuals, visionModel, written: early }, { captions, budget }, { jobId, signal, now }) {
    if (early !== undefined) return done({ source, visuals, visionModel, written: early, captionModel: visionModel });
    const call = { provider: captions.provider, jobId, byPerson, now, signal };
    const written = await budget.spend(call, (meter) => captions.write(source, visuals, options, signal, meter));
    return done({ source, visuals, visionModel, written, captionModel: captions.name });
  },
});
