import { defineStep, done, wait } from '@autoposter/job-engine';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import type { AccountSwitch } from '../../account/account-breaker';
import type { PostInput } from './preflight.step';

export interface Reserved extends PostInput {
  quotaUsed: number;
}

/** The window is rolling and Instagram does not say when it allows another post, so the quota is read again every half hour. */
const QUOTA_LOOK_SECONDS = 1800;

export const reserveQuota = defineStep<PostInput, Reserved, PublisherTools & { account: AccountSwitch }>({
  name: 'reserve-quota',
  effect: 'read',
  async run(input, { publisher, account }) {
    if (publisher === null) throw instagramNotConfigured();
    const { used, total } = await publisher.quota();
    if (used >= total) {
      const reason = `Instagram's quota is used up (${used} of ${total} posts in its window).`;
      await account.hold({ cause: 'quota', reason, seconds: QUOTA_LOOK_SECONDS });
      return wait(QUOTA_LOOK_SECONDS, reason);
    }
    return done({ ...input, quotaUsed: used });
  },
});
