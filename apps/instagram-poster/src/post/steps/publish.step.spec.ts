import type { Failure, Publisher, PublishOutcome } from '@autoposter/domain';
import type { StepContext } from '@autoposter/job-engine';
import type { Awaited } from './await-container.step';
import { publish } from './publish.step';

const input = (refusals: number): Awaited => ({ containerId: 'c1', quotaUsed: 0, earlier: 0, refusals });
const answering = (answer: PublishOutcome) => ({ publish: () => Promise.resolve(answer) }) as unknown as Publisher;
const refused = (kind: Failure['kind'], retryAfterSeconds: number): PublishOutcome => {
  const failure: Failure = { kind, message: 'Not now.', side: 'instagram', nextAction: 'Wait.', detail: { code: 9007 } };
  return { outcome: 'refused', retryAfterSeconds, code: '9007', message: 'Not now.', failure };
};
const call = (answer: PublishOutcome, refusals = 0) => publish.run(input(refusals), { publisher: answering(answer) }, {} as StepContext);

describe('the publish call', () => {
  it('comes back later each time that a finished container is refused, and counts how often', async () => {
    expect(await call(refused('transient', 20))).toMatchObject({
      kind: 'wait',
      seconds: 20,
      evidence: { detail: { code: 9007, refusals: 1 } },
    });
    expect(await call(refused('transient', 20), 3)).toMatchObject({ kind: 'wait', seconds: 80, evidence: { detail: { refusals: 4 } } });
  });

  it('waits as long as a limit of the account says, and does not hold it against the upload', async () => {
    const result = await call(refused('rate_limited', 3600), 3);
    expect(result).toMatchObject({ kind: 'wait', seconds: 3600 });
    expect(result).not.toHaveProperty('evidence');
  });

  it('takes nothing but a media id for published', async () => {
    expect(await call({ outcome: 'published', mediaId: '17' })).toEqual({ kind: 'done', output: { mediaId: '17' } });
    expect(await call({ outcome: 'unknown', code: null, message: 'Cut.' })).toMatchObject({
      kind: 'unknown',
      failure: { kind: 'unknown_outcome' },
    });
  });
});
