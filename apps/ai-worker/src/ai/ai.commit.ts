import { replaceReviewReasons, visualsInProse, type CaptionVariation } from '@autoposter/domain';
import type { Caption, UnitOfWork } from '@autoposter/persistence';
import type { StageCommit } from '@autoposter/job-engine';
import { advance, failItem, recordError } from '@autoposter/workflow';
import type { CaptionReady } from './steps/apply-caption-policy.step';
import type { AiInput } from './steps/extract-frames.step';

export const aiCommit: StageCommit<AiInput, CaptionReady> = {
  async done(uow, { item: { id }, options, replaceEdited }, ready, job) {
    const item = await uow.items.lock(id);
    // the item moved meanwhile: the caption is no longer wanted
    if (item.state !== 'captioning') return;
    const before = await uow.captions.of(id);
    const edited = before !== null && before.editedBy !== null && !replaceEdited ? before : null;
    await save(uow, id, ready, options, edited);
    const reviewReasons = replaceReviewReasons(item.reviewReasons, 'caption', edited === null ? ready.violations : []);
    const patch = { needsReview: reviewReasons.length > 0, reviewReasons };
    if (before === null) {
      const { maxHashtags } = ready;
      await advance(
        uow,
        item,
        { by: 'stage', finished: 'ai' },
        { actor: 'ai-worker', correlationId: job.correlationId, patch, maxHashtags },
      );
      return;
    }
    // a person who asked for another caption wants to see it before it is queued
    await uow.items.transition(id, { fromVersion: item.version, from: item.state, to: 'ready', patch });
  },

  skipped() {
    throw new Error('no step of ai leaves a post out');
  },

  async failed(uow, { item: { id } }, failure, step) {
    const item = await uow.items.lock(id);
    if (item.state !== 'captioning') return;
    if ((await uow.captions.of(id)) === null) {
      await failItem(uow, item, 'ai', failure, step);
      await uow.skipped.recordItem(item, 'ai_failure', failure.nextAction, failure.message);
      return;
    }
    // the caption that the post had before stays usable
    if (await uow.items.transition(id, { fromVersion: item.version, from: item.state, to: 'ready', patch: { failedStage: null } }))
      await recordError(uow, id, 'ai', failure, step);
  },
};

/** Keeps an administrator's edit of the caption and offers the new text as the first variation. */
async function save(uow: UnitOfWork, itemId: string, ready: CaptionReady, options: AiInput['options'], edited: Caption | null) {
  const { written, visuals, visionModel, captionModel, violations } = ready;
  const offered: CaptionVariation = { variation: 'New caption', tone: options.tone, length: options.length, caption: written.caption };
  const kept = edited && {
    caption: edited.caption,
    hashtags: edited.hashtags,
    editedBy: edited.editedBy,
    editedAt: edited.editedAt,
    violations: edited.violations,
    variations: [offered, ...written.variations],
  };
  await uow.captions.save({
    itemId,
    caption: written.caption,
    hashtags: ready.hashtags,
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
    violations: violations.map(({ message }) => message),
    ...kept,
  });
}
