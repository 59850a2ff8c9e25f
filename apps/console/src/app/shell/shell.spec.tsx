import { apiSamples } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderApp } from '../../testing/render-app';

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

describe('the shell', () => {
  it('lists all nine screens, the pipeline and the rights register, marks the active one, shows who is signed in', async () => {
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

  it('has one main and one heading of the first level', async () => {
    new FakeApi();
    renderApp('/admin/settings');
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    expect(screen.getAllByRole('main')).toHaveLength(1);
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
    expect(document.title).toBe('Settings · Autoposter');
  });

  it('asks before publishing is paused, and says so while it is', async () => {
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

  it('counts failures nobody has looked at and marks them as seen', async () => {
    const api = new FakeApi()
      .on('GET /api/failures', apiSamples.overview.failures.response)
      .on('POST /api/failures/seen', { success: true, message: 'Done' });
    const { user } = renderApp('/admin/settings');
    await user.click(await screen.findByRole('button', { name: 'Failures and notices: 1 unseen' }));
    expect(screen.getByText('Reddit no longer has the video.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Mark all as seen' }));
    await waitFor(() => expect(api.calls('POST', '/api/failures/seen')).toHaveLength(1));
  });
});
