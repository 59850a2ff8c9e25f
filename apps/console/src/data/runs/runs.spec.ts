import { overviewSample, SAMPLE_ID } from '@autoposter/contracts';
import { waitFor } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { keepToken } from '../session/session-token';
import { cancelRun, dismissRun, readRuns, secondsLeft, startRun } from './run-store';
import { feedStageRuns, followStageRun } from './stage-runs';

const rooms = (running: number, failed = 0) => ({ ...overviewSample.rooms, dmca: { waiting: 0, running, failed } });
const LATER = Date.now() + 60_000;

afterEach(() => {
  feedStageRuns(rooms(0), LATER * 2);
  for (const { id } of readRuns()) dismissRun(id);
});

describe('runs in the bar', () => {
  it('stop once, and only where they can', () => {
    const cancel = jest.fn();
    const run = startRun({ title: 'Links', total: 3, cancel });
    expect(run.cancelled()).toBe(false);
    cancelRun(run.id);
    cancelRun(run.id);
    expect(cancel).toHaveBeenCalledTimes(1);
    expect(run.cancelled()).toBe(true);
    const other = startRun({ title: 'No way back', total: 1 });
    cancelRun(other.id);
    expect(other.cancelled()).toBe(false);
  });

  it('tell how long it takes at the pace so far', () => {
    const run = { done: 2, failed: 1, total: 9, startedAt: 1_000 };
    expect(secondsLeft(run, 31_000)).toBe(60);
    expect(secondsLeft({ ...run, done: 0, failed: 0 }, 31_000)).toBeNull();
    expect(secondsLeft({ ...run, done: 8 }, 31_000)).toBeNull();
  });
});

describe('a run over all files', () => {
  beforeEach(() => keepToken('test-token'));

  it('counts what left the room, failures apart, and ends with the last', () => {
    followStageRun('dmca', 10, 2);
    feedStageRuns(rooms(10, 2), LATER);
    expect(readRuns()).toMatchObject([{ title: 'DMCA protection', total: 10, done: 0, failed: 0, endedAt: null }]);
    feedStageRuns(rooms(6, 3), LATER);
    expect(readRuns()).toMatchObject([{ done: 3, failed: 1, endedAt: null }]);
    feedStageRuns(rooms(0, 3), LATER);
    expect(readRuns()).toMatchObject([{ done: 9, failed: 1, endedAt: expect.any(Number) }]);
  });

  it('does not end on numbers from before it began', () => {
    followStageRun('dmca', 4, 0);
    feedStageRuns(rooms(0), Date.now() - 1_000);
    expect(readRuns()).toMatchObject([{ done: 0, endedAt: null }]);
  });

  it('is cancelled at the server: what went back is not done, what is in work ends first', async () => {
    const api = new FakeApi().on('POST /api/runs/*/cancel', { success: true, data: { takenBack: 6, goingOn: 2 } });
    followStageRun('dmca', 10, 0, SAMPLE_ID);
    feedStageRuns(rooms(8), LATER);
    const [run] = readRuns();
    cancelRun(run?.id ?? 0);
    // before the answer nobody knows what became of those that left the room
    feedStageRuns(rooms(2), LATER);
    expect(readRuns()).toMatchObject([{ done: 2, cancelling: true }]);
    await waitFor(() => expect(api.calls('POST', `/api/runs/${SAMPLE_ID}/cancel`)).toHaveLength(1));
    feedStageRuns(rooms(1), LATER);
    await waitFor(() => expect(readRuns()).toMatchObject([{ done: 3, total: 10, cancelling: true, endedAt: null }]));
    feedStageRuns(rooms(0), LATER);
    expect(readRuns()).toMatchObject([{ done: 4, endedAt: expect.any(Number) }]);
  });

  it('goes on where it could not be cancelled, says why, and can be asked again', async () => {
    const api = new FakeApi().fail('POST /api/runs/*/cancel', 'The database rests', 503);
    followStageRun('dmca', 3, 0, SAMPLE_ID);
    feedStageRuns(rooms(3), LATER);
    cancelRun(readRuns()[0]?.id ?? 0);
    await waitFor(() =>
      expect(readRuns()).toMatchObject([{ cancelling: false, detail: 'Could not be stopped: The database rests', endedAt: null }]),
    );
    cancelRun(readRuns()[0]?.id ?? 0);
    await waitFor(() => expect(api.calls('POST', `/api/runs/${SAMPLE_ID}/cancel`)).toHaveLength(2));
    await waitFor(() => expect(readRuns()).toMatchObject([{ cancelling: false }]));
  });

  it('is none when nothing was taken on', () => {
    followStageRun('dmca', 0, 0);
    expect(readRuns()).toEqual([]);
  });
});
