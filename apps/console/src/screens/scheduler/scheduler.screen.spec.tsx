import { apiSamples, schedulerStatusSample } from '@autoposter/contracts';
import { screen, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderApp } from '../../testing/render-app';

const start = (isRunning = true) =>
  new FakeApi()
    .on('GET /api/scheduler/status', { success: true, data: { ...schedulerStatusSample, isRunning } })
    .on('GET /api/scheduler/statistics', apiSamples.scheduler.statistics.response);

describe('scheduler manager', () => {
  it('shows state, numbers and tasks', async () => {
    start();
    renderApp('/admin/scheduler');
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

  it('opens the details of a task', async () => {
    start();
    const { user } = renderApp('/admin/scheduler');
    await user.click(await screen.findByRole('button', { name: /check-account/u }));
    const dialog = await screen.findByRole('dialog', { name: 'check-account' });
    expect(within(dialog).getByText('The token expired')).toBeVisible();
    expect(within(dialog).getByText('Yes')).toBeVisible();
  });

  it('tells that it was started', async () => {
    start(false).on('POST /api/scheduler/start', apiSamples.scheduler.start.response);
    const { user } = renderApp('/admin/scheduler');
    await screen.findByText('Stopped');
    await user.click(screen.getByRole('button', { name: 'Start Scheduler' }));
    expect(await screen.findByText('Scheduler started successfully')).toBeVisible();
  });

  it('tells why it could not be stopped', async () => {
    start().fail('POST /api/scheduler/stop', 'The lease is held elsewhere', 409);
    const { user } = renderApp('/admin/scheduler');
    await screen.findByText('Running');
    await user.click(screen.getByRole('button', { name: 'Stop Scheduler' }));
    expect(await screen.findByText('Failed to stop scheduler: The lease is held elsewhere')).toBeVisible();
  });
});
