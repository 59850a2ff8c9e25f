import type { ContainerStatus } from '@autoposter/domain';
import { defineStep, done, fail } from '@autoposter/stage-runner';
import type { PublishAttempt } from '@autoposter/persistence';
import { instagramNotConfigured, otherAccount, type PublisherTools } from '../../publisher-access';

export interface ReconcileInput {
  attempt: PublishAttempt;
}

export interface Looked extends ReconcileInput {
  container: ContainerStatus | 'GONE';
}

export const lookAtContainer = defineStep<ReconcileInput, Looked, PublisherTools>({
  name: 'look-at-container',
  effect: 'read',
  async run({ attempt }, { publisher }) {
    if (publisher === null) throw instagramNotConfigured();
    if (attempt.accountId !== publisher.accountId) return fail(otherAccount(attempt.accountId));
    if (attempt.containerId === null) return done({ attempt, container: 'GONE' });
    const { status } = await publisher.containerStatus(attempt.containerId);
    return done({ attempt, container: status });
  },
});
