import { LIMITS } from '@autoposter/contracts';
import type { CaptionOptions } from '@autoposter/domain';
import { defineStage, STAGE_ATTEMPTS } from '@autoposter/stage-runner';
import { aiCommit } from './ai.commit';
import { applyCaptionPolicy } from './steps/apply-caption-policy.step';
import { describeVisuals } from './steps/describe-visuals.step';
import { extractFrames, type AiInput } from './steps/extract-frames.step';
import { writeCaptions } from './steps/write-captions.step';

/** Writes caption, variations and hashtags from frames and title. */
export const aiStage = defineStage({
  name: 'ai',
  limits: { attempts: STAGE_ATTEMPTS.ai, timeoutMs: 5 * 60_000, slots: 1 },
  async load(uow, job): Promise<AiInput | null> {
    const item = await uow.items.find(job.subjectId);
    if (item?.state !== 'captioning') return null;
    const options: CaptionOptions = { ...LIMITS.ai.options, ...(job.options as Partial<CaptionOptions>) };
    return { item, processed: await uow.media.ofItem(item.id, 'processed'), options };
  },
  steps: [extractFrames, describeVisuals, writeCaptions, applyCaptionPolicy],
  commit: aiCommit,
});
