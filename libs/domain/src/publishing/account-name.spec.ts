import { accountName } from './account-name';

describe('accountName', () => {
  it.each([
    ['the username', { username: 'second.page', userId: '178' }, '@second.page'],
    ['the id where the username is unknown', { username: null, userId: '178' }, '178'],
    ['the environment where both are unknown', { username: null, userId: null }, 'the account of the environment'],
  ])('is %s', (_what, account, name) => expect(accountName(account)).toBe(name));
});
