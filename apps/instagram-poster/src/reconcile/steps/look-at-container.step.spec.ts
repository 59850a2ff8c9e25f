import { PipelineError, type FailureKind, type Publisher } from '@autoposter/domain';
import type { PublishAttempt } from '@autoposter/persistence';
import type { StepContext } from '@autoposter/job-engine';
import { lookAtContainer } from './look-at-container.step';

const attempt = { accountId: '17', containerId: 'c1' } as PublishAttempt;

const look = (containerStatus: () => Promise<unknown>, of = attempt) => {
  const publisher = { accountId: '17', containerStatus } as unknown as Publisher;
  return lookAtContainer.run({ attempt: of }, { publisher }, {} as StepContext);
};
const refusing = (kind: FailureKind, code: number) => () =>
  Promise.reject(new PipelineError({ kind, message: 'No.', side: 'instagram', nextAction: 'Wait.', detail: { code } }));

describe('looking at the container of a lost answer', () => {
  it('tells its state, or that there is none', async () => {
    expect(await look(() => Promise.resolve({ status: 'PUBLISHED' }))).toMatchObject({ output: { container: 'PUBLISHED' } });
    const never = () => Promise.reject(new Error('asked'));
    expect(await look(never, { ...attempt, containerId: null } as PublishAttempt)).toMatchObject({ output: { container: 'GONE' } });
    expect(await look(never, { ...attempt, accountId: '18' } as PublishAttempt)).toMatchObject({ kind: 'fail' });
  });

  it.each([
    ['not_found', 100],
    ['not_found', 24],
    ['transient', 24],
  ] as const)('goes on to the account where the platform does not show it any more (%s, %i)', async (kind, code) => {
    expect(await look(refusing(kind, code))).toMatchObject({ kind: 'done', output: { container: 'UNSEEN' } });
  });

  it.each([
    ['transient', 2],
    ['rate_limited', 4],
  ] as const)('does not take another refusal for an answer (%s, %i)', async (kind, code) => {
    await expect(look(refusing(kind, code))).rejects.toMatchObject({ failure: { kind } });
  });
});
