import { failureOf } from '@autoposter/domain';
import { platformRefusal } from '@autoposter/media-tools';
import { defineStep, done, fail } from '@autoposter/job-engine';
import type { Normalised } from './normalise.step';

/** Fails early for files that Instagram refuses: before a caption is written and a slot is reserved. */
export const checkPlatform = defineStep<Normalised, Normalised>({
  name: 'check-platform',
  effect: 'pure',
  async run(input) {
    for (const { info } of input.normalised) {
      const message = platformRefusal(info);
      if (message === null) continue;
      return fail(failureOf('media_refused_by_instagram', { side: input.item.platform, fields: { message } }));
    }
    return done(input);
  },
});
