import { readFile } from 'node:fs/promises';
import type { CaptionOptions, CaptionSource, VisionModel, VisualDescription } from '@autoposter/domain';
import { defineStep, done } from '@autoposter/stage-runner';
import type { AiBudget } from '../ai-budget';
import type { Framed } from './extract-frames.step';

export interface Described {
  source: CaptionSource;
  options: CaptionOptions;
  visuals: VisualDescription;
  visionModel: string;
}

/** Costs a request of the day's budget: its output is journaled, so that a resumed run does not pay twice. */
export const describeVisuals = defineStep<Framed, Described, { vision: VisionModel; budget: AiBudget }>({
  name: 'describe-visuals',
  effect: 'idempotent',
  async run({ source, options, frames }, { vision, budget }, { signal, now }) {
    const images = await Promise.all(frames.map((frame) => readFile(frame)));
    const visuals = await budget.spend(vision.name, now, () => vision.describe(images, source, signal));
    return done({ source, options, visuals, visionModel: vision.name });
  },
});
