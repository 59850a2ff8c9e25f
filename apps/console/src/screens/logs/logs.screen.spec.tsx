import { apiSamples } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderApp } from '../../testing/render-app';
import { lineTone } from './log-level';

const start = () =>
  new FakeApi()
    .on('GET /api/logs/server-logs', apiSamples.logs.server.response)
    .on('GET /api/logs/browser-logs', apiSamples.logs.browser.response)
    .on('GET /api/logs/error-logs', { success: true, logs: [] })
    .on('GET /api/logs/pm2-logs', apiSamples.logs.process.response)
    .on('GET /api/logs/all-logs', apiSamples.logs.all.response);

describe('logs', () => {
  it('has five tabs and shows the lines of the first', async () => {
    const api = start();
    renderApp('/admin/logs');
    expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual([
      'Server Logs',
      'Browser Logs',
      'Error Logs',
      'PM2 All Logs',
      'PM2 Errors Only',
    ]);
    expect(await screen.findByText('2 lines')).toBeVisible();
    expect(api.calls('GET', '/api/logs/server-logs')[0]?.query).toEqual({ lines: '100' });
  });

  it('asks for the errors of the processes and as many lines as chosen', async () => {
    const api = start();
    const { user } = renderApp('/admin/logs');
    await user.click(await screen.findByRole('tab', { name: 'PM2 Errors Only' }));
    await user.click(screen.getByRole('combobox', { name: 'Lines' }));
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['50', '100', '200', '500', '1000']);
    await user.click(screen.getByRole('option', { name: '500' }));
    await waitFor(() => expect(api.calls('GET', '/api/logs/pm2-logs').at(-1)?.query).toEqual({ lines: '500', type: 'error' }));
  });

  it('says when there is nothing', async () => {
    start();
    renderApp('/admin/logs?tab=error');
    expect(await screen.findByText('No data')).toBeVisible();
    expect(screen.getByText('No logs available. Click refresh to load logs.')).toBeVisible();
  });

  it('names a failure in its tab', async () => {
    start().fail('GET /api/logs/server-logs', 'The folder is gone');
    renderApp('/admin/logs');
    expect(await screen.findByText('Error loading logs: The folder is gone')).toBeVisible();
  });

  it('reads all logs again after they were cleared', async () => {
    const api = start().on('POST /api/logs/clear-logs', { success: true, message: 'Done' });
    const { user } = renderApp('/admin/logs');
    await user.click(await screen.findByRole('button', { name: 'Clear Local Logs' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Clear Local Logs' }));
    await waitFor(() => expect(api.calls('GET', '/api/logs/all-logs')).toHaveLength(1));
  });
});

describe('the level of a line', () => {
  it.each([
    ['2026 ERROR it broke', 'red'],
    ['{"level":50,"msg":"x"}', 'red'],
    ['[WARN] slow', 'orange'],
    ['INFO fine', 'blue'],
    ['something', 'grey'],
  ])('%s', (line, tone) => {
    expect(lineTone(line)).toBe(tone);
  });
});
