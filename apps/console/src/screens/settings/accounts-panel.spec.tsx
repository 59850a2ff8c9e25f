import { apiSamples, instagramAccountsSample } from '@autoposter/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const LIST = 'GET /api/instagram-accounts';

function arrange(change: object = {}): FakeApi {
  return new FakeApi()
    .on('GET /api/instagram/config', apiSamples.instagram.config.response)
    .on(LIST, { success: true, data: { ...instagramAccountsSample, ...change } });
}

describe('accounts panel', () => {
  it('shows each account with its health and disables the login that lacks its application', async () => {
    arrange();
    renderScreen('/admin/settings');
    const table = await screen.findByRole('region', { name: 'Connected accounts' });
    expect(within(table).getByText('@autoposter.demo')).toBeVisible();
    expect(within(table).getByText('From the server environment')).toBeVisible();
    expect(within(table).getByText('Connected by admin@example.com')).toBeVisible();
    expect(within(table).getAllByText('Ready')).toHaveLength(2);
    expect(screen.getByText('Connected @autoposter.second.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Connect with Instagram Login' })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Connect with Facebook Login' })).toBeDisabled();
    expect(screen.getByText('Set FACEBOOK_APP_ID and its secret to use this login.')).toBeVisible();
  });

  it('says why an account cannot be connected', async () => {
    const { user } =
      (arrange().fail('POST /api/instagram-accounts/connect', 'The login is not set up', 409), renderScreen('/admin/settings'));
    await user.click(await screen.findByRole('button', { name: 'Connect with Instagram Login' }));
    expect(await screen.findByText('Failed to connect an account: The login is not set up')).toBeVisible();
  });

  it('disconnects an account after a question, never that of the environment', async () => {
    const api = arrange().on('DELETE /api/instagram-accounts/*', apiSamples.instagramAccounts.disconnect.response);
    const { user } = renderScreen('/admin/settings');
    await user.click(await screen.findByRole('button', { name: 'Disconnect' }));
    const question = await screen.findByRole('alertdialog', { name: 'Disconnect @autoposter.second?' });
    await user.click(within(question).getByRole('button', { name: 'Disconnect' }));
    expect(await screen.findByText('The account was disconnected')).toBeVisible();
    expect(api.calls('DELETE', `/api/instagram-accounts/${instagramAccountsSample.accounts[1]?.id ?? ''}`)).toHaveLength(1);
  });

  it('pauses the account of the environment alone', async () => {
    const api = arrange().on('POST /api/instagram-accounts/*/pause', apiSamples.instagramAccounts.pause.response);
    const { user } = renderScreen('/admin/settings');
    await user.click((await screen.findAllByRole('button', { name: 'Pause' }))[0] as HTMLElement);
    const { id } = instagramAccountsSample.accounts[0] ?? { id: '' };
    await waitFor(() => expect(api.calls('POST', `/api/instagram-accounts/${id}/pause`)).toHaveLength(1));
  });

  it('pauses and resumes publishing on one account', async () => {
    const api = arrange().on('POST /api/instagram-accounts/*/pause', apiSamples.instagramAccounts.pause.response);
    const { user } = renderScreen('/admin/settings');
    const [first, second] = instagramAccountsSample.accounts;
    const [, pause] = await screen.findAllByRole('button', { name: 'Pause' });
    const publishing = { paused: true, by: 'autoposter', since: null, reason: 'The Instagram access token has expired.' };
    api.on(LIST, { success: true, data: { ...instagramAccountsSample, accounts: [first, { ...second, publishing }] } });
    await user.click(pause as HTMLElement);
    expect(await screen.findByText('The Instagram access token has expired.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Resume' })).toBeVisible();
    expect(api.calls('POST', `/api/instagram-accounts/${second?.id ?? ''}/pause`)).toHaveLength(1);
  });

  it('requires the permission of authors for posts on an account', async () => {
    const api = arrange().on(
      'PATCH /api/instagram-accounts/*/needs-permission',
      apiSamples.instagramAccounts.changeNeedsPermission.response,
    );
    const { user } = renderScreen('/admin/settings');
    const boxes = await screen.findAllByRole('checkbox', { name: 'Only with permission of the author' });
    expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([false, true]);
    await user.click(boxes[0] as HTMLElement);
    expect(await screen.findByText('Posts on @autoposter.demo wait for a permission')).toBeVisible();
    const path = `/api/instagram-accounts/${instagramAccountsSample.accounts[0]?.id ?? ''}/needs-permission`;
    expect(api.calls('PATCH', path)[0]?.body).toEqual({ needsPermission: true });
  });

  it('follows a connection until the publishing worker has completed it', async () => {
    const pending = { status: 'pending', message: 'The publishing worker is connecting the account…', login: 'instagram' };
    const api = arrange({ connection: pending, accounts: [] });
    renderScreen('/admin/settings');
    expect(await screen.findByText(pending.message)).toBeVisible();
    api.on(LIST, { success: true, data: instagramAccountsSample });
    expect(await screen.findByText('Connected @autoposter.second.')).toBeVisible();
  });
});
