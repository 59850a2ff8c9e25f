import { failureOf, type Publisher, type PublishOutcome } from '@autoposter/domain';
import { type AnyStage, defineStep, done } from '@autoposter/job-engine';
import type { PublishAttempt } from '@autoposter/persistence';
import { settleUnpublished, startPosting } from '@autoposter/workflow';
import type { PlantedBug } from './product';

/** A publisher with another publish call. A copy would lose the getters. */
const withPublish = (inner: Publisher, publish: Publisher['publish']): Publisher =>
  new Proxy(inner, {
    get: (known, name) => {
      if (name === 'publish') return publish;
      const value = Reflect.get(known, name) as unknown;
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(known) : value;
    },
  });

const withStep = (stage: AnyStage, name: string, run: AnyStage['steps'][number]['run']): AnyStage => ({
  ...stage,
  steps: stage.steps.map((step) => (step.name === name ? defineStep({ ...step, run }) : step)),
});

interface Checked {
  attempt: PublishAttempt;
}

/** For the control: where a defect is looked for, the product without one breaks no rule. */
export const NO_BUG: PlantedBug = { name: 'none', seed: null };

/** Typical defects of publishing tools. The trial has to find each of them. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'the publish call is repeated when its answer is lost',
    seed: 1,
    publisher: (inner) =>
      withPublish(inner, async (containerId, beforeCall): Promise<PublishOutcome> => {
        const outcome = await inner.publish(containerId, beforeCall);
        return outcome.outcome === 'unknown' ? inner.publish(containerId) : outcome;
      }),
  },
  {
    name: 'the fence of the lease is not checked before the call',
    seed: null,
    unit: ({ jobs }) => {
      const { recordIntent } = jobs;
      jobs.recordIntent = async (...args) => {
        await recordIntent.apply(jobs, args);
        return true;
      };
    },
    publisher: (inner) => withPublish(inner, (containerId) => inner.publish(containerId)),
  },
  {
    name: 'the media id is stored only with the end of the job',
    seed: 3,
    answers: { keepAnswer: () => Promise.resolve() },
  },
  {
    name: 'the newest media of the account counts as the post',
    seed: 401,
    reconcile: (stage) =>
      withStep(stage, 'check-account-media', async (input: Checked, { publisher }: { publisher: Publisher }) => {
        const [newest] = await publisher.recentMedia(new Date(0));
        return done({ ...input, candidates: newest === undefined ? [] : [newest], mayBeAnother: false, unexplainedPosts: 0 });
      }),
  },
  {
    name: 'slots are planned in the time zone of the process',
    seed: 4,
    queueSettings: (stored) => ({ ...stored, timeBlocking: { ...stored.timeBlocking, timeZone: 'UTC' } }),
  },
  {
    name: 'a refusal forgets the call',
    seed: 407,
    post: (stage) => ({
      ...stage,
      commit: {
        ...stage.commit,
        async waiting(uow, input: Checked, until, reason, job, refusal) {
          await stage.commit.waiting?.(uow, input, until, reason, job, refusal);
          if (refusal) await uow.attempts.patch(input.attempt.id, { calledAt: null });
        },
      },
    }),
  },
  {
    name: 'an absent post gets a new container at once',
    seed: 103,
    async absent(uow, queueItemId) {
      const queueItem = await uow.queue.find(queueItemId);
      const attempt = queueItem && (await uow.attempts.findOpenOf(queueItem.itemId));
      if (attempt?.state !== 'unknown') return;
      await uow.jobs.cancelOpen(attempt.id);
      const failure = failureOf('absent_by_person');
      await settleUnpublished(uow, await uow.attempts.lock(attempt.id), failure, { actor: 'admin@example.com', evidence: true });
    },
  },
  {
    name: 'the ledger is not checked again with the intent',
    seed: 603,
    unit: ({ attempts }) => {
      attempts.findEarlier = () => Promise.resolve(null);
    },
  },
  {
    name: 'all posts that are due are sent at once',
    seed: 101,
    async dispatch(uow, { running }, { id, userId }) {
      if (!running) return;
      for (const queueItem of await uow.queue.lockDue(20, id))
        await startPosting(uow, queueItem, { accountId: userId, actor: 'scheduler' });
    },
  },
];
