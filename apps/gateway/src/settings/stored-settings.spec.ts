import { FakeDatabase } from '@autoposter/testkit';
import { gatewaySettings } from '../testing/fake-settings';
import { StoredSettings } from './stored-settings';

describe('StoredSettings', () => {
  it.each([
    ['ready', 'account-2', 'account-2'],
    ['refused', 'account-2', null],
    ['ready', 'account-1', null],
  ])('publishes on a connected account that is %s with the id %s as %s', async (status, userId, expected) => {
    const { database, uow } = new FakeDatabase({ 'accounts.find': { login: 'facebook', status, userId } });
    const settings = gatewaySettings({ instagramLogin: { apiVersion: 'v26.0' } as never });
    expect(await new StoredSettings(database, settings).account(uow, 'second')).toMatchObject({ userId: expected });
  });
});
