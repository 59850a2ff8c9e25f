import { failureOf } from '@autoposter/domain';
import { platformRefusal } from '@autoposter/media-tools';
import { defineStep, done, fail } from '@autoposter/job-engine';
import type { Normalised } from './normalise.step';

/** What Instagram must refuse does not leave this room: better said now than after a caption was written and a slot waited for. */
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
