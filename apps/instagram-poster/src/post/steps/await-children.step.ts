import { type CopyrightCheck, failureOfFile, type Publisher } from '@autoposter/domain';
import { defineStep, done, fail, wait } from '@autoposter/job-engine';
import { saysMissing, instagramNotConfigured, type PublisherTools } from '../../publisher-access';
import type { Prepared } from './create-children.step';
import type { AwaitTools } from './await-container.step';
import { awaitRights, forgetCheck, judgeContainer, judgeMissing, type ContainerVerdict, stillInWork } from './judge-container';

/** A carousel can be put together only once all of its files are ready and the platform's copyright check has passed its videos. */
export const awaitChildren = defineStep<Prepared, Prepared, PublisherTools & Pick<AwaitTools, 'pace' | 'ledger' | 'rights'>>({
  name: 'await-children',
  effect: 'read',
  async run(input, { publisher, pace, ledger, rights }, context) {
    if (publisher === null) throw instagramNotConfigured();
    if (input.children.length === 0) return done(input);
    const attempt = await ledger.find(context.subjectId);
    if (attempt === null) throw new Error('the attempt does not exist');
    const checks: (CopyrightCheck | null)[] = [];
    for (const [index, child] of input.children.entries()) {
      const { verdict, copyright } = await look(publisher, child, input.earlier);
      if (verdict.is === 'refused') return fail(failureOfFile(verdict.failure, input.children, index));
      if (verdict.is === 'spent') {
        // the next containers have checks of their own
        await forgetCheck(attempt, rights);
        return wait(pace.containerPollSeconds, verdict.reason, { redo: 'create-children' });
      }
      if (verdict.is === 'in-work') return stillInWork(context, pace, 'Instagram is preparing the files of the gallery.');
      if (verdict.is === 'published') throw new Error('a single file of a gallery was published');
      if (input.files[index]?.mediaType === 'video') checks.push(copyright);
    }
    return (await awaitRights(attempt, checks, rights, pace, context.now)) ?? done(input);
  },
});

/** The container of a single file is never published, so that a lost one can be replaced. */
async function look(
  publisher: Publisher,
  child: string,
  earlier: number,
): Promise<{ verdict: ContainerVerdict; copyright: CopyrightCheck | null }> {
  try {
    const status = await publisher.containerStatus(child);
    return { verdict: judgeContainer(status, earlier), copyright: status.copyright };
  } catch (error) {
    if (saysMissing(error)) return { verdict: judgeMissing(earlier), copyright: null };
    throw error;
  }
}
