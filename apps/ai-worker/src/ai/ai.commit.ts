import { visualsInProse } from '@autoposter/domain';
import { advance, failItem, type StageCommit } from '@autoposter/stage-runner';
import type { CaptionReady } from './steps/apply-caption-policy.step';
import type { AiInput } from './steps/extract-frames.step';

export const aiCommit: StageCommit<AiInput, CaptionReady> = {
  async done(uow, { item, options }, { written, visuals, visionModel, captionModel, hashtags, violations }, job) {
    const messages = violations.map(({ message }) => message);
    await uow.captions.save({
      itemId: item.id,
      caption: written.caption,
      hashtags,
      variations: written.variations,
      analysis: visualsInProse(visuals),
      visuals,
      textAnalysis: {
        wordCount: written.caption.split(/\s+/).filter(Boolean).length,
        characterCount: written.caption.length,
        sentiment: written.sentiment,
        hasCallToAction: written.hasCallToAction,
        mainCaption: written.caption,
        hashtagCategories: written.hashtagCategories,
      },
      visionModel,
      captionModel,
      options,
      violations: messages,
    });
    if (messages.length > 0) await uow.items.patch(item.id, { needsReview: true, reviewReasons: [...item.reviewReasons, ...messages] });
    await advance(
      uow,
      await uow.items.lock(item.id),
      { by: 'stage', finished: 'ai' },
      { actor: 'ai-worker', correlationId: job.correlationId },
    );
  },

  skipped() {
    throw new Error('no step of ai leaves a post out');
  },

  async failed(uow, { item }, failure, step) {
    await failItem(uow, await uow.items.lock(item.id), 'ai', failure, step);
  },
};
