import type { Publisher } from '@autoposter/domain';
import { defineStep, done, wait } from '@autoposter/job-engine';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import type { AccountSwitch } from '../../account/account-breaker';
import type { PostInput } from './preflight.step';

export interface Reserved extends PostInput {
  quotaUsed: number;
}

/** The window is rolling and Instagram does not say when it allows another post, so the quota is read again every half hour. */
const QUOTA_LOOK_SECONDS = 1800;

/** Holds the account if its quota is used up, until it is read again; `null` if another post is allowed. */
export async function waitForQuota({ used, total }: Awaited<ReturnType<Publisher['quota']>>, account: AccountSwitch) {
  if (used < total) return null;
  const reason = `Instagram's quota is used up (${used} of ${total} posts in its window).`;
  await account.hold({ cause: 'quota', reason, seconds: QUOTA_LOOK_SECONDS });
  return wait(QUOTA_LOOK_SECONDS, reason);
}

export const reserveQuota = defineStep<PostInput, Reserved, PublisherTools & { account: AccountSwitch }>({
  name: 'reserve-quota',
  effect: 'read',
  async run(input, { publisher, account }) {
    if (publisher === null) throw instagramNotConfigured();
    const quota = await publisher.quota();
    return (await waitForQuota(quota, account)) ?? done({ ...input, quotaUsed: quota.used });
  },
});
