import type { ContainerStatus, Publisher } from '@autoposter/domain';
import { defineStep, done, fail } from '@autoposter/job-engine';
import type { PublishAttempt } from '@autoposter/persistence';
import { saysMissing, instagramNotConfigured, otherAccount, type PublisherTools } from '../../publisher-access';

export interface ReconcileInput {
  attempt: PublishAttempt;
}

export interface ContainerChecked extends ReconcileInput {
  /** `GONE`: this attempt has none. `UNSEEN`: the platform does not show it any more, which tells nothing about the post. */
  container: ContainerStatus | 'GONE' | 'UNSEEN';
}

export const checkContainer = defineStep<ReconcileInput, ContainerChecked, PublisherTools>({
  name: 'check-container',
  effect: 'read',
  async run({ attempt }, { publisher }) {
    if (publisher === null) throw instagramNotConfigured();
    if (attempt.accountId !== publisher.accountId) return fail(otherAccount(attempt.accountId));
    if (attempt.containerId === null) return done({ attempt, container: 'GONE' });
    return done({ attempt, container: await stateOf(attempt.containerId, publisher) });
  },
});

async function stateOf(containerId: string, publisher: Publisher): Promise<ContainerStatus | 'UNSEEN'> {
  try {
    return (await publisher.containerStatus(containerId)).status;
  } catch (error) {
    if (saysMissing(error)) return 'UNSEEN';
    throw error;
  }
}
