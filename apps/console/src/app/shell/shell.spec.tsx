import { apiSamples, type Download, overviewSample } from '@autoposter/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type RunHandle, startRun } from '../../data/runs/run-store';
import { dropToken, keepToken } from '../../data/session/session-token';
import { setPreferences } from '../../preferences/preferences';
import { FakeApi } from '../../testing/fake-api';
import { renderApp } from '../../testing/render-app';
import { hideNotification, lastUndoable, notify } from '../../ui/notifications';

const SCREENS = [
  'Dashboard',
  'URL Manager',
  'Processed Content',
  'Subreddit Manager',
  'Skipped Posts',
  'Instagram Queue',
  'Scheduler Manager',
  'Logs',
  'Settings',
];

const PAUSED = { paused: true, by: 'Ada Admin', since: '2026-11-21T09:30:00.000Z' };

describe('Shell', () => {
  it('lists all screens, marks the active one and shows the signed-in user', async () => {
    new FakeApi();
    renderApp('/admin/settings');
    const navigation = await screen.findByRole('navigation', { name: 'Admin screens' });
    const links = within(navigation).getAllByRole('link');
    expect(links.map((link) => link.textContent?.replace(/\d+$/u, '')).sort()).toEqual([...SCREENS, 'Pipeline', 'Rights Register'].sort());
    await waitFor(() => expect(within(navigation).getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'page'));
    expect(within(navigation).getByRole('link', { name: 'Dashboard' })).not.toHaveAttribute('aria-current');
    expect(screen.getByText('Ada Admin')).toBeVisible();
    expect(screen.getByText('ada@example.com')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Logout' })).toBeEnabled();
  });

  it('renders one main landmark and one h1', async () => {
    new FakeApi();
    renderApp('/admin/settings');
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    expect(screen.getAllByRole('main')).toHaveLength(1);
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
    expect(document.title).toBe('Settings · Autoposter');
  });

  it('restores the scroll position of a reloaded page and of no other page', async () => {
    new FakeApi();
    const scrollTo = jest.spyOn(window, 'scrollTo');
    const load = async (path: string, name: string, top: number) => {
      scrollTo.mockClear();
      const { unmount } = renderApp(path);
      await screen.findByRole('heading', { level: 1, name });
      await waitFor(() => expect(scrollTo).toHaveBeenLastCalledWith(0, top));
      window.dispatchEvent(new Event('pagehide'));
      unmount();
    };
    window.scrollY = 700;
    await load('/admin/settings', 'Settings', 0);
    await load('/admin/settings', 'Settings', 700);
    await load('/admin/rights', 'Rights Register', 0);
    expect(JSON.parse(sessionStorage.getItem('react-router-scroll-positions') ?? '')).toEqual({
      '/admin/settings': 700,
      '/admin/rights': 700,
    });
    window.scrollY = 0;
    scrollTo.mockRestore();
  });

  it('asks for confirmation before pausing and shows a banner while paused', async () => {
    const api = new FakeApi();
    const { user } = renderApp('/admin/settings');
    await user.click(await screen.findByRole('button', { name: 'Pause publishing' }));
    const question = await screen.findByRole('alertdialog', { name: 'Pause all publishing?' });
    expect(api.calls('POST', '/api/publishing/pause')).toHaveLength(0);
    api.on('POST /api/publishing/pause', { success: true, data: PAUSED });
    await user.click(within(question).getByRole('button', { name: 'Pause publishing' }));
    expect(await screen.findByText(/Nothing is posted until publishing is resumed/u)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Resume publishing' })).toBeEnabled();
  });

  it('counts unseen failures and marks them as seen', async () => {
    const api = new FakeApi()
      .on('GET /api/failures', apiSamples.overview.failures.response)
      .on('POST /api/failures/seen', { success: true, message: 'Done' });
    const { user } = renderApp('/admin/settings');
    await user.click(await screen.findByRole('button', { name: 'Failures and notifications: 1 unseen' }));
    expect(screen.getByText('Reddit no longer has the video.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Mark all as seen' }));
    await waitFor(() => expect(api.calls('POST', '/api/failures/seen')).toHaveLength(1));
  });

  it('names its buttons after their visible text: the short time zone and the limited failure count', async () => {
    setPreferences({ timeZone: 'Asia/Kathmandu' });
    new FakeApi().on('GET /api/failures', { success: true, data: { unseen: 140, failures: [] } });
    renderApp('/admin/settings');
    for (const name of ['Time zone: GMT+5:45 (Asia/Kathmandu)', 'Failures and notifications: 99+ unseen']) {
      const button = await screen.findByRole('button', { name });
      expect(name).toContain(button.textContent);
    }
  });

  it('shows the reason of an automatic pause', async () => {
    const reason = { cause: 'token', reason: 'The access token has expired.', nextAction: 'Create a new one.' };
    new FakeApi().on('GET /api/publishing', { success: true, data: { ...PAUSED, ...reason } });
    renderApp('/admin/settings');
    expect(await screen.findByText(/The access token has expired\. Create a new one\./u)).toBeVisible();
  });

  it('keeps the page and sends no requests after the session has ended, until the next sign-in', async () => {
    const api = new FakeApi();
    renderApp('/admin/pipeline?stage=dmca');
    await screen.findByRole('heading', { level: 1, name: 'Pipeline' });
    act(() => dropToken());
    expect(await screen.findByText('Your session has ended.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Pipeline' })).toBeVisible();
    const before = api.requests.length;
    await userEvent.keyboard('r');
    expect(api.requests).toHaveLength(before);
    act(() => keepToken('new-token'));
    await waitFor(() => expect(screen.queryByText('Your session has ended.')).toBeNull());
    expect(api.requests.length).toBeGreaterThan(before);
  });

  it('stays usable when a screen throws', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    new FakeApi().on('GET /api/pipeline', { success: true, data: { stages: null } });
    renderApp('/admin/pipeline');
    expect(await screen.findByRole('heading', { level: 1, name: 'This screen could not be shown' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Dashboard' })).toBeVisible();
    jest.restoreAllMocks();
  });
});

describe('global shortcuts', () => {
  const discard = { route: { method: 'POST', path: '/api/things/:id/restore' } as const, params: { id: 'a' } };

  it('open each screen and focus its heading', async () => {
    new FakeApi();
    const { user, router } = renderApp('/admin/settings');
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    await user.keyboard('gi');
    const heading = await screen.findByRole('heading', { level: 1, name: 'Pipeline' });
    expect(router.state.location.pathname).toBe('/admin/pipeline');
    expect(heading).toHaveFocus();
  });

  it('open a command palette that finds and opens screens and items', async () => {
    const [post] = (apiSamples.downloads.list.response as { data: Download[] }).data;
    const title = post?.title ?? '';
    const api = new FakeApi().on('GET /api/downloads', { success: true, data: [post] });
    const { user, router } = renderApp('/admin/settings');
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    await user.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('combobox', { name: /Search screens/u });
    expect(api.calls('GET', '/api/downloads')).toHaveLength(0);
    await user.type(field, title.slice(0, 8));
    expect(await screen.findByRole('option', { name: new RegExp(title, 'u') })).toBeVisible();
    await user.clear(field);
    await user.type(field, 'pipel{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/pipeline'));
    await waitFor(() => expect(screen.queryByRole('combobox', { name: /Search screens/u })).toBeNull());
  });

  it('open a command palette that reports a failed action after it has closed', async () => {
    new FakeApi().fail('POST /api/publishing/pause', 'The database is unavailable');
    const { user } = renderApp('/admin/settings');
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: /Search screens/u }), 'pause publ{Enter}');
    expect(await screen.findByText('The database is unavailable')).toBeVisible();
  });

  it('are listed in a dialog', async () => {
    new FakeApi();
    const { user } = renderApp('/admin/settings');
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    await user.keyboard('?');
    const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const label of ['Go to Instagram Queue', 'Undo the last change', 'Search this screen', 'Show keyboard shortcuts'])
      expect(within(sheet).getByText(label)).toBeVisible();
  });

  it('undo the last change, which stays undoable in the notification menu', async () => {
    const api = new FakeApi().on('POST /api/things/a/restore', { success: true, message: 'Done' });
    const { user } = renderApp('/admin/settings');
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    act(() => notify.undoable('Discarded the first', { steps: [discard], refresh: [] }));
    act(() => notify.undoable('Discarded the second', { steps: [discard], refresh: [] }));
    await user.keyboard('{Control>}z{/Control}');
    expect(await screen.findByText('Undone: Discarded the second')).toBeVisible();
    expect(api.calls('POST', '/api/things/a/restore')).toHaveLength(1);
    act(() => lastUndoable() && hideNotification(lastUndoable()?.id ?? 0));
    await user.click(screen.getByRole('button', { name: /^Failures and notifications/u }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(api.calls('POST', '/api/things/a/restore')).toHaveLength(2));
  });
});

describe('RunBar', () => {
  it('stays across screens, shows progress and can be cancelled', async () => {
    new FakeApi();
    const { user } = renderApp('/admin/settings');
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    const stop = jest.fn();
    let run: RunHandle | undefined;
    act(() => {
      run = startRun({ title: 'Adding links', total: 5, cancel: stop });
      run.progress({ done: 2, failed: 1 });
    });
    await user.keyboard('gi');
    await screen.findByRole('heading', { level: 1, name: 'Pipeline' });
    const bar = screen.getByRole('group', { name: 'Adding links' });
    expect(bar).toHaveTextContent(/3 of 5.*left.*1 failed/u);
    expect(within(bar).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '3');
    await user.click(within(bar).getByRole('button', { name: 'Cancel' }));
    expect(stop).toHaveBeenCalledTimes(1);
    act(() => run?.end());
    expect(bar).toHaveTextContent('Stopped after 3 of 5');
    await user.click(within(bar).getByRole('button', { name: 'Hide Adding links' }));
    expect(screen.queryByRole('group', { name: 'Adding links' })).toBeNull();
  });

  it('follows a bulk run', async () => {
    const api = new FakeApi().on('GET /api/dmca/ready', apiSamples.dmca.ready.response);
    const overview = (running: number) => ({
      success: true,
      data: { ...overviewSample, stages: { ...overviewSample.stages, dmca: { waiting: 0, running, failed: 0 } } },
    });
    api.on('GET /api/pipeline/overview', overview(0));
    api.reply('POST /api/dmca/process-all', () => {
      api.on('GET /api/pipeline/overview', overview(2));
      return { body: { success: true, processed: 3, total: 3, skipped: 0, message: 'Asked for 3' } };
    });
    const { user } = renderApp('/admin');
    await user.click((await screen.findAllByRole('button', { name: /^Process All \([1-9]/u }))[0] as HTMLElement);
    await waitFor(() => expect(screen.getByRole('group', { name: 'DMCA protection' })).toHaveTextContent('1 of 3'));
  });
});
