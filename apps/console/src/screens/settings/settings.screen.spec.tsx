import { apiSamples } from '@autoposter/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { resetPreferences, readPreferences } from '../../preferences/preferences';
import { FakeApi } from '../../testing/fake-api';
import { renderApp, renderScreen } from '../../testing/render-app';

describe('settings screen', () => {
  it('names the variables to set while publishing is not configured', async () => {
    new FakeApi().on('GET /api/instagram/config', { success: true, data: { isConfigured: false } });
    renderScreen('/admin/settings');
    expect(await screen.findByText('Instagram API not configured')).toBeVisible();
    expect(screen.getByText(/INSTAGRAM_ACCESS_TOKEN and INSTAGRAM_BUSINESS_ACCOUNT_ID/u)).toBeVisible();
  });

  it('shows which media Instagram cannot fetch and which variable to set', async () => {
    const mediaHint = 'Pictures and galleries need CDN_BASE_URL, an address that the internet reaches.';
    const api = new FakeApi().on('GET /api/instagram/config', { success: true, data: { isConfigured: true, mediaHint } });
    const { user } = renderApp('/admin/settings');
    expect(await screen.findByText(mediaHint)).toBeVisible();
    api.on('GET /api/instagram/config', { success: true, data: { isConfigured: true, mediaHint: null } });
    await user.click(screen.getByRole('button', { name: 'Refresh everything' }));
    await waitFor(() => expect(screen.queryByText(mediaHint)).toBeNull());
  });

  it('tests the media address on request, and shows the result once the worker has made the test', async () => {
    const config = (mediaTest: object) => ({ success: true, data: { isConfigured: true, mediaTest } });
    const known = { ok: true, detail: 'Media can be fetched.', checkedAt: '2026-11-20T10:00:00.000Z', isPending: false };
    const api = new FakeApi()
      .on('GET /api/instagram/config', config(known))
      .on('POST /api/instagram/media-address-test', apiSamples.instagram.testMediaAddress.response);
    const { user } = renderScreen('/admin/settings');
    expect(await screen.findByText(/Media can be fetched\. Checked/u)).toBeVisible();
    api.on('GET /api/instagram/config', config({ ...known, ok: false, detail: 'cdn.example.test answers with status 403.' }));
    await user.click(screen.getByRole('button', { name: 'Test media address' }));
    expect(await screen.findByText(/status 403/u)).toBeVisible();
    expect(api.calls('POST', '/api/instagram/media-address-test')).toHaveLength(1);
  });

  it('shows a load error of the configuration and retries', async () => {
    const api = new FakeApi()
      .fail('GET /api/instagram/config', 'The database is away')
      .on('GET /api/instagram/capabilities', apiSamples.instagram.capabilities.response);
    const { user } = renderScreen('/admin/settings');
    expect(await screen.findByText('The database is away')).toBeVisible();
    api.on('GET /api/instagram/config', apiSamples.instagram.config.response);
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('Instagram API configured')).toBeVisible();
  });

  it('says that the account is not checked yet instead of showing it as ready', async () => {
    const data = apiSamples.instagram.config.response.data as object;
    new FakeApi().on('GET /api/instagram/config', { success: true, data: { ...data, account: null } });
    renderScreen('/admin/settings');
    expect(await screen.findByText(/The account is not checked yet/u)).toBeVisible();
  });

  it('lists the Reels specs', async () => {
    new FakeApi().on('GET /api/instagram/config', apiSamples.instagram.config.response);
    renderScreen('/admin/settings');
    expect(await screen.findByText('Instagram API configured')).toBeVisible();
    for (const text of [
      '1080x1920 (9:16)',
      '720 px',
      '1.91:1 to 9:16',
      'MP4 or MOV',
      'At least 30fps',
      'Maximum 90 seconds',
      'Up to 2,200 characters',
      '420x654',
    ]) {
      expect(screen.getByText(text)).toBeVisible();
    }
  });

  it('shows what each login offers, or why not', async () => {
    new FakeApi()
      .on('GET /api/instagram/config', apiSamples.instagram.config.response)
      .on('GET /api/instagram/capabilities', apiSamples.instagram.capabilities.response);
    renderScreen('/admin/settings');
    const table = await screen.findByRole('region', { name: 'Capabilities by login' });
    expect(within(table).getByRole('columnheader', { name: 'Instagram Login (in use)' })).toBeVisible();
    const row = within(table).getByRole('row', { name: /^Licensed audio/u });
    expect(within(row).getByText('Instagram offers it with Facebook Login only.')).toBeVisible();
    expect(within(row).getByText('Available')).toBeVisible();
  });

  it('shows the availability of the media tools, or the error', async () => {
    const api = new FakeApi().on('GET /api/instagram/compatibility-test', apiSamples.instagram.compatibilityTest.response);
    const { user } = renderScreen('/admin/settings');
    await user.click(await screen.findByRole('button', { name: 'Test Compatibility Setup' }));
    expect(await screen.findByText('FFmpeg: Available')).toBeVisible();
    expect(screen.getByText('FFprobe 7.1 is available')).toBeVisible();
    api.fail('GET /api/instagram/compatibility-test', 'No media worker has reported yet', 503);
    await user.click(screen.getByRole('button', { name: 'Test Compatibility Setup' }));
    expect(await screen.findByText('No media worker has reported yet')).toBeVisible();
  });

  it('saves the preferences in this browser', async () => {
    new FakeApi().on('GET /api/instagram/config', apiSamples.instagram.config.response);
    const { user } = renderScreen('/admin/settings');
    await user.click(await screen.findByRole('checkbox', { name: 'Single-key shortcuts' }));
    await user.click(screen.getByRole('checkbox', { name: 'Autoplay videos in Reels mode' }));
    await user.type(screen.getByLabelText('Time zone'), 'Asia/Kathmandu{Enter}');
    expect(screen.getByText('All times are shown in Asia/Kathmandu.')).toBeVisible();
    await user.click(screen.getByRole('combobox', { name: 'Show notifications for' }));
    await user.click(screen.getByRole('option', { name: 'Until closed' }));
    act(() => resetPreferences());
    expect(readPreferences()).toMatchObject({ noticeSeconds: 0, shortcuts: false, autoplay: false, timeZone: 'Asia/Kathmandu' });
  });

  it('rejects an unknown time zone', async () => {
    new FakeApi().on('GET /api/instagram/config', apiSamples.instagram.config.response);
    const { user } = renderScreen('/admin/settings');
    await user.type(await screen.findByLabelText('Time zone'), 'Moon/Base{Enter}');
    expect(screen.getByText(/Enter a time zone/u)).toBeVisible();
    expect(readPreferences().timeZone).toBeNull();
  });
});
