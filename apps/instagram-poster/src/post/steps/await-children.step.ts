import { failureOfFile, type Publisher } from '@autoposter/domain';
import { defineStep, done, fail, wait } from '@autoposter/job-engine';
import { saysMissing, instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import type { Prepared } from './create-children.step';
import { judgeContainer, judgeMissing, type ContainerVerdict, type PollSchedule, stillInWork } from './judge-container';

/** A carousel can be put together only once all of its files are ready. */
export const awaitChildren = defineStep<Prepared, Prepared, PublisherTools & { pace: PollSchedule }>({
  name: 'await-children',
  effect: 'read',
  async run(input, { publisher, pace }, context) {
    if (publisher === null) throw instagramNotConfigured();
    for (const [index, child] of input.children.entries()) {
      const verdict = await look(publisher, child, input.earlier);
      if (verdict.is === 'refused') return fail(failureOfFile(verdict.failure, input.children, index));
      if (verdict.is === 'spent') return wait(pace.containerPollSeconds, verdict.reason, { redo: 'create-children' });
      if (verdict.is === 'in-work') return stillInWork(context, pace, 'Instagram is preparing the files of the gallery.');
      if (verdict.is === 'published') throw new Error('a single file of a gallery was published');
    }
    return done(input);
  },
});

/** The container of a single file is never published, so that a lost one can be replaced. */
async function look(publisher: Publisher, child: string, earlier: number): Promise<ContainerVerdict> {
  try {
    return judgeContainer(await publisher.containerStatus(child), earlier);
  } catch (error) {
    if (saysMissing(error)) return judgeMissing(earlier);
    throw error;
  }
}
