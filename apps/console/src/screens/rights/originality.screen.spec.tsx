import { instagramAccountsSample, originalitySample } from '@autoposter/contracts';
import { screen, waitFor } from '@testing-library/react';
import { FakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-app';

const start = (change: object = {}) =>
  new FakeApi()
    .on('GET /api/rights/originality', { success: true, data: { ...originalitySample, ...change } })
    .on('PUT /api/rights/originality', { success: true, data: originalitySample });
const open = () => renderScreen('/admin/rights?view=originality');

describe('originality', () => {
  it.each([
    [{}, 'About 42 % are plain reposts; the greatest share is 50 %. 2 more plain reposts would stay within it.'],
    [
      { repostShare: 0.75, othersNeeded: 4 },
      'About 75 % are plain reposts; the greatest share is 50 %. 4 other posts would bring it back.',
    ],
    [{ repostShare: null }, 'Nothing was published in the last 30 days.'],
  ])('tells the distance to the greatest share: %j', async (change, sentence) => {
    start(change);
    open();
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.getByText(/An estimate: Instagram does not publish how it counts/u)).toBeVisible();
  });

  it('saves the rule of the queue', async () => {
    const api = start();
    const { user } = open();
    const share = await screen.findByRole('spinbutton', { name: 'Greatest share of plain reposts (percent)' });
    await user.clear(share);
    expect(screen.getByRole('button', { name: 'Save rule' })).toBeDisabled();
    await user.type(share, '40');
    await user.click(screen.getByRole('checkbox', { name: 'Hold back plain reposts above the greatest share' }));
    await user.click(screen.getByRole('button', { name: 'Save rule' }));
    expect(await screen.findByText('Rule saved')).toBeVisible();
    expect(api.calls('PUT', '/api/rights/originality')[0]?.body).toEqual({ holdReposts: false, maxRepostShare: 0.4 });
  });

  it('shows the selected account where there are several, and saves its rule', async () => {
    const second = instagramAccountsSample.accounts[1]?.id;
    const api = start()
      .on('GET /api/instagram-accounts', { success: true, data: instagramAccountsSample })
      .reply('GET /api/rights/originality', ({ query }) => ({
        body: { success: true, data: query['accountId'] === second ? { ...originalitySample, repostShare: null } : originalitySample },
      }));
    const { user } = open();
    const share = () => screen.findByRole('spinbutton', { name: 'Greatest share of plain reposts (percent)' });
    expect(await screen.findByText(/^About 42 %/u)).toBeVisible();
    await user.type(await share(), '{Backspace}');
    await user.click(await screen.findByRole('combobox', { name: 'Account' }));
    await user.click(await screen.findByRole('option', { name: '@autoposter.second' }));
    expect(await screen.findByText('Nothing was published in the last 30 days.')).toBeVisible();
    // the entry was for the other account
    expect(await share()).toHaveValue(50);
    await user.click(screen.getByRole('button', { name: 'Save rule' }));
    await waitFor(() => expect(api.calls('PUT', '/api/rights/originality')[0]?.query).toEqual({ accountId: second }));
  });

  it('names no account while there is one', async () => {
    const api = start();
    open();
    await screen.findByText(/^About 42 %/u);
    await waitFor(() => expect(api.calls('GET', '/api/instagram-accounts')).not.toEqual([]));
    expect(screen.queryByRole('combobox', { name: 'Account' })).toBeNull();
    expect(api.calls('GET', '/api/rights/originality')[0]?.query).toEqual({});
  });
});
