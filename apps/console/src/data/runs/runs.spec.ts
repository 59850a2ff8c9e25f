import { overviewSample, SAMPLE_ID } from '@autoposter/contracts';
import { waitFor } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { keepToken } from '../session/session-token';
import { cancelRun, dismissRun, readRuns, secondsLeft, startRun } from './run-store';
import { followStageRun, updateStageRuns } from './stage-runs';

const stages = (running: number, failed = 0) => ({ ...overviewSample.stages, dmca: { waiting: 0, running, failed } });
const LATER = Date.now() + 60_000;

afterEach(() => {
  updateStageRuns(stages(0), LATER * 2);
  for (const { id } of readRuns()) dismissRun(id);
});

describe('run store', () => {
  it('cancels a run once, and only when it can be cancelled', () => {
    const cancel = jest.fn();
    const run = startRun({ title: 'Links', total: 3, cancel });
    expect(run.cancelled()).toBe(false);
    cancelRun(run.id);
    cancelRun(run.id);
    expect(cancel).toHaveBeenCalledTimes(1);
    expect(run.cancelled()).toBe(true);
    const other = startRun({ title: 'Not cancellable', total: 1, cancel: null });
    cancelRun(other.id);
    expect(other.cancelled()).toBe(false);
  });

  it('estimates the remaining seconds from the pace so far', () => {
    const run = { done: 2, failed: 1, total: 9, startedAt: 1_000 };
    expect(secondsLeft(run, 31_000)).toBe(60);
    expect(secondsLeft({ ...run, done: 0, failed: 0 }, 31_000)).toBeNull();
    expect(secondsLeft({ ...run, done: 8 }, 31_000)).toBeNull();
  });
});

describe('stage runs', () => {
  beforeEach(() => keepToken('test-token'));

  it('counts items that left the stage, failures separately, and ends with the last item', () => {
    followStageRun('dmca', 10, 2);
    updateStageRuns(stages(10, 2), LATER);
    expect(readRuns()).toMatchObject([{ title: 'DMCA protection', total: 10, done: 0, failed: 0, endedAt: null }]);
    updateStageRuns(stages(6, 3), LATER);
    expect(readRuns()).toMatchObject([{ done: 3, failed: 1, endedAt: null }]);
    updateStageRuns(stages(0, 3), LATER);
    expect(readRuns()).toMatchObject([{ done: 9, failed: 1, endedAt: expect.any(Number) }]);
  });

  it('ignores counts that were fetched before the run started', () => {
    followStageRun('dmca', 4, 0);
    updateStageRuns(stages(0), Date.now() - 1_000);
    expect(readRuns()).toMatchObject([{ done: 0, endedAt: null }]);
  });

  it('cancels on the server: returned items do not count as done, jobs in progress finish first', async () => {
    const api = new FakeApi().on('POST /api/runs/*/cancel', { success: true, data: { returned: 6, running: 2 } });
    followStageRun('dmca', 10, 0, SAMPLE_ID);
    updateStageRuns(stages(8), LATER);
    const [run] = readRuns();
    cancelRun(run?.id ?? 0);
    // until the response arrives, items that left the stage may be done or returned
    updateStageRuns(stages(2), LATER);
    expect(readRuns()).toMatchObject([{ done: 2, cancelling: true }]);
    await waitFor(() => expect(api.calls('POST', `/api/runs/${SAMPLE_ID}/cancel`)).toHaveLength(1));
    updateStageRuns(stages(1), LATER);
    await waitFor(() => expect(readRuns()).toMatchObject([{ done: 3, total: 10, cancelling: true, endedAt: null }]));
    updateStageRuns(stages(0), LATER);
    expect(readRuns()).toMatchObject([{ done: 4, endedAt: expect.any(Number) }]);
  });

  it('continues when the cancellation fails, shows the reason, and can be cancelled again', async () => {
    const api = new FakeApi().fail('POST /api/runs/*/cancel', 'The database is unavailable', 503);
    followStageRun('dmca', 3, 0, SAMPLE_ID);
    updateStageRuns(stages(3), LATER);
    cancelRun(readRuns()[0]?.id ?? 0);
    await waitFor(() =>
      expect(readRuns()).toMatchObject([
        { cancelling: false, detail: 'Failed to stop the run: The database is unavailable', endedAt: null },
      ]),
    );
    cancelRun(readRuns()[0]?.id ?? 0);
    await waitFor(() => expect(api.calls('POST', `/api/runs/${SAMPLE_ID}/cancel`)).toHaveLength(2));
    await waitFor(() => expect(readRuns()).toMatchObject([{ cancelling: false }]));
  });

  it.each([
    ['no reason when the run had already finished', 'run_finished', undefined],
    ['the reason of any other conflict', 'request_running', 'Failed to stop the run: It is not possible'],
  ] as const)('shows %s', async (_what, code, detail) => {
    const api = new FakeApi().fail('POST /api/runs/*/cancel', 'It is not possible', 409, code);
    followStageRun('dmca', 3, 0, SAMPLE_ID);
    updateStageRuns(stages(3), LATER);
    cancelRun(readRuns()[0]?.id ?? 0);
    await waitFor(() => expect(api.calls('POST', `/api/runs/${SAMPLE_ID}/cancel`)).toHaveLength(1));
    await waitFor(() => expect(readRuns()[0]).toMatchObject({ cancelling: false }));
    expect(readRuns()[0]?.detail).toBe(detail);
  });

  it('shows no run when the server accepted no item', () => {
    followStageRun('dmca', 0, 0);
    expect(readRuns()).toEqual([]);
  });
});
