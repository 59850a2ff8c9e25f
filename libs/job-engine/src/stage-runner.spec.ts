import { silentLogger } from '@autoposter/observability';
import type { Database, StageJob } from '@autoposter/persistence';
import { pollUntil } from '@autoposter/testkit';
import type { AnyStage } from './define-stage';
import type { JobBus, JobMessage } from './job-bus';
import { StageRunner } from './stage-runner';

/** A runner that claims nothing and reads this row of every job. */
async function aRunner(row: Partial<StageJob>) {
  let onMessage: (message: JobMessage) => Promise<void> = () => Promise.resolve();
  const bus = {
    subscribe: (_stage: unknown, listener: { onMessage: typeof onMessage }) => {
      onMessage = (message) => listener.onMessage(message);
      return Promise.resolve({ drain: () => Promise.resolve() });
    },
  } as unknown as JobBus;
  const findMany = jest.fn(() => Promise.resolve([{ id: 'job', ...row }]));
  const jobs = { claimNext: () => Promise.resolve([]), findMany };
  const stage = { name: 'download', steps: [], limits: { slots: 1, timeoutMs: 1000 } } as unknown as AnyStage;
  const runner = new StageRunner(
    { stage, tools: {} },
    {
      database: { read: { jobs } } as unknown as Database,
      bus,
      owner: 'worker',
      leaseSeconds: 30,
      retrySeconds: 1,
      workRoot: '.',
      logger: silentLogger,
      pollMs: 1,
    },
  );
  await runner.start();
  return { runner, onMessage, findMany };
}

describe('messages of jobs that other workers run', () => {
  it.each([
    ['of a request that has ended', { requestNumber: 2, state: 'done' }, 2, true],
    ['of an earlier request', { requestNumber: 2, state: 'running' }, 1, true],
    ['of a running request', { requestNumber: 2, state: 'running' }, 2, false],
    ['of a later request than that of the row', { requestNumber: 1, state: 'done' }, 2, false],
  ] as const)('are settled by their request: %s', async (_name, row, requestNumber, isSettled) => {
    const { runner, onMessage, findMany } = await aRunner(row);
    let settled = 0;
    const message = { jobId: 'job', requestNumber, settle: () => (settled += 1) };
    await onMessage(message);
    await onMessage(message);
    await pollUntil(() => findMany.mock.calls.length > 0);
    // ends the poll that read the row
    await runner.drain(0);
    expect(settled).toBe(isSettled ? 2 : 0);
  });
});
