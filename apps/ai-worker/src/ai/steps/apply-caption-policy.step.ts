import {
  type CaptionViolation,
  composeCaption,
  creditLine,
  failureOf,
  OFFLINE_MODEL,
  reviewWritten,
  withinLimits,
} from '@autoposter/domain';
import { defineStep, done, fail } from '@autoposter/job-engine';
import type { Captioned } from './write-captions.step';

export interface CaptionReady extends Captioned {
  hashtags: string[];
  violations: CaptionViolation[];
  /** Against which the hashtags were checked. */
  maxHashtags: number;
}

/** Checks the text of a model as it would be published, with credit and hashtags, before anything is saved. */
export const applyCaptionPolicy = defineStep<Captioned, CaptionReady, { maxHashtags: number }>({
  name: 'apply-caption-policy',
  effect: 'pure',
  run(input, { maxHashtags }) {
    const { source, visuals, captionModel } = input;
    const about = { title: source.title, comments: source.topComments, visuals, byModel: captionModel !== OFFLINE_MODEL, maxHashtags };
    const { written, violations } = reviewWritten(input.written, about);
    const platform = source.subreddit === null ? 'instagram' : 'reddit';
    const credit = creditLine({ platform, author: source.author, subreddit: source.subreddit });
    const composed = composeCaption({ caption: written.caption, hashtags: written.hashtags, credit, maxHashtags });
    if (!withinLimits(composed.violations)) {
      const violations = composed.violations.map(({ message }) => message).join(' ');
      return Promise.resolve(fail(failureOf('caption_unusable', { fields: { violations } })));
    }
    return Promise.resolve(
      done({ ...input, written, hashtags: composed.hashtags, violations: [...composed.violations, ...violations], maxHashtags }),
    );
  },
});
