import { setTimeout as pause } from 'node:timers/promises';
import type { ContentItem } from '@autoposter/persistence';
import { bindStage, defineStage } from '../define-stage';
import { defineStep, done } from '../define-step';
import { runWorker } from '../run-worker';

/** A worker program for tests: an item's title selects how its job behaves. */
const work = defineStep<ContentItem, string>({
  name: 'work',
  effect: 'read',
  async run({ title }, _tools, { signal }) {
    if (title === 'throws in a callback') {
      // outside of the step's promises, like a parser in a socket event
      setTimeout(() => {
        throw new Error('an assertion in a socket handler');
      }, 300);
      await pause(3_600_000, undefined, { signal });
    }
    if (title === 'rejects unobserved') {
      void pause(300).then(() => Promise.reject(new Error('a rejection that nothing handles')));
      // ignores the signal
      await new Promise(() => undefined);
    }
    if (title === 'throws when it is stopped') {
      signal.addEventListener('abort', () => {
        throw new Error('an assertion while the process drains');
      });
      await pause(3_600_000, undefined, { signal });
    }
    if (title === 'is short') await pause(900);
    if (title === 'is long') await pause(3_600_000, undefined, { signal });
    return done(title);
  },
});

const stage = defineStage<ContentItem, readonly [typeof work]>({
  name: 'ai',
  limits: { timeoutMs: 3_600_000, slots: 4 },
  load: (uow, job) => uow.items.find(job.subjectId),
  steps: [work],
  commit: {
    done: () => Promise.resolve(),
    skipped: () => Promise.resolve(),
    failed: () => Promise.resolve(),
  },
});

void runWorker('ai-worker', () => [bindStage(stage, {})]);
