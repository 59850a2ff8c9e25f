import { apiSamples } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const start = () =>
  new FakeApi()
    .on('GET /api/logs/server-logs', apiSamples.logs.server.response)
    .on('GET /api/logs/browser-logs', apiSamples.logs.browser.response)
    .on('GET /api/logs/error-logs', { success: true, logs: [] })
    .on('GET /api/logs/pm2-logs', apiSamples.logs.process.response)
    .on('GET /api/logs/all-logs', apiSamples.logs.all.response);

/** jsdom has no layout: without a size the virtual list renders no line. */
const laidOut = () => {
  jest.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560);
  jest.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
};
afterEach(() => jest.restoreAllMocks());

describe('logs screen', () => {
  it('shows five tabs and the lines of the first', async () => {
    const api = start();
    renderScreen('/admin/logs');
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

  it('requests the selected log type and number of lines', async () => {
    const api = start();
    const { user } = renderScreen('/admin/logs');
    await user.click(await screen.findByRole('tab', { name: 'PM2 Errors Only' }));
    await user.click(screen.getByRole('combobox', { name: 'Lines' }));
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual(['50', '100', '200', '500', '1000']);
    await user.click(screen.getByRole('option', { name: '500' }));
    await waitFor(() => expect(api.calls('GET', '/api/logs/pm2-logs').at(-1)?.query).toEqual({ lines: '500', type: 'error' }));
  });

  it('shows the placeholder of an empty log', async () => {
    start();
    renderScreen('/admin/logs?tab=error');
    expect(await screen.findByText('No data')).toBeVisible();
    expect(screen.getByText('No logs available. Click refresh to load logs.')).toBeVisible();
  });

  it('shows a load error in its tab', async () => {
    start().fail('GET /api/logs/server-logs', 'The folder is gone');
    renderScreen('/admin/logs');
    expect(await screen.findByText('Error loading logs: The folder is gone')).toBeVisible();
  });

  it('shows the error of a log that a successful response reports', async () => {
    const api = start().on('GET /api/logs/server-logs', { success: true, logs: [], error: 'The folder is gone' });
    const { user } = renderScreen('/admin/logs');
    expect(await screen.findByText('Error loading logs: The folder is gone')).toBeVisible();
    api.on('GET /api/logs/server-logs', { success: true });
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText('1 line')).toBeVisible();
  });

  it('refetches all logs after clearing them', async () => {
    const api = start().on('POST /api/logs/clear-logs', { success: true, message: 'Done' });
    const { user } = renderScreen('/admin/logs');
    await user.click(await screen.findByRole('button', { name: 'Clear Local Logs' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Clear Local Logs' }));
    await waitFor(() => expect(api.calls('GET', '/api/logs/all-logs')).toHaveLength(1));
    const types = () => api.calls('GET', '/api/logs/pm2-logs').map(({ query }) => query['type']);
    await waitFor(() => expect(types()).toEqual(['out', 'error']));
  });

  it('hides levels, searches, and keeps both in the URL', async () => {
    start().on('GET /api/logs/server-logs', { success: true, logs: ['1 ERROR no file', '2 INFO a file', '3 INFO done', 'no level'] });
    const { user, router } = renderScreen('/admin/logs?search=file');
    expect(await screen.findByRole('button', { name: 'Info 2' })).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByText('0 of 2')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next match' }));
    expect(screen.getByText('1 of 2')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Info 2' }));
    expect(screen.getByText('1 of 1')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Other 1' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Wrap lines' }));
    expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({ search: 'file', hide: 'info', wrap: 'yes' });
    await user.click(screen.getByRole('button', { name: 'Regular expression' }));
    await user.clear(screen.getByRole('searchbox'));
    await user.type(screen.getByRole('searchbox'), '[[');
    expect(await screen.findByText('Not a pattern')).toBeVisible();
  });

  it('copies a line by mouse or keyboard and names the time zone', async () => {
    laidOut();
    start().on('GET /api/logs/server-logs', { success: true, logs: ['first line', 'second line'] });
    const { user } = renderScreen('/admin/logs');
    expect(await screen.findByText('Times are in UTC.')).toBeVisible();
    const [first, second] = await screen.findAllByRole('button', { name: 'Copy line' });
    expect([first?.tabIndex, second?.tabIndex]).toEqual([-1, 0]);
    await user.click(second as HTMLElement);
    expect(await navigator.clipboard.readText()).toBe('second line');
    expect(await screen.findByText('Line copied')).toBeVisible();
    await user.keyboard('{ArrowUp}{Enter}');
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('first line'));
  });

  it('reports when the browser denies copying', async () => {
    laidOut();
    start().on('GET /api/logs/server-logs', { success: true, logs: ['first line'] });
    const { user } = renderScreen('/admin/logs');
    const button = await screen.findByRole('button', { name: 'Copy line' });
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
    await user.click(button);
    expect(await screen.findByText('The browser does not allow copying here')).toBeVisible();
  });

  it('refreshes only the active tab every five seconds while auto-refresh is on', async () => {
    jest.useFakeTimers();
    const api = start();
    renderScreen('/admin/logs?auto=yes&tab=error');
    await screen.findByText('No data');
    await waitFor(() => expect(api.calls('GET', '/api/logs/error-logs')).toHaveLength(2));
    expect(api.requests.filter(({ path }) => path.startsWith('/api/logs/')).map(({ path }) => path)).toEqual(
      Array.from({ length: 2 }, () => '/api/logs/error-logs'),
    );
    jest.useRealTimers();
  });
});
