import { apiSamples, schedulerStatusSample } from '@autoposter/contracts';
import { screen, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';
import { lastTick, nextRunText } from './scheduler.screen';

const start = (isRunning = true) =>
  new FakeApi()
    .on('GET /api/scheduler/status', { success: true, data: { ...schedulerStatusSample, isRunning } })
    .on('GET /api/scheduler/statistics', apiSamples.scheduler.statistics.response);

describe('scheduler manager', () => {
  it('shows state, numbers and tasks', async () => {
    start();
    renderScreen('/admin/scheduler');
    for (const text of [
      'Running',
      'Every 5 minutes',
      '2 registered tasks',
      'Total Tasks',
      'Total Runs',
      'Total Errors',
      'Avg Runs/Task',
      '61.5',
    ]) {
      expect(await screen.findByText(text)).toBeVisible();
    }
    expect(screen.getByRole('button', { name: 'Start Scheduler' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Stop Scheduler' })).toBeEnabled();
    expect(screen.getByText('Has Errors')).toBeVisible();
  });

  it('uses the singular for a count of one', async () => {
    const tasks = schedulerStatusSample.tasks.slice(0, 1).map((task) => ({ ...task, runCount: 1 }));
    start().on('GET /api/scheduler/status', {
      success: true,
      data: { ...schedulerStatusSample, intervalMinutes: 1, registeredTasks: 1, tasks },
    });
    renderScreen('/admin/scheduler');
    for (const text of ['Every minute', '1 registered task', '1 run']) expect(await screen.findByText(text)).toBeVisible();
  });

  it('reports that the statistics cannot be read, and retries', async () => {
    const api = start().fail('GET /api/scheduler/statistics', 'The database is away');
    const { user } = renderScreen('/admin/scheduler');
    expect(await screen.findByText('Error: The database is away')).toBeVisible();
    api.on('GET /api/scheduler/statistics', apiSamples.scheduler.statistics.response);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('Total Tasks')).toBeVisible();
  });

  it('opens the details of a task', async () => {
    start();
    const { user } = renderScreen('/admin/scheduler');
    await user.click(await screen.findByRole('button', { name: /check-account/u }));
    const dialog = await screen.findByRole('dialog', { name: 'check-account' });
    expect(within(dialog).getByText('The token expired')).toBeVisible();
    expect(within(dialog).getByText('Yes')).toBeVisible();
  });

  it('confirms the start', async () => {
    start(false).on('POST /api/scheduler/start', apiSamples.scheduler.start.response);
    const { user } = renderScreen('/admin/scheduler');
    await screen.findByText('Stopped');
    await user.click(screen.getByRole('button', { name: 'Start Scheduler' }));
    expect(await screen.findByText('Scheduler started successfully')).toBeVisible();
  });

  it('shows why it could not be stopped', async () => {
    start().fail('POST /api/scheduler/stop', 'The lease is held elsewhere', 409);
    const { user } = renderScreen('/admin/scheduler');
    await screen.findByText('Running');
    await user.click(screen.getByRole('button', { name: 'Stop Scheduler' }));
    expect(await screen.findByText('Failed to stop scheduler: The lease is held elsewhere')).toBeVisible();
  });
});

describe('scheduler ticks', () => {
  const NOW = Date.parse('2026-11-21T12:00:00Z');
  const status = (secondsAgo: number | null, isRunning = true) => ({
    ...schedulerStatusSample,
    isRunning,
    tasks: [
      {
        id: 'a',
        description: 'A',
        runCount: 1,
        lastRun: secondsAgo === null ? null : new Date(NOW - secondsAgo * 1_000).toISOString(),
        hasErrors: false,
        lastError: null,
        nextRun: null,
        recentRuns: [],
      },
    ],
  });

  it.each([
    [12, true, 'Last tick 12 s ago', false],
    [599, true, 'Last tick 9 min ago', false],
    [601, true, 'Last tick 10 min ago', true],
    [601, false, 'Last tick 10 min ago', false],
  ])('last run %i s ago, running %s: shows %s, late %s', (seconds, running, text, late) => {
    expect(lastTick(status(seconds, running), NOW)).toEqual({ text, late });
  });

  it('has no last run before the first run', () => expect(lastTick(status(null), NOW)).toBeNull());

  it.each([
    [270, true, /^21 Nov.* \d\d:\d4 \(in 4 min\)$/u],
    [45, true, /\(in 45 s\)$/u],
    [60, false, /\(in 1 min\)$/u],
    [-3, true, /^Very soon$/u],
    [null, true, /^Very soon$/u],
    [null, false, /^After the scheduler starts$/u],
  ])('next run in %s s, running %s: shows %s', (seconds, isRunning, text) => {
    const nextRun = seconds === null ? null : new Date(NOW + seconds * 1_000).toISOString();
    expect(nextRunText({ nextRun }, isRunning, NOW)).toMatch(text);
  });

  it('shows the results of the last runs, newest at the right, with a text alternative', async () => {
    start();
    const { user } = renderScreen('/admin/scheduler');
    const card = await screen.findByRole('button', { name: /check-account/u });
    const dots = within(card).getByRole('img', { name: 'Last 2 runs: 1 failed, the latest failed' });
    expect([...dots.children].map((dot) => dot.getAttribute('data-ok'))).toEqual(['true', 'false']);
    expect(within(dots).getByTitle(/failed after 1\.2 s$/u)).toBeVisible();
    expect(screen.getByRole('img', { name: 'Last run: none failed' })).toBeVisible();
    await user.click(card);
    expect(within(await screen.findByRole('dialog')).getByRole('img', { name: /^Last 2 runs/u })).toBeVisible();
  });

  it('warns when the scheduler has not reported in time', async () => {
    const tasks = schedulerStatusSample.tasks.map((task) => ({ ...task, lastRun: '2020-01-01T00:00:00.000Z' }));
    start().on('GET /api/scheduler/status', { success: true, data: { ...schedulerStatusSample, isRunning: true, tasks } });
    renderScreen('/admin/scheduler');
    expect(await screen.findByText(/not reported for more than twice its interval/u)).toBeVisible();
  });

  it('opens and closes the task named in the URL', async () => {
    start();
    const { user, router } = renderScreen('/admin/scheduler?task=check-account');
    const dialog = await screen.findByRole('dialog', { name: 'check-account' });
    expect(within(dialog).getByRole('button', { name: 'Copy error' })).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(router.state.location.search).toBe('');
  });
});
