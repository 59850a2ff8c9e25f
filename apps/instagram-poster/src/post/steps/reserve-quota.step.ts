import { defineStep, done } from '@autoposter/job-engine';
import { instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import type { AccountSwitch } from '../../account/account-breaker';
import { waitForQuota } from '../publish-conditions';
import type { PostInput } from './preflight.step';

export interface Reserved extends PostInput {
  quotaUsed: number;
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
