import { LIMITS } from '@autoposter/contracts';
import { concernsProvider, type CaptionOptions } from '@autoposter/domain';
import { defineStage } from '@autoposter/job-engine';
import { aiCommit } from './ai.commit';
import { applyCaptionPolicy } from './steps/apply-caption-policy.step';
import { describeVisuals } from './steps/describe-visuals.step';
import { extractFrames, type AiInput } from './steps/extract-frames.step';
import { writeCaptions } from './steps/write-captions.step';

/** Writes caption, variations and hashtags from frames and title. */
export const aiStage = defineStage({
  name: 'ai',
  limits: { timeoutMs: 5 * 60_000, slots: 1 },
  async load(uow, job): Promise<AiInput | null> {
    const item = await uow.items.find(job.subjectId);
    if (item?.state !== 'captioning') return null;
    const { byPerson, replaceEdited, ...requested } = job.options;
    const options: CaptionOptions = { ...LIMITS.ai.options, ...(requested as Partial<CaptionOptions>) };
    const processed = await uow.media.ofItem(item.id, 'processed');
    const isRegeneration = (await uow.captions.of(item.id)) !== null;
    return { item, processed, options, byPerson: byPerson === true, isRegeneration, replaceEdited: replaceEdited === true };
  },
  steps: [extractFrames, describeVisuals, writeCaptions, applyCaptionPolicy],
  commit: aiCommit,
  // Failures of quota, key or model concern all posts: a new post waits for the provider, one with a caption stays ready with that caption.
  retryRule: (failure, { isRegeneration }) => {
    if (!concernsProvider(failure) || failure.kind === 'rate_limited') return undefined;
    return isRegeneration ? 'never' : 'wait';
  },
});
