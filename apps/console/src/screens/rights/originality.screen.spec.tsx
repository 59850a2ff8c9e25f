import { originalitySample } from '@autoposter/contracts';
import { screen } from '@testing-library/react';
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
});
