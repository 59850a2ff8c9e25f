import { silentLogger } from '@autoposter/observability';
import { type Database, newStageJob } from '@autoposter/persistence';
import type { BoundStage } from './define-stage';
import type { GroupCommit } from './group-commit';
import { JobAttempt } from './job-attempt';
import { LostLease, leaseInstant } from './lease';

describe('JobAttempt', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** An attempt without steps, whose end is committed when `committed` settles. */
  const anAttempt = () => {
    let settle: { commit(): void; refuse(error: Error): void } = { commit: () => undefined, refuse: () => undefined };
    const committed = new Promise<void>((commit, refuse) => (settle = { commit, refuse }));
    const renew = jest.fn(() => Promise.resolve(true));
    const warn = jest.fn();
    const id = '00000000-0000-4000-8000-000000000001';
    const job = newStageJob({
      ...{ id, stage: 'download', subjectId: id, itemId: id, messageKey: id, correlationId: id },
      ...{ maxAttempts: 3, attempts: 1, state: 'running' },
    });
    const stage = {
      name: 'download',
      limits: { timeoutMs: 600_000 },
      steps: [],
      commit: {},
      load: () => Promise.resolve({ title: 'item' }),
    };
    const attempt = new JobAttempt(
      { stage, tools: {} } as unknown as BoundStage,
      job,
      {
        database: { read: { jobs: { renew } }, isOutage: () => false } as unknown as Database,
        ...{ owner: 'worker', leaseSeconds: 30, retrySeconds: 1, workRoot: '.' },
        logger: { ...silentLogger, warn },
      },
      { commit: () => committed } as unknown as GroupCommit,
      leaseInstant(),
    );
    return { attempt, ...settle, renew, warn };
  };

  it('reports no lost lease when a renewal is refused because its own end was committed first', async () => {
    const { attempt, commit, renew, warn } = anAttempt();
    const result = attempt.run(() => undefined);
    await jest.advanceTimersByTimeAsync(5_000);
    renew.mockResolvedValue(false);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(renew).toHaveBeenCalledTimes(1);
    commit();
    expect([await result, warn.mock.calls]).toEqual(['done', []]);
  });

  it('reports the job as lost when another worker took it before its end was committed', async () => {
    const { attempt, refuse, renew, warn } = anAttempt();
    const result = attempt.run(() => undefined);
    await jest.advanceTimersByTimeAsync(5_000);
    renew.mockResolvedValue(false);
    await jest.advanceTimersByTimeAsync(5_000);
    refuse(new LostLease('the job was taken by another worker'));
    expect([await result, warn.mock.calls.length]).toEqual(['lost', 1]);
  });
});
