import { readFile } from 'node:fs/promises';
import type { CaptionOptions, CaptionSource, CombinedModel, VisionModel, VisualDescription, WrittenCaption } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/job-engine';
import type { AiBudget } from '../ai-budget';
import type { Framed } from './extract-frames.step';

export interface Described {
  source: CaptionSource;
  options: CaptionOptions;
  byPerson: boolean;
  visuals: VisualDescription;
  visionModel: string;
  /** The caption, if one call described and wrote. */
  written?: WrittenCaption;
}

/** Costs a request of the day's budget: its output is journaled, so that a resumed run does not pay twice. */
export const describeVisuals = defineStep<Framed, Described, { vision: VisionModel; combined: CombinedModel | null; budget: AiBudget }>({
  name: 'describe-visuals',
  effect: 'idempotent',
  async run({ source, options, byPerson, frames }, { vision, combined, budget }, { jobId, signal, now }) {
    const images = await Promise.all(frames.map((frame) => readFile(frame)));
    const call = { provider: (combined ?? vision).provider, jobId, byPerson, now, signal };
    if (combined !== null) {
      const both = await budget.spend(call, () => combined.describeAndWrite(images, source, options, signal));
      return done({ source, options, byPerson, ...both, visionModel: combined.name });
    }
    const visuals = await budget.spend(call, () => vision.describe(images, source, signal));
    return done({ source, options, byPerson, visuals, visionModel: vision.name });
  },
});
